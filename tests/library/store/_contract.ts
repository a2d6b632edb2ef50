/**
 * The contract of every store: write `NAME/` in `lib/library/store/`, add it to `_stores.ts`, and run `contract_test.ts` until it passes.
 * The tests are in the order in which a store is best written: the index first, then locks, backups, vectors, recognised texts, generated results.
 */
import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import {
  type ChunkTest,
  DamagedIndexError,
  type Expression,
  type FileRecord,
  type Generated,
  type GeneratedOf,
  generatedTerm,
  type NewChunk,
  type VectorMeta,
  type WordCondition,
} from "#engine/index/mod.ts";
import {
  type ByteSink,
  type ByteSource,
  type ChunkFilter,
  type ContentVector,
  type IndexWriter,
  type LoadedIndex,
  type OpenIndex,
  pictureKey,
  type RecognisedPages,
  RUN_LIMITS,
  type Store,
  type WriteOptions,
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

const VECTORS: VectorMeta = { model: "m", dimensions: 3 };
const ANY: ChunkFilter = { phrases: [], excluded: [], excludedPhrases: [] };

/** Writes an index of `files`, in the order of their paths, and returns it. */
export async function write(store: Store, files: Files, options: WriteOptions = {}): Promise<OpenIndex> {
  await using _lock = await store.lock();
  await store.replace(options, async (writer) => {
    for (const [path, chunks] of Object.entries(files)) await addFile(writer, path, chunks);
    await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
  });
  return await ready(store.open());
}

/** Metadata of a file of a test: the folder as a tag, and its name. */
export function described(path: string): FileRecord {
  const [name = "", ...folders] = path.split("/").reverse();
  const metadata = { tags: folders, modified: `2024-01-${10 + name.length}`, extra: { name } };
  return { path, size: 1, mtimeMs: 1, sha256: "ab", status: "indexed", metadata };
}

/** Adds a file to the index that is being written. */
export async function addFile(
  writer: IndexWriter,
  path: string,
  chunks: Files[string],
  record: FileRecord = described(path),
): Promise<void> {
  writer.beginFile(path);
  let start = 0, line = 1;
  for (const given of chunks) {
    const { text = "", ...more } = typeof given === "string" ? { text: given } : given;
    const lines = text.split("\n").length;
    writer.addChunk(chunk(text, { start, startLine: line, endLine: line + lines - 1, ...more }));
    start += text.length + 1;
    line += lines;
  }
  await writer.endFile(record);
}

/** The index of a store that is ready to be searched. */
export async function ready(loaded: Promise<LoadedIndex>): Promise<OpenIndex> {
  const result = await loaded;
  if (result.state !== "ready") throw new Error(result.state);
  return result.index;
}

/** A content hash. */
export function hashOf(number: number): Uint8Array {
  const hash = new Uint8Array(16);
  new DataView(hash.buffer).setUint32(0, number, true);
  return hash;
}

/** A vector of length 1 near the axis `number % 4`. */
function vectorOf(number: number): Float32Array {
  const vector = new Float32Array(4).fill(0.1);
  vector[number % 4] = Math.sqrt(1 - 0.03);
  return vector;
}

/** The vectors of texts with numbers from `from` to `to`, the last exclusive. */
export function entries(from: number, to: number): ContentVector[] {
  return Array.from(
    { length: to - from },
    (_, i) => ({ hash: hashOf(from + i), vector: vectorOf(from + i) }),
  );
}

const MODEL = { id: "local:en:test", dimensions: 4 };
const SHA256 = ["a".repeat(64), "b".repeat(64)] as const;
const RESULT = { title: "绿茶 Green tea", tags: ["a\nb"] };
const PAGES: RecognisedPages = {
  texts: new Map([[1, "green tea"], [3, ""]]),
  failed: new Map([[2, "unreadable"]]),
  isComplete: true,
  languages: "eng:5199098",
};

/** A backup in memory. It takes and gives only a part of what it is asked for, as a file may. */
class Bytes implements ByteSink, ByteSource {
  #at = 0;

  constructor(public bytes = new Uint8Array(0)) {}

  writeSync(bytes: Uint8Array): number {
    const part = bytes.subarray(0, 10_000);
    const grown = new Uint8Array(Math.max(this.bytes.length, this.#at + part.length));
    grown.set(this.bytes);
    grown.set(part, this.#at);
    this.bytes = grown;
    this.#at += part.length;
    return part.length;
  }

  seekSync(offset: number): number {
    return this.#at = offset;
  }

  statSync(): { size: number } {
    return { size: this.bytes.length };
  }

  readSync(into: Uint8Array): number | null {
    const part = this.bytes.subarray(this.#at, this.#at + Math.min(into.length, 10_000));
    into.set(part);
    this.#at += part.length;
    return part.length === 0 ? null : part.length;
  }

  close(): void {}
}

/**
 * Registers the tests that every implementation of {@linkcode Store} must pass. `storeOf`: the store of a folder as this process and
 * others open it, at first with nothing in it. `around` runs each test.
 */
export function testStore(
  name: string,
  storeOf: (root: string) => Store,
  around: (test: () => Promise<void>) => Promise<void> = (test) => test(),
): void {
  const test = (
    sentence: string,
    run: (store: Store, open: (root?: string) => Store, dir: TempDir) => Promise<void>,
  ) =>
    Deno.test(`${name}: ${sentence}`, async () => {
      using dir = new TempDir();
      await around(() => run(storeOf(dir.path), (root = dir.path) => storeOf(root), dir));
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

  test("generated texts have terms of their own, and lengths and other frequencies stay", async (store) => {
    using plain = await write(store, FILES);
    const generated: Generated = { title: "Crossing", tags: ["river", "过河"], model: "test/m" };
    const again = async (previous: OpenIndex, texts: GeneratedOf) => {
      await using _lock = await store.lock();
      await store.replace({ previous, generatedFiles: [0] }, async (writer) => {
        for (const file of previous.files.keys()) {
          await writer.keep(undefined, file, file === 0 ? texts : undefined);
        }
        await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
      });
      return await ready(store.open());
    };
    using index = await again(plain, (chunk) => chunk === 1 ? generated : undefined);
    equal(plain.hasGenerated, false);
    equal(index.hasGenerated, true);
    deepEqual(await index.generated(Int32Array.of(0, 1, 6)), [undefined, generated, undefined]);
    equal(index.statistics.tokens, plain.statistics.tokens);
    const terms = ["river", generatedTerm("river"), generatedTerm("过河"), generatedTerm("bridg")];
    deepEqual(Array.from(await index.documentFrequencies(terms)), [3, 1, 1, 0]);
    deepEqual(Array.from(await index.termsOfLength(1, 9)).filter((term) => term.startsWith("\u0001")), []);
    const query = { terms: [{ term: generatedTerm("cross"), weight: 1, covers: 0 }], averageTokens: 4 };
    const found = await index.byTerms(query, { limit: 10 });
    deepEqual(found.map(({ chunk, covered }) => [chunk, covered]), [[1, 0]]);
    deepEqual(await index.byTerms(query, { limit: 10, filter: { ...ANY, excluded: ["crossing"] } }), found);
    using kept = await again(index, () => undefined);
    deepEqual(await kept.generated(Int32Array.of(1)), [generated]);
    using none = await again(kept, () => null);
    deepEqual([none.hasGenerated, await none.generated(Int32Array.of(1))], [false, [undefined]]);
    deepEqual(Array.from(await none.documentFrequencies(terms)), [3, 0, 0, 0]);
  });

  test("term groups count as one term, in one language", async (store) => {
    using index = await write(store, { ...FILES, "notes/d.txt": ["English words that quote 桥梁 once"] });
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

  test("an expression selects chunks by words, files and languages joined by and, or, not and near", async (store) => {
    using index = await write(store, FILES);
    const passing = async (expression: Expression<ChunkTest>) => {
      const filter = { ...ANY, expression };
      const found = await index.byScores(new Float64Array(7).fill(1), { limit: 10, filter });
      equal(await index.passesAny(filter), found.length > 0);
      return found.map(({ chunk }) => chunk);
    };
    const words = (words: string, form: WordCondition["form"] = "stem", within?: "title" | "heading") =>
      ({ kind: "words", words, form, typed: words, ...(within && { within }) }) as const;
    const test = (test: ChunkTest) => ({ kind: "test", test, typed: "" }) as const;
    deepEqual(await passing(words("rivers")), [0, 2, 6]);
    deepEqual(await passing({ kind: "not", part: words("river") }), [1, 3, 4, 5]);
    deepEqual(await passing({ kind: "and", parts: [words("river"), words("bridge")] }), [0]);
    deepEqual(await passing({ kind: "or", parts: [words("大桥"), words("hard link", "exact")] }), [2, 4]);
    deepEqual(await passing(words("bri", "prefix")), [0, 1]);
    deepEqual(await passing(words("reset", "stem", "heading")), [6]);
    deepEqual(await passing(words("reset", "stem", "title")), []);
    deepEqual(await passing({ kind: "near", distance: 0, parts: [words("bridge"), words("river")] }), [0]);
    deepEqual(await passing({ kind: "near", distance: 2, parts: [words("link"), words("river")] }), [2]);
    deepEqual(await passing({ kind: "near", distance: 1, parts: [words("link"), words("river")] }), []);
    deepEqual(
      await passing({ kind: "or", parts: [test({ files: Uint8Array.of(0, 1, 0) }), words("river")] }),
      [0, 2, 3, 4, 5, 6],
    );
    deepEqual(await passing({ kind: "not", part: test({ languages: new Set([1]) }) }), [3, 4, 5]);
  });

  test("termsWithPrefix() returns the terms that begin alike", async (store) => {
    using index = await write(store, FILES);
    deepEqual((await index.termsWithPrefix("ri")).toSorted(), ["river"]);
    deepEqual((await index.termsWithPrefix("大")).toSorted(), ["大", "大桥"]);
    deepEqual(await index.termsWithPrefix("zz"), []);
  });

  test("byVector() finds the nearest vectors", async (store) => {
    const vectors = [[1, 0, 0], [0.6, 0.8, 0], [0, 0, 0], [-1, 0, 0]].map((row) => Float32Array.from(row));
    await using _lock = await store.lock();
    await store.replace({ vectors: VECTORS }, async (writer) => {
      await addFile(writer, "a.md", ["a", "b", "c", "d"]);
      vectors.forEach((vector, chunk) => writer.setVector(chunk, vector, Uint8Array.of(chunk)));
      await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
    });
    using index = await ready(store.open());
    deepEqual(index.vectors, VECTORS);
    const query = { vector: Float32Array.of(1, 0, 0), model: "m" };
    const found = await index.byVector(query, { limit: 5 });
    deepEqual(found.map(({ chunk, covered }) => [chunk, covered]), [[0, 0], [1, 0]]);
    near(found.map(({ score }) => score), [1, 0.6], 0.01);
    const filter = { ...ANY, excluded: ["a"] };
    deepEqual((await index.byVector(query, { limit: 5, filter })).map(({ chunk }) => chunk), [1]);
    near([...await index.cosines(query, Int32Array.of(1, 3))], [0.6, -1], 0.01);
    deepEqual(await index.byVector({ ...query, model: "other" }, { limit: 5 }), []);
    deepEqual([...await index.cosines({ ...query, model: "other" }, Int32Array.of(0))], [0]);
    equal((await index.byVector({ ...query, model: undefined }, { limit: 5 })).length, 2);
    const words = await index.words(Int32Array.of(0, 3));
    deepEqual(words, [Uint8Array.of(0), Uint8Array.of(3)]);
  });

  test("chunks come back by number, with their texts and identities", async (store) => {
    using index = await write(store, { ...FILES, "notes/d.txt": ["same", "same", "好的🎉"] });
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
    await using _lock = await store.lock();
    await store.replace({ previous }, async (writer) => {
      await addFile(writer, "0.md", ["天气"]);
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

  test("a failed write leaves the old index", async (store) => {
    (await write(store, FILES)).close();
    const version = await store.version();
    await using _lock = await store.lock();
    const failure = new Error("stop");
    await rejects(store.replace({}, () => Promise.reject(failure)), failure);
    equal(await store.version(), version);
    using index = await ready(store.open());
    deepEqual(index.files.map(({ path }) => path), Object.keys(FILES));
  });

  test("an index that names a file outside of its folder is damaged", async (store) => {
    for (const path of ["../a.md", "/a.md", "docs/../../a.md", "docs//a.md", ""]) {
      {
        await using _lock = await store.lock();
        await store.replace({}, async (writer) => {
          await addFile(writer, path, ["one"]);
          await writer.finish({ ...META, root: store.root }, () => Promise.resolve());
        });
      }
      equal((await store.open()).state, "damaged", path);
    }
  });

  test("other processes see what was written", async (store, open) => {
    using index = await write(store, FILES);
    const other = open();
    equal(await other.version(), await store.version());
    using seen = await ready(other.open());
    deepEqual(seen.meta, index.meta);
    deepEqual(await seen.texts(Int32Array.of(5), 100), ["天气"]);
  });

  test(
    "each kind of work has a lock, which one process holds until it is disposed of",
    async (store, open) => {
      (await write(store, FILES)).close();
      const other = open();
      equal(await store.isLocked(), false);
      {
        await using _index = await store.lock();
        await using _vectors = await store.lock("vectors");
        await using _recognition = await store.lock("recognition");
        await assertUserError(() => other.lock(), "index_busy");
        await assertUserError(() => other.lock("vectors"), "vectors_busy");
        await assertUserError(() => other.lock("recognition"), "index_busy");
        deepEqual([await store.isLocked(), await other.isLocked()], [true, true]);
      }
      await using _vectors = await other.lock("vectors");
      equal(await store.isLocked(), false);
      deepEqual((await other.lock()).takenAway, []);
    },
  );

  test("everything is removed, and the next lock begins a new collection", async (store, open) => {
    deepEqual([await store.exists(), await store.remove()], [false, false]);
    (await write(store, FILES)).close();
    {
      await using writer = await store.vectors.write(MODEL);
      await writer.append(entries(0, 3));
      await store.recognised.set(SHA256[0], PAGES);
      await store.generated.set(SHA256[0], RESULT);
    }
    equal(await open().exists(), true);
    ok(await store.bytes() > 0);
    {
      await using _lock = await open().lock();
      await assertUserError(() => store.remove(), "index_busy");
    }
    equal(await store.remove(), true);
    for (let times = 1; times <= 2; times++) {
      deepEqual([await store.open(), await store.version()], [{ state: "missing" }, undefined]);
      equal(await store.vectors.dimensions(MODEL.id), undefined);
      equal(await store.recognised.get(SHA256[0]), undefined);
      equal(await store.generated.get(SHA256[0]), undefined);
      await using _lock = await store.lock();
    }
    deepEqual([await store.exists(), await store.remove()], [true, true]);
  });

  test("a backup is restored, for another folder only for an update", async (store, open) => {
    using index = await write(store, FILES);
    const backup = new Bytes();
    equal(await store.backUp(index, backup), backup.bytes.length);
    using elsewhere = new TempDir();
    const other = open(elsewhere.path);
    for (const to of [store, other]) {
      using opened = await to.openBackup(new Bytes(backup.bytes));
      deepEqual(opened.files, index.files);
      await using _lock = await to.lock();
      await to.restore(opened);
    }
    using restored = await ready(store.open());
    deepEqual(await restored.texts(Int32Array.of(5), 100), ["天气"]);
    equal((await other.open()).state, "moved");
    using forUpdate = await ready(other.open({ forUpdate: true }));
    equal(forUpdate.meta.root, store.root);
  });

  test("a backup that is cut off, and a file that is not a backup, are damaged", async (store) => {
    using index = await write(store, FILES);
    const backup = new Bytes();
    await store.backUp(index, backup);
    const { bytes } = backup;
    for (const length of [0, 100, bytes.length - 1]) {
      await rejects(store.openBackup(new Bytes(bytes.subarray(0, length))), DamagedIndexError);
    }
    await rejects(store.openBackup(new Bytes(new TextEncoder().encode("hello"))), DamagedIndexError);
  });

  test("vectors are found by content hash, also while more of them are written", async (store, open) => {
    await using _lock = await store.lock();
    equal(await store.vectors.dimensions(MODEL.id), undefined);
    using vectors = open().vectors.read(MODEL);
    deepEqual([await vectors.refresh(), vectors.size], [true, 0]);
    deepEqual([...await vectors.rowsOf([hashOf(0)])], [-1]);
    {
      await using writer = await store.vectors.write(MODEL);
      deepEqual([writer.dimensions, writer.size], [4, 0]);
      await Promise.all([writer.append(entries(0, 300)), writer.append(entries(300, 5000))]);
      await writer.flush();
      equal(writer.size, 5000);
    }
    equal(vectors.size, 0);
    deepEqual([await vectors.refresh(), vectors.size], [true, 5000]);
    equal(await open().vectors.dimensions(MODEL.id), 4);
    const cosines = await vectors.cosines(vectorOf(4999));
    equal(cosines.length, 5000);
    const [same, other, none] = await vectors.rowsOf([hashOf(4999), hashOf(4998), hashOf(5000)]);
    near([cosines[same!]!, cosines[other!]!, none!], [1, 0.217, -1], 0.02);
    using ofOther = store.vectors.read({ ...MODEL, id: "local:en:other" });
    await ofOther.refresh();
    equal(ofOther.size, 0);
  });

  test("vectors that are kept again have the same numbers", async (store) => {
    await using _lock = await store.lock();
    const copy = { ...MODEL, id: "local:en:copy" };
    {
      await using writer = await store.vectors.write(MODEL);
      await writer.append(entries(0, 5000));
    }
    using vectors = store.vectors.read(MODEL);
    await vectors.refresh();
    const hashes = Array.from({ length: 5000 }, (_, i) => hashOf(i));
    const moved = await vectors.vectors(await vectors.rowsOf(hashes));
    {
      await using writer = await store.vectors.write(copy);
      await writer.append(hashes.map((hash, i) => ({ hash, vector: moved[i]! })));
    }
    using again = store.vectors.read(copy);
    await again.refresh();
    deepEqual(await again.cosines(vectorOf(7)), await vectors.cosines(vectorOf(7)));
    deepEqual(await again.vectors(await again.rowsOf(hashes)), moved);
  });

  test("a vector is kept once, and a new writer knows it", async (store, open) => {
    await using _lock = await store.lock();
    {
      await using writer = await store.vectors.write(MODEL);
      await writer.append(entries(0, 3));
    }
    await using writer = await open().vectors.write(MODEL);
    deepEqual(await writer.has([0, 1, 2, 3].map(hashOf)), [true, true, true, false]);
    equal(await writer.hasChanged(), false);
    await writer.append(entries(2, 4));
    using vectors = store.vectors.read(MODEL);
    await vectors.refresh();
    equal(vectors.size, 4);
  });

  test("compact() keeps the vectors that are still needed, and open readers notice", async (store) => {
    await using _lock = await store.lock();
    await using writer = await store.vectors.write(MODEL);
    await writer.append(entries(0, 600));
    using vectors = store.vectors.read(MODEL);
    await vectors.refresh();
    await writer.compact((hash) => hash[0]! % 2 === 0);
    deepEqual([await vectors.refresh(), vectors.size, writer.size], [false, 300, 300]);
    await writer.append(entries(600, 601));
    deepEqual([await vectors.refresh(), vectors.size], [true, 301]);
  });

  test("a fresh set of vectors takes the place of the old one when it is finished", async (store) => {
    await using _lock = await store.lock();
    const sizes = async () => {
      using vectors = store.vectors.read(MODEL);
      await vectors.refresh();
      return vectors.size;
    };
    {
      await using writer = await store.vectors.write(MODEL);
      await writer.append(entries(0, 5));
    }
    for (const [count, isFinished, expected] of [[3, false, 5], [0, true, 5], [3, true, 3]] as const) {
      await using writer = await store.vectors.write(MODEL, { fresh: true });
      equal(writer.size, 0);
      if (count > 0) await writer.append(entries(0, count));
      equal(await sizes(), 5);
      if (isFinished) await writer.finish();
      equal(await sizes(), expected);
    }
  });

  test("the vectors of other models in this program are removed, those of servers stay", async (store) => {
    await using _lock = await store.lock();
    const models = ["local:en:test", "local:zh:old", "openai-compatible/test"];
    for (const id of models) {
      await using writer = await store.vectors.write({ ...MODEL, id });
      await writer.append(entries(0, 1));
    }
    await store.vectors.keepOnly(["local:en:test"]);
    const kept = await Promise.all(models.map((id) => store.vectors.dimensions(id)));
    deepEqual(kept, [4, undefined, 4]);
  });

  test("recognised texts are kept by the content of their document", async (store, open) => {
    await store.recognised.set(SHA256[0], PAGES);
    equal(
      await store.recognised.get(SHA256[0]),
      undefined,
      "a text alone does not begin a collection",
    );
    await using _lock = await store.lock();
    for (const pages of [{ ...PAGES, texts: new Map([[1, "tea"]]), isComplete: false }, PAGES]) {
      await store.recognised.set(SHA256[0], pages);
      deepEqual(await open().recognised.get(SHA256[0]), pages);
    }
    equal(await store.recognised.get(SHA256[1]), undefined);
    await store.recognised.set(SHA256[1], PAGES);
    await store.recognised.keepOnly(new Set([SHA256[1]]));
    const kept = await Promise.all(SHA256.map((sha256) => open().recognised.get(sha256)));
    deepEqual(kept, [undefined, PAGES]);
  });

  test("the text of a picture is kept until the last document with it is gone", async (store) => {
    await using _lock = await store.lock();
    const [shared, gone] = ["c".repeat(64), "d".repeat(64)];
    const pictures = (...all: string[]) => new Map(all.map((sha256, i) => [i + 1, { sha256, text: "tea" }]));
    await store.recognised.set(SHA256[0], { ...PAGES, pictures: pictures(shared, gone), left: 3 });
    await store.recognised.set(SHA256[1], { ...PAGES, pictures: pictures(shared) });
    for (const sha256 of [shared, gone]) await store.recognised.set(pictureKey(sha256), PAGES);
    await store.recognised.keepOnly(new Set([SHA256[1]]));
    const kept = await Promise.all([shared, gone].map((sha256) => store.recognised.get(pictureKey(sha256))));
    deepEqual(kept, [PAGES, undefined]);
    deepEqual((await store.recognised.get(SHA256[1]))?.pictures, pictures(shared));
  });

  test("results of language models are kept by their keys", async (store, open) => {
    await store.generated.set(SHA256[0], RESULT);
    equal(
      await store.generated.get(SHA256[0]),
      undefined,
      "a result alone does not begin a collection",
    );
    await using _lock = await store.lock();
    for (const result of [{ title: "old" }, RESULT]) {
      await store.generated.set(SHA256[0], result);
      deepEqual(await open().generated.get(SHA256[0]), result);
      deepEqual(await store.generated.get(SHA256[0]), result);
    }
    equal(await store.generated.get(SHA256[1]), undefined);
    await Promise.all([store, open()].map((each) => each.generated.set(SHA256[1], [each === store])));
    deepEqual(await store.generated.verify(), { results: 2, damaged: 0 });
    deepEqual((await open().generated.keys()).toSorted(), [...SHA256].sort());
    const [first, second] = SHA256, other = "c".repeat(64);
    const kept = async (day: number, used: readonly string[]) => {
      await store.generated.prune(new Set(used), new Date(Date.UTC(2026, 0, day)));
      return await Promise.all(SHA256.map(async (key) => await open().generated.get(key) !== undefined));
    };
    deepEqual(await kept(1, [first, other]), [true, true]);
    deepEqual(await kept(89, [first]), [true, true]);
    deepEqual(
      await kept(90, [second]),
      [true, true],
      "a result that is used again is kept as long as a new one",
    );
    deepEqual(await kept(91, [first]), [true, true]);
    deepEqual(await kept(90 + 91, [first]), [true, false]);
    deepEqual(await open().generated.get(first), RESULT);
    await store.generated.set(SHA256[1], "x".repeat(300_000));
    equal(await store.generated.get(SHA256[1]), undefined, "a result that is too large is not kept");
  });

  test(
    "runs of evaluations are kept in the order of their names, up to a number and a size",
    async (store, open) => {
      equal(
        await store.evaluations.set("2026-01-01", "{}"),
        false,
        "a run alone does not begin a collection",
      );
      await using _lock = await store.lock();
      deepEqual(await store.evaluations.names(), []);
      for (const name of ["2026-01-02", "2026-01-01"]) {
        equal(
          await store.evaluations.set(name, `"${name}"`),
          true,
        );
      }
      equal(await store.evaluations.set("2026-01-02", "new"), true);
      deepEqual(await open().evaluations.names(), ["2026-01-01", "2026-01-02"]);
      equal(await open().evaluations.get("2026-01-02"), "new");
      equal(await store.evaluations.get("2026-01-03"), undefined);
      equal(await store.evaluations.set("2026-01-04", "x".repeat(RUN_LIMITS.bytes + 1)), false);
      for (let i = 0; i < RUN_LIMITS.runs; i++) {
        await store.evaluations.set(`2026-02-01-${String(i).padStart(3, "0")}`, "{}");
      }
      const names = await store.evaluations.names();
      deepEqual([names.length, names[0]], [RUN_LIMITS.runs, "2026-02-01-000"]);
    },
  );

  test(
    "the list of files that were taken out of the index is kept, and gets and loses paths",
    async (store, open) => {
      const list = new Set(["notes/\u202etxt.md", 'a "b"\n<script>.md']);
      equal(await store.removed.add(list), 0);
      deepEqual(await store.removed.paths(), new Set(), "a list alone does not begin a collection");
      await using _lock = await store.lock();
      equal(await store.removed.add(list), 2);
      deepEqual(await open().removed.paths(), list);
      equal(await open().removed.add(new Set([...list, "b.md"])), 1);
      equal(await store.removed.delete(new Set([...list, "c.md"])), 2);
      deepEqual(await open().removed.paths(), new Set(["b.md"]));
      await open().removed.delete(new Set(["b.md"]));
      deepEqual(await store.removed.paths(), new Set());
    },
  );

  test(
    "files that are taken out and given back at once are all on the list, or off it",
    async (store, open) => {
      await using _lock = await store.lock();
      const names = Array.from({ length: 10 }, (_, i) => `${i}.md`);
      await store.removed.add(new Set(["old.md"]));
      await Promise.all([
        ...names.map((name) => open().removed.add(new Set([name]))),
        open().removed.delete(new Set(["old.md"])),
      ]);
      deepEqual([...await open().removed.paths()].sort(), names);
    },
  );
}

function near(actual: readonly number[], expected: readonly number[], tolerance = 1e-9): void {
  equal(actual.length, expected.length);
  actual.forEach((value, i) => ok(Math.abs(value - expected[i]!) <= tolerance, `${actual} for ${expected}`));
}
