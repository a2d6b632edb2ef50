import { deepEqual } from "node:assert/strict";
import { META } from "../../engine/index/_build.ts";
import { meaning } from "../../engine/rank/_collection.ts";
import { TempDir } from "../../foundation/boundary/helpers.ts";
import { BUILTIN_ID, encodeWords } from "#models/embedding/mod.ts";
import type { FileMask, Store } from "#library/store/mod.ts";
import { ASKS, WORDS } from "./_asks.ts";
import { addFile, ready } from "./_contract.ts";
import { MemoryStore } from "./memory/memory_store.ts";
import { STORES } from "./_stores.ts";

const NAMES = Array.from(
  { length: 24 },
  (_, i) => `${i % 3 === 0 ? "docs" : "notes"}/${String(i).padStart(2, "0")}.md`,
);

/** Writes some of the files, three chunks each, with vectors. */
async function fill(store: Store, names: readonly string[]): Promise<void> {
  const { table, analyzer } = meaning;
  await using _lock = await store.lock();
  await store.replace({ vectors: { model: BUILTIN_ID, dimensions: table.dimensions } }, async (writer) => {
    for (const [n, name] of names.entries()) {
      const i = NAMES.indexOf(name);
      const texts = [0, 1, 2].map((k) =>
        [WORDS[(i + k) % WORDS.length], WORDS[(i * 3 + k) % WORDS.length], `word${i}`].join(" ")
      );
      await addFile(writer, name, texts);
      for (const [k, text] of texts.entries()) {
        const { vector, words } = analyzer.analyze(text);
        writer.setVector(3 * n + k, vector, encodeWords(words, table.englishCount));
      }
    }
    await writer.finish({ ...META, root: store.root, leftOut: { media: 7 } }, () => Promise.resolve());
  });
}

const HIDDEN: Readonly<Record<string, (path: string) => boolean>> = {
  "the first files": (path) => path < "docs/06",
  "every second file": (path) => NAMES.indexOf(path) % 2 === 1,
  "a folder": (path) => path.startsWith("docs/"),
  "all files": () => true,
  "no file": () => false,
};

for (const [store, storeOf] of [...STORES, ["memory", (root: string) => new MemoryStore(root)] as const]) {
  Deno.test(`${store}: an index that is opened without some files answers as one that never had them`, async () => {
    using dir = new TempDir();
    Deno.mkdirSync(dir.at("all"));
    const whole = storeOf(dir.at("all"));
    await fill(whole, NAMES.toSorted());
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
  });
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
