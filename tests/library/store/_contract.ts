import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import type { NewChunk, VectorMeta } from "#engine/index/mod.ts";
import type {
  ChunkFilter,
  IndexStore,
  IndexWriter,
  LoadedIndex,
  OpenIndex,
  WriteOptions,
} from "#library/store/mod.ts";
import { chunk, META } from "../../engine/index/_build.ts";
import { assertUserError, TempDir } from "../../foundation/boundary/helpers.ts";

/** Files of an index: path -> texts of the chunks, each on separate lines. */
export type Files = Readonly<Record<string, readonly (string | Partial<NewChunk>)[]>>;

const FILES: Files = {
  "docs/a.md": ["the river bridge bridge", "Mark the bridge", "a hard\n**link** on the river"],
  "docs/b.md": ["这是桥梁", "这是一座大桥，也是桥梁", "天气"],
  "notes/c.txt": [{ text: "river river", context: "Hard reset", section: ["Hard reset"], page: 3 }],
};

const EXACT: VectorMeta = { model: "m", dimensions: 3, exact: true };
const ANY: ChunkFilter = { phrases: [], excluded: [], excludedPhrases: [] };

/** Writes an index of `files`, in the order of their paths, and returns it. */
export async function write(store: IndexStore, files: Files, options: WriteOptions = {}): Promise<OpenIndex> {
  using _lock = await store.lock();
  await store.replace(options, async (writer) => {
    for (const [path, chunks] of Object.entries(files)) await addFile(writer, path, chunks);
    await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
  });
  return await ready(store.open());
}

/** Adds a file to the index that is being written. */
export async function addFile(writer: IndexWriter, path: string, chunks: Files[string]): Promise<void> {
  writer.beginFile();
  let start = 0, line = 1;
  for (const given of chunks) {
    const { text = "", ...more } = typeof given === "string" ? { text: given } : given;
    const lines = text.split("\n").length;
    writer.addChunk(chunk(text, { start, startLine: line, endLine: line + lines - 1, ...more }));
    start += text.length + 1;
    line += lines;
  }
  await writer.endFile({ path, size: 1, mtimeMs: 1, sha256: "ab", status: "indexed" });
}

/** The index of a store that is ready to be searched. */
export async function ready(loaded: Promise<LoadedIndex>): Promise<OpenIndex> {
  const result = await loaded;
  if (result.state !== "ready") throw new Error(result.state);
  return result.index;
}

/** Registers the tests that every implementation of {@linkcode IndexStore} must pass. `storeOf`: of an empty folder. */
export function testStore(name: string, storeOf: (root: string) => IndexStore): void {
  const test = (sentence: string, run: (store: IndexStore, dir: TempDir) => Promise<void>) =>
    Deno.test(`${name}: ${sentence}`, async () => {
      using dir = new TempDir();
      await run(storeOf(dir.path), dir);
    });

  test("an index is missing until one is written, and each one has another version", async (store) => {
    deepEqual([await store.open(), await store.version()], [{ state: "missing" }, undefined]);
    using index = await write(store, FILES);
    const version = await store.version();
    equal(await store.version(), version);
    equal(index.meta.root, store.root);
    (await write(store, { "other.md": ["other words, and more of them"] })).close();
    ok(await store.version() !== version);
  });

  test("an open index shows the state in which it was opened", async (store) => {
    using before = await write(store, FILES);
    using after = await write(store, { "new.md": ["new"] });
    deepEqual(after.files.map(({ path }) => path), ["new.md"]);
    deepEqual(before.files.map(({ path }) => path), Object.keys(FILES));
    deepEqual(await before.texts(Int32Array.of(5), 100), ["天气"]);
  });

  test("statistics count chunks, terms and tokens, by language too", async (store) => {
    using index = await write(store, { "a.md": ["one two two", "one"], "b.md": ["学习"] });
    const { bytes: _, terms, ...statistics } = index.statistics;
    // terms may be counted of which the last chunk is gone
    ok(terms >= 5);
    deepEqual(statistics, {
      chunks: 3,
      tokens: 7,
      languages: [{ language: 1, chunks: 2, tokens: 4 }, { language: 2, chunks: 1, tokens: 3 }],
      textBytes: 20,
    });
    deepEqual(Array.from(await index.documentFrequencies(["one", "学习", "nowhere"])), [2, 1, 0]);
  });

  test("termsOfLength() gives every term whose length lies between the bounds, both inclusive", async (store) => {
    using index = await write(store, FILES);
    const found = new Set(await index.termsOfLength(2, 5));
    const asked = ["river", "bridg", "这是", "the", "是", "hardly"];
    deepEqual(asked.filter((term) => found.has(term)), ["river", "bridg", "这是", "the"]);
    equal([...found].some((term) => term.length < 2 || term.length > 5), false);
  });

  test("byTerms() finds the best chunks by BM25, scoreTerms() scores the ones given", async (store) => {
    using index = await write(store, FILES);
    const query = {
      terms: [{ term: "river", weight: 1 }, { term: "bridg", weight: 2 }, { term: "nowhere", weight: 9 }],
      averageTokens: 4,
    };
    const found = await index.byTerms(query, { limit: 10 });
    deepEqual(found.map(({ chunk, file, covered }) => [chunk, file, covered]), [
      [0, 0, 3],
      [1, 0, 2],
      [6, 2, 1],
      [2, 0, 1],
    ]);
    // 4 tokens, river once and bridge twice; k1 = 1.2
    ok(Math.abs(found[0]!.score - (2.2 / 2.2 + 2 * 2.2 * 2 / 3.2)) < 1e-9);
    deepEqual((await index.byTerms(query, { limit: 2 })).map(({ chunk }) => chunk), [0, 1]);
    const { scores, covered } = await index.scoreTerms(query, Int32Array.of(0, 3, 6));
    near([...scores], [found[0]!.score, 0, found[2]!.score]);
    near([...covered], [3, 0, 1]);
  });

  test("term groups count as one term, in one language", async (store) => {
    using index = await write(store, { ...FILES, "d.md": ["English words that quote 桥梁 once"] });
    const group = {
      members: [{ terms: ["桥梁"], score: 1 }, { terms: ["大桥"], score: 0.5 }, {
        terms: ["水桥", "桥"],
        score: 1,
      }],
    };
    const other = { members: [{ terms: ["天气"], score: 1 }] };
    deepEqual(Array.from(await index.groupFrequencies([group, other, { members: [] }], 2)), [2, 1, 0]);
    const query = {
      groups: [{ group, weight: 2 }, { group: other, weight: 1 }],
      language: 2,
      averageTokens: 8,
    };
    const found = await index.byGroups(query, { limit: 10 });
    deepEqual(found.map(({ chunk, covered }) => [chunk, covered]).sort(), [[3, 2], [4, 2], [5, 1]]);
    const { scores } = await index.scoreGroups(query, Int32Array.of(2, 3, 4));
    equal(scores[0], 0);
    for (const { chunk, score } of found.filter(({ chunk }) => chunk < 5)) {
      near([scores[chunk - 2]!], [score]);
    }
  });

  test("byGroups() includes all chunks that score as much as the last", async (store) => {
    using index = await write(store, { "a.md": ["桥梁", "桥梁", "桥梁"] });
    const group = { members: [{ terms: ["桥梁"], score: 1 }] };
    const query = { groups: [{ group, weight: 1 }], language: 2, averageTokens: 3 };
    equal((await index.byGroups(query, { limit: 1 })).length, 3);
  });

  test("filters select chunks by file, language, phrases and excluded words", async (store) => {
    using index = await write(store, FILES);
    const passing = async (filter: Partial<ChunkFilter>, exceptFiles = new Set<number>()) => {
      const terms = ["river", "bridg", "天气", "桥梁"].map((term) => ({ term, weight: 1 }));
      const wanted = { limit: 10, filter: { ...ANY, ...filter }, exceptFiles };
      const found = await index.byTerms({ terms, averageTokens: 4 }, wanted);
      equal(await index.passesAny(wanted.filter), found.length > 0 || exceptFiles.size > 0);
      return found.map(({ chunk }) => chunk).sort();
    };
    deepEqual(await passing({}), [0, 1, 2, 3, 4, 5, 6]);
    deepEqual(await passing({ files: Uint8Array.of(0, 1, 1) }), [3, 4, 5, 6]);
    deepEqual(await passing({ files: Uint8Array.of(0, 1, 1) }, new Set([1])), [6]);
    deepEqual(await passing({}, new Set([0, 2])), [3, 4, 5]);
    deepEqual(await passing({ languages: new Set([1]) }), [0, 1, 2, 6]);
    deepEqual(await passing({ phrases: ["hard link"] }), [2]);
    deepEqual(await passing({ phrases: ["hard reset"] }), [6]);
    deepEqual(await passing({ phrases: ["大桥，也是"] }), [4]);
    deepEqual(await passing({ excluded: ["bridges"] }), [2, 3, 4, 5, 6]);
    deepEqual(await passing({ excludedPhrases: ["river bridge"], languages: new Set([1]) }), [1, 2, 6]);
    deepEqual(await passing({ phrases: ["nowhere"] }), []);
  });

  test("byVector() finds the nearest vectors, with float32 and with int8 numbers", async (store) => {
    for (const exact of [true, false]) {
      const meta = { ...EXACT, exact };
      const vectors = [[1, 0, 0], [0.6, 0.8, 0], [0, 0, 0], [-1, 0, 0]].map((row) => Float32Array.from(row));
      using _lock = await store.lock();
      await store.replace({ vectors: meta }, async (writer) => {
        await addFile(writer, "a.md", ["a", "b", "c", "d"]);
        if (!exact) vectors.forEach((vector, chunk) => writer.setVector(chunk, vector, Uint8Array.of(chunk)));
        const given = (chunk: number) => vectors[chunk];
        const embedded = () => Promise.resolve(exact ? given : undefined);
        await writer.finish({ ...META, root: store.root }, () => Promise.resolve(), embedded);
      });
      using index = await ready(store.open());
      deepEqual(index.vectors, meta);
      const query = { vector: Float32Array.of(1, 0, 0), model: "m" };
      const found = await index.byVector(query, { limit: 5 });
      deepEqual(found.map(({ chunk, covered }) => [chunk, covered]), [[0, 0], [1, 0]]);
      near(found.map(({ score }) => score), [1, 0.6], 0.01);
      const filter = { ...ANY, excluded: ["a"] };
      deepEqual((await index.byVector(query, { limit: 5, filter })).map(({ chunk }) => chunk), [1]);
      near([...await index.cosines(query, Int32Array.of(1, 3))], [0.6, -1], 0.01);
      near([...await index.sampleCosines(query, 1, 2)], [0.6, -1], 0.01);
      deepEqual(await index.byVector({ ...query, model: "other" }, { limit: 5 }), []);
      deepEqual([...await index.cosines({ ...query, model: "other" }, Int32Array.of(0))], [0]);
      deepEqual([...await index.sampleCosines({ ...query, vector: Float32Array.of(1) }, 0, 1)], []);
      equal((await index.byVector({ ...query, model: undefined }, { limit: 5 })).length, 2);
      const words = await index.words(Int32Array.of(0, 3));
      deepEqual(words, exact ? [undefined, undefined] : [Uint8Array.of(0), Uint8Array.of(3)]);
    }
  });

  test("chunks come back by number, with their texts and identities", async (store) => {
    using index = await write(store, { ...FILES, "d.md": ["same", "same", "好的🎉"] });
    const [stored] = await index.chunks(Int32Array.of(6));
    deepEqual(stored, {
      file: 2,
      start: 0,
      end: 11,
      startLine: 1,
      endLine: 1,
      section: ["Hard reset"],
      page: 3,
      tokens: 4,
      language: 1,
    });
    deepEqual(await index.texts(Int32Array.of(0, 9), 5), ["the r", "好"]);
    const identities = await index.identities(Int32Array.of(7, 8));
    deepEqual(identities.map(({ earlierCopies }) => earlierCopies), [0, 1]);
    deepEqual(identities[0]!.contentHash, identities[1]!.contentHash);
    equal(identities[0]!.contentHash.length, 16);
    await index.verify();
    equal(index.damage, undefined);
  });

  test("files of the previous index are kept under new numbers", async (store) => {
    using previous = await write(store, FILES);
    using _lock = await store.lock();
    await store.replace({ previous }, async (writer) => {
      await addFile(writer, "0.md", ["天气"]);
      const { contentHash } = (await previous.identities(Int32Array.of(5)))[0]!;
      deepEqual(writer.contentHash(writer.chunkCount - 1), contentHash);
      await writer.keep({ path: "kept.md", size: 2, mtimeMs: 2, sha256: "cd", status: "indexed" }, 1);
      await writer.keep(undefined, 2);
      await writer.addEmpty({ path: "z.md", size: 3, mtimeMs: 3, sha256: "", status: "failed", reason: "x" });
      await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
    });
    using index = await ready(store.open());
    deepEqual(index.files.map(({ path, firstChunk, chunkCount }) => [path, firstChunk, chunkCount]), [
      ["0.md", 0, 1],
      ["kept.md", 1, 3],
      ["notes/c.txt", 4, 1],
      ["z.md", 5, 0],
    ]);
    deepEqual(await index.texts(Int32Array.of(1, 3), 100), ["这是桥梁", "天气"]);
    deepEqual(Array.from(await index.documentFrequencies(["bridg", "桥梁"])), [0, 2]);
    deepEqual(index.files[2], { ...previous.files[2]!, firstChunk: 4 });
  });

  test("one writer holds the lock, and a failed write leaves the old index", async (store) => {
    (await write(store, FILES)).close();
    const version = await store.version();
    {
      using _lock = await store.lock();
      equal(await store.isLocked(), true);
      await assertUserError(() => store.lock(), "index_busy");
      const failure = new Error("stop");
      await rejects(store.replace({}, () => Promise.reject(failure)), failure);
    }
    deepEqual([await store.isLocked(), await store.version()], [false, version]);
  });

  test("an index that names a file outside of its folder is damaged", async (store) => {
    for (const path of ["../a.md", "/a.md", "docs/../../a.md", "docs//a.md", ""]) {
      {
        using _lock = await store.lock();
        await store.replace({}, async (writer) => {
          await addFile(writer, path, ["one"]);
          await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
        });
      }
      equal((await store.open()).state, "damaged", path);
    }
  });

  test("a backup is restored, for another folder only for an update", async (store, dir) => {
    using index = await write(store, FILES);
    const path = dir.at("backup");
    {
      using file = Deno.openSync(path, { write: true, createNew: true });
      await store.backUp(index, file);
    }
    const elsewhere = new TempDir();
    using _ = elsewhere;
    const other = storeOf(elsewhere.path);
    for (const to of [store, other]) {
      using backup = await to.openBackup(Deno.openSync(path));
      using _lock = await to.lock();
      await to.restore(backup);
    }
    using restored = await ready(store.open());
    deepEqual(await restored.texts(Int32Array.of(5), 100), ["天气"]);
    equal((await other.open()).state, "moved");
    using forUpdate = await ready(other.open({ forUpdate: true }));
    equal(forUpdate.meta.root, store.root);
  });
}

function near(actual: readonly number[], expected: readonly number[], tolerance = 1e-9): void {
  equal(actual.length, expected.length);
  actual.forEach((value, i) => ok(Math.abs(value - expected[i]!) <= tolerance, `${actual} for ${expected}`));
}
