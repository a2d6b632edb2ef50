import { join } from "node:path";
import { FolderStore } from "#library/store/folder/folder_store.ts";
import { ShardedStore } from "#library/store/sharded/sharded_store.ts";
import type { IndexWriter, Store, VectorModel, WriteOptions } from "#library/store/mod.ts";
import { withVectors } from "#library/store/vectors/with_vectors.ts";
import { META } from "../../engine/index/_build.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { addFile, ready } from "./_contract.ts";
import { ListedVectors } from "./vectors/_listed_vectors.ts";

/**
 * Writes every index as an update that leaves what is there as it is. Without a previous index, that has other texts, which must not
 * be found.
 */
export async function replaceAsUpdate<T>(
  store: Store,
  replace: Store["replace"],
  options: WriteOptions,
  write: (writer: IndexWriter) => Promise<T>,
): Promise<T> {
  const changes = { bytes: 0, chunks: 0 };
  if (options.previous !== undefined) return await replace({ ...options, changes }, write);
  const before = await store.open({ forUpdate: true });
  if (before.state === "ready") before.index.close();
  else {
    await replace(options, async (writer) => {
      await addFile(writer, "docs/b.md", ["river bridge", "天气 桥梁", "server index search"]);
      await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
    });
  }
  using previous = await ready(store.open({ forUpdate: true }));
  return await replace({ ...options, previous, changes }, write);
}

class DeltaStore extends FolderStore {
  constructor(root: string) {
    super(root, KEY, undefined, { fromBytes: 0, share: Infinity });
  }

  override replace<T>(options: WriteOptions, write: (writer: IndexWriter) => Promise<T>): Promise<T> {
    return replaceAsUpdate(this, (...given) => super.replace(...given), options, write);
  }
}

/** Stores in three data folders of a folder. */
export function shardsOf(root: string): Store[] {
  return ["one", "two", "three"].map((name) => new FolderStore(root, KEY, join(root, `.muxue_rag-${name}`)));
}

/** Stands for the places of vectors elsewhere, by folder and model. */
const places = new Map<string, ListedVectors>();

function placeOfVectors(root: string, model: VectorModel): Promise<ListedVectors> {
  const key = `${root}\0${model.id}`;
  const place = places.get(key) ?? new ListedVectors(model);
  places.set(key, place);
  return Promise.resolve(place);
}

/** A store of the program. */
export type TestedStore = readonly [
  name: string,
  /** Takes the real path of a folder. */
  storeOf: (root: string) => Store,
  /** Runs a test in what the store needs. Default: it needs nothing. */
  around?: (test: () => Promise<void>) => Promise<void>,
];

/** The stores of the program that need no server; `_databases.ts` has the others. */
export const STORES: readonly TestedStore[] = [
  ["folder", (root) => new FolderStore(root, KEY)],
  ["folder with a delta", (root) => new DeltaStore(root)],
];

/** The stores, and collections that lie in several of them. A process that ends while they publish leaves the state of two runs. */
export const ALL_STORES: typeof STORES = [
  ...STORES,
  [
    "folder with its vectors elsewhere",
    (root) => withVectors(new FolderStore(root, KEY), (model) => placeOfVectors(root, model)),
  ],
  ["three folders", (root) => new ShardedStore(root, shardsOf(root), KEY)],
];
