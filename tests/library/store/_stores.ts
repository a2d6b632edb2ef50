import { FolderStore } from "#library/store/folder/folder_store.ts";
import { databaseOf, type StoreSettings } from "#library/store/postgres/database.ts";
import { PostgresStore } from "#library/store/postgres/postgres_store.ts";
import type { IndexWriter, Store, WriteOptions } from "#library/store/mod.ts";
import { usingPglite } from "../../_pglite.ts";
import { META } from "../../engine/index/_build.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { addFile, ready } from "./_contract.ts";

/** Writes every index as a delta. Without a previous index, its base has other texts, which must not be found. */
class DeltaStore extends FolderStore {
  constructor(root: string) {
    super(root, KEY, undefined, { fromBytes: 0, share: Infinity });
  }

  override async replace<T>(options: WriteOptions, write: (writer: IndexWriter) => Promise<T>): Promise<T> {
    const changes = { bytes: 0, chunks: 0 };
    if (options.previous !== undefined) return await super.replace({ ...options, changes }, write);
    const before = await this.open({ forUpdate: true });
    if (before.state === "ready") before.index.close();
    else {
      await super.replace(options, async (writer) => {
        await addFile(writer, "docs/b.md", ["river bridge", "天气 桥梁", "server index search"]);
        await writer.finish({ ...META, root: this.root }, () => Promise.resolve());
      });
    }
    using previous = await ready(this.open({ forUpdate: true }));
    return await super.replace({ ...options, previous, changes }, write);
  }
}

/** The database that the test which runs has for itself. */
let settings: StoreSettings | undefined;

/** A store of the program. */
type TestedStore = readonly [
  name: string,
  /** Takes the real path of a folder. */
  storeOf: (root: string) => Store,
  /** Runs a test in what the store needs. Default: it needs nothing. */
  around?: (test: () => Promise<void>) => Promise<void>,
];

/** The stores of the program. */
export const STORES: readonly TestedStore[] = [
  ["folder", (root) => new FolderStore(root, KEY)],
  ["folder with a delta", (root) => new DeltaStore(root)],
  [
    "postgres",
    (root) => {
      const place = {
        database: databaseOf(settings!),
        schema: settings!.schema,
        name: root,
        address: "pglite",
      };
      return new PostgresStore(root, place, KEY);
    },
    (test) =>
      usingPglite(async (_, given) => {
        settings = given;
        await test();
      }),
  ],
];
