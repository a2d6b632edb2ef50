/** Tests of an index that is opened without some of its files. */
import { deepEqual } from "node:assert/strict";
import { META } from "../../engine/index/_build.ts";
import { meaning } from "../../engine/rank/_collection.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { BUILTIN_ID, encodeWords } from "#models/embedding/mod.ts";
import type { FileRecord } from "#engine/index/mod.ts";
import type { FileMask, OpenIndex, Store } from "#library/store/mod.ts";
import { ASKS, WORDS } from "./_asks.ts";
import { addFile, described, ready } from "./_contract.ts";
import { MemoryStore } from "./memory/memory_store.ts";
import type { TestedStore } from "./_stores.ts";

/** Paths of the files. */
export const NAMES = Array.from(
  { length: 24 },
  (_, i) => `${i % 3 === 0 ? "docs" : "notes"}/${String(i).padStart(2, "0")}.md`,
);

const VECTORS = { model: BUILTIN_ID, dimensions: meaning.table.dimensions };
const META_OF = (root: string) => ({ ...META, root, leftOut: { media: 7 } });

/** The record of a file that says something else about itself by now, such as one of which the bibliography has changed. */
function newRecord(name: string): FileRecord | undefined {
  if (NAMES.indexOf(name) % 6 !== 1) return undefined;
  return { ...described(name), metadata: { tags: ["docs", "late"], extra: { name: "new" } } };
}

/** Writes some of the files, three chunks each, with vectors. `previous`: an index of which the files that `keeps` names are kept. */
export async function fill(
  store: Store,
  names: readonly string[],
  previous?: OpenIndex,
  keeps: (name: string) => boolean = () => false,
): Promise<void> {
  const { table, analyzer } = meaning;
  await using _lock = await store.lock();
  const changes = previous && { bytes: 0, chunks: 0 };
  await store.replace({ vectors: VECTORS, previous, changes }, async (writer) => {
    for (const name of names) {
      if (previous !== undefined && keeps(name)) {
        const file = previous.files.findIndex(({ path }) => path === name);
        await writer.keep(newRecord(name), file);
        continue;
      }
      const i = NAMES.indexOf(name);
      const texts = [0, 1, 2].map((k) =>
        [WORDS[(i + k) % WORDS.length], WORDS[(i * 3 + k) % WORDS.length], `word${i}`].join(" ")
      );
      const first = writer.chunkCount;
      await addFile(writer, name, texts, newRecord(name));
      for (const [k, text] of texts.entries()) {
        const { vector, words } = analyzer.analyze(text);
        writer.setVector(first + k, vector, encodeWords(words, table.englishCount));
      }
    }
    await writer.finish(META_OF(store.root), () => Promise.resolve());
  });
}

const HIDDEN: Readonly<Record<string, (path: string) => boolean>> = {
  "the first files": (path) => path < "docs/06",
  "every second file": (path) => NAMES.indexOf(path) % 2 === 1,
  "a folder": (path) => path.startsWith("docs/"),
  "all files": () => true,
  "no file": () => false,
};

/** Registers the test that a store shows a part of an index as if there was nothing else. `write`: fills it. */
export function testLimited(
  [store, storeOf, around = (test) => test()]: TestedStore,
  write = (store: Store) => fill(store, NAMES.toSorted()),
): void {
  const test = async () => {
    using dir = new TempDir();
    Deno.mkdirSync(dir.at("all"));
    const whole = storeOf(dir.at("all"));
    await write(whole);
    for (const [what, isHidden] of Object.entries(HIDDEN)) {
      const some = new MemoryStore(dir.at("all"));
      await fill(some, NAMES.toSorted().filter((path) => !isHidden(path)));
      using wanted = await ready(some.open());
      const shows: FileMask = (files) => Uint8Array.from(files, ({ path }) => isHidden(path) ? 0 : 1);
      using found = await ready(whole.open({ shows }));
      deepEqual(found.meta.leftOut, undefined);
      for (const [ask, of] of Object.entries(ASKS)) {
        if (
          what === "all files" &&
          ["filtered", "filteredByVector", "filteredByScores", "passesAny"].includes(ask)
        ) continue;
        deepEqual(plain(await of(found)), plain(await of(wanted)), `${what}: ${ask}`);
      }
    }
  };
  Deno.test(
    `${store}: an index that is opened without some files answers as one that never had them`,
    () => around(test),
  );
}

/** Numbers of different kinds of arrays compare as lists, and scores without the last bits. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one) => {
      if (ArrayBuffer.isView(one)) return Array.from(one as Uint8Array);
      return typeof one === "number" && !Number.isInteger(one) ? Math.round(one * 1e5) / 1e5 : one;
    }) ?? "null",
  );
}
