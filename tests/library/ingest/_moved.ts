/** Collections that are moved from one store to another in tests. */
import { deepEqual } from "node:assert/strict";
import { NO_LOG } from "#foundation/log.ts";
import { registeredRoots } from "#foundation/registry.ts";
import { FolderStore } from "#library/store/folder/folder_store.ts";
import { BUILTIN_ID, encodeWords } from "#models/embedding/mod.ts";
import { temporaryPath } from "#foundation/boundary/mod.ts";
import { exportCollection, importCollection, type ImportFit } from "#library/ingest/mod.ts";
import { pictureKey, type RecognisedPages, type Store } from "#library/store/mod.ts";
import { META } from "../../engine/index/_build.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { documents, queries } from "../../engine/index/_fixture.ts";
import { meaning } from "../../engine/rank/_collection.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { ASKS } from "../store/_asks.ts";
import { addFile, described, ready } from "../store/_contract.ts";
import { assertNear } from "../store/_near.ts";
import type { TestedStore } from "../store/_stores.ts";

export const MODEL = { id: "local:en:test", dimensions: 32 };
export const SCAN = "a".repeat(64), PICTURE = "b".repeat(64), RESULT = "c".repeat(64);
export const RUN = "2026-11-26T08-45-12Z";
export const PAGES: RecognisedPages = {
  texts: new Map([[1, "tea 茶"], [3, ""]]),
  failed: new Map([[2, "unreadable"]]),
  pictures: new Map([[1, { sha256: PICTURE, text: "a pump" }]]),
  left: 1,
  isComplete: true,
  languages: "eng 4113088",
};

/** Fills a store with all that can be kept: 120 chunks, half of them with a vector of a neural model. */
export async function fill(store: Store): Promise<void> {
  const { table, analyzer } = meaning;
  const texts = documents().slice(0, 120);
  await using _lock = await store.lock();
  await store.replace({ vectors: { model: BUILTIN_ID, dimensions: table.dimensions } }, async (writer) => {
    for (let first = 0; first < texts.length; first += 5) {
      const path = `${first < 60 ? "docs" : "notes"}/file ${100 + first}.md`;
      const some = texts.slice(first, first + 5);
      const record = first > 0 ? described(path) : { ...described(path), sha256: SCAN, recognised: [1] };
      await addFile(writer, path, some, record);
      for (const [i, text] of some.entries()) {
        const { vector, words } = analyzer.analyze(text);
        writer.setVector(first + i, vector, encodeWords(words, table.englishCount));
      }
    }
    await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
  });
  using index = await ready(store.open());
  const chunks = Int32Array.from({ length: 60 }, (_, i) => 2 * i);
  const hashes = await index.contentHashes(chunks);
  await using writer = await store.vectors.write(MODEL);
  await writer.append(hashes.map((hash, i) => ({ hash, vector: unit(i) })));
  await writer.flush();
  await store.recognised.set(SCAN, PAGES);
  const { pictures: _, ...picture } = PAGES;
  await store.recognised.set(pictureKey(PICTURE), picture);
  await store.generated.set(RESULT, { title: "Tea" });
  await store.evaluations.set(RUN, `{"format":1}`);
  await store.removed.add(new Set(["docs/file 10.md"]));
}

/** A vector of length 1. */
function unit(seed: number): Float32Array {
  const vector = Float32Array.from({ length: MODEL.dimensions }, (_, i) => Math.sin(seed * 7.3 + i * i));
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

/** The bytes of an export. */
export async function exported(store: Store): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const write = (bytes: Uint8Array) => void parts.push(new Uint8Array(bytes));
  await exportCollection(store, { write, models: [MODEL.id, "local:zh:none"], version: "1.0.0" });
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Bytes in pieces of an odd length, as they come from a pipe. */
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_007) {
    yield await Promise.resolve(bytes.subarray(at, at + 10_007));
  }
}

export interface Importing {
  readonly key?: Uint8Array;
  readonly stateDir: string;
  readonly force?: boolean;
  readonly accept?: (fit: ImportFit) => Promise<boolean>;
}

export async function imported(
  store: Store,
  bytes: Uint8Array,
  { key = KEY, stateDir, force = false, accept = () => Promise.resolve(true) }: Importing,
) {
  const tempDir = temporaryPath(await Deno.realPath(Deno.env.get("TMPDIR") ?? "/tmp"));
  const options = { indexKey: key, stateDir, log: NO_LOG, tempDir, name: "-", force };
  try {
    return await importCollection(store, piecesOf(bytes), options, accept);
  } finally {
    // deepEqual tells more than a failing assertion about a boolean.
    deepEqual(await Deno.stat(tempDir).then(() => "left", () => "removed"), "removed");
  }
}

/** Asserts that two stores keep the same, apart from the folder that it is about. */
export async function assertSame(to: Store, from: Store): Promise<void> {
  {
    using one = await ready(from.open());
    using other = await ready(to.open());
    for (const [name, ask] of Object.entries(ASKS)) {
      if (name !== "root") assertNear(await ask(other), await ask(one), name);
    }
    deepEqual(other.meta, { ...one.meta, root: to.root });
    const terms = queries().slice(0, 20).map((query) => meaning.tokenizer.queryTerms(query));
    const found = (index: typeof one) =>
      Promise.all(terms.map((terms) => index.byTerms({ terms, averageTokens: 12 }, { limit: 10 })));
    assertNear(await found(other), await found(one), "queries");
  }
  deepEqual(await keptIn(to), await keptIn(from));
}

/** Returns everything that a store keeps beside its index. */
async function keptIn(store: Store) {
  using index = await ready(store.open());
  using vectors = store.vectors.read(MODEL);
  await vectors.refresh();
  const hashes = await index.contentHashes(
    Int32Array.from({ length: index.statistics.chunks }, (_, i) => i),
  );
  const rows = await vectors.rowsOf(hashes);
  return {
    vectors: await vectors.vectors(rows.filter((row) => row >= 0)),
    recognised: await Promise.all([SCAN, pictureKey(PICTURE)].map((key) => store.recognised.get(key))),
    generated: [await store.generated.keys(), await store.generated.get(RESULT)],
    evaluations: [await store.evaluations.names(), await store.evaluations.get(RUN)],
    removed: await store.removed.paths(),
  };
}

/** The key of another installation. */
const OTHER_KEY = new Uint8Array(32).fill(9);

/** Two folders, and a state folder. */
export function places() {
  const dir = new TempDir();
  for (const name of ["from", "to", "state"]) Deno.mkdirSync(dir.at(name));
  return {
    from: dir.at("from"),
    to: dir.at("to"),
    stateDir: dir.at("state"),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** Registers the test that a collection of a store moves to another one and back. */
export function testMoved([name, storeOf, around = (test) => test()]: TestedStore): void {
  Deno.test(`${name}: a collection that is moved to another folder and key, and back, answers as before`, () =>
    around(async () => {
      using place = places();
      const { stateDir } = place;
      const [from, to] = [storeOf(place.from), new FolderStore(place.to, OTHER_KEY)];
      await fill(from);
      const bytes = await exported(from);
      deepEqual(await imported(to, bytes, { key: OTHER_KEY, stateDir }), {
        ...{ files: 24, chunks: 120, vectors: 60, recognised: 2, generated: 1, evaluations: 1, removed: 1 },
        bytes: bytes.length - framesIn(bytes),
      });
      await assertSame(to, from);
      deepEqual(await registeredRoots(stateDir), [place.to]);
      const back = storeOf(place.from);
      await back.remove();
      await imported(back, await exported(to), { stateDir });
      await assertSame(back, to);
    }));
}

/** Bytes of the stream that are not the content of a frame. */
function framesIn(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer);
  let [at, overhead] = [19, 19];
  while (at < bytes.length) {
    at += view.getUint32(at + 1, true) + 9;
    overhead += 9;
  }
  // The last frame has a checksum alone.
  return overhead + 32;
}
