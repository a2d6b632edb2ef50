/**
 * The same files as one index and as parts of one, in random splits: some parts have files that are gone or were replaced later, or records
 * that have changed since. Everything that can be asked has the same answer.
 */
import { deepEqual, equal, rejects } from "node:assert/strict";
import {
  BlobIndex,
  type ChunkTest,
  DamagedIndexError,
  type Expression,
  type FileRecord,
  IndexReader,
  IndexWriter,
  MemoryFile,
  type OpenIndex,
} from "#engine/index/mod.ts";
import { JoinedIndex, limited, type PartChanges, PartWriter } from "#engine/joined/mod.ts";
import { BUILTIN_ID, encodeWords } from "#models/embedding/mod.ts";
import { ASKS } from "../../library/store/_asks.ts";
import { assertNear } from "../../library/store/_near.ts";
import { KEY, sectionOf } from "../index/_blob_forge.ts";
import { bytesOf, chunk, fileOf, META, random } from "../index/_build.ts";
import { documents, queries } from "../index/_fixture.ts";
import { meaning } from "../rank/_collection.ts";

const { table, analyzer, tokenizer } = meaning;
const VECTORS = { model: BUILTIN_ID, dimensions: table.dimensions };

/** A file of a test: its record and its texts. */
interface Doc {
  readonly record: FileRecord;
  readonly texts: readonly string[];
}

/** A part as it was written, with the changes since. */
interface WrittenPart {
  readonly docs: readonly Doc[];
  readonly changes: PartChanges;
}

function recordOf(path: string, tag: string): FileRecord {
  const metadata = { tags: [tag], extra: { name: path.split("/").at(-1)! } };
  return { path, size: 1, mtimeMs: 1, sha256: "ab", status: "indexed", metadata };
}

function unexamined(path: string): FileRecord {
  return { path, size: 0, mtimeMs: 0, sha256: "", status: "failed", reason: "no_permission" };
}

/** In the order of the walk: those that could not be examined last. */
function inOrder(docs: readonly Doc[]): Doc[] {
  const key = ({ record }: Doc) => `${record.status === "failed" ? 1 : 0}${record.path}`;
  return docs.toSorted((a, b) => key(a) < key(b) ? -1 : 1);
}

function add(writer: IndexWriter, { record, texts }: Doc): void {
  if (texts.length === 0) return writer.addEmpty(record);
  writer.beginFile();
  let start = 0;
  for (const [i, text] of texts.entries()) {
    const number = writer.chunkCount;
    const section = i % 2 === 1 ? ["Part 1", "检索"] : [];
    writer.addChunk(chunk(text, { start, section, context: section.join("\n") }));
    start += text.length + 1;
    const { vector, words } = analyzer.analyze(text);
    writer.setVector(number, vector, encodeWords(words, table.englishCount));
  }
  writer.endFile(record);
}

async function indexOf(docs: readonly Doc[]): Promise<BlobIndex> {
  const file = new MemoryFile(), writer = new IndexWriter(file, KEY, [], VECTORS);
  for (const doc of docs) add(writer, doc);
  await writer.finish(META);
  return new BlobIndex(IndexReader.open(file, { key: KEY }));
}

async function joined(parts: readonly WrittenPart[]): Promise<JoinedIndex<BlobIndex>> {
  return new JoinedIndex(
    await Promise.all(parts.map(async ({ docs, changes }) => ({ index: await indexOf(docs), changes }))),
  );
}

/** Files, and a random split of them with dead files and changed records. */
function randomSplit(next: () => number): { docs: Doc[]; parts: WrittenPart[] } {
  const some = (most: number) => Math.floor(next() * most);
  const texts = documents();
  const first = some(200);
  let docs: Doc[] = Array.from({ length: 4 + some(24) }, (_, i) => ({
    record: recordOf(
      `${i % 2 === 0 ? "docs" : "notes"}/${String(i).padStart(2, "0")}.md`,
      i % 3 === 0 ? "docs" : "new",
    ),
    texts: next() < 0.1 ? [] : texts.slice(first + 3 * i, first + 3 * i + 1 + some(3)),
  }));
  docs = inOrder([...docs, ...(next() < 0.3 ? [{ record: unexamined("docs/03 a.md"), texts: [] }] : [])]);
  const count = 1 + some(6);
  const partOf = docs.map(() => some(count));
  const parts = Array.from({ length: count }, (_, part): WrittenPart => {
    const live = docs.filter((_, i) => partOf[i] === part);
    // gone, or replaced by the same path in another part
    const gone = Array.from({ length: some(4) }, (): Doc => ({
      record: recordOf(next() < 0.5 ? docs[some(docs.length)]!.record.path : `gone/${some(1000)}`, "docs"),
      texts: texts.slice(first, first + 1 + some(4)),
    })).filter(({ record }, i, all) =>
      live.every((doc) => doc.record.path !== record.path) &&
      all.findIndex((other) => other.record.path === record.path) === i
    );
    const all = inOrder([...live, ...gone]);
    const records = all.flatMap((doc, number): [number, Doc][] =>
      live.includes(doc) && doc.texts.length > 0 && next() < 0.2 ? [[number, doc]] : []
    );
    const changed = new Map(records);
    return {
      docs: all.map((doc, i) => changed.has(i) ? { ...doc, record: recordOf(doc.record.path, "old") } : doc),
      changes: {
        dead: all.flatMap((doc, i) => gone.includes(doc) ? [i] : []),
        records: records.map(([number, { record }]) => [number, record]),
      },
    };
  });
  return { docs, parts };
}

/** The terms that a chunk has. */
async function held(index: OpenIndex, terms: Iterable<string>): Promise<string[]> {
  const all = [...new Set(terms)].sort();
  const frequencies = await index.documentFrequencies(all);
  return all.filter((_, i) => frequencies[i]! > 0);
}

/** Random searches: terms, groups and vectors under filters. */
function randomAsks(next: () => number): ((index: OpenIndex) => Promise<unknown>)[] {
  const any = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)]!;
  const words = queries().flatMap((query) => query.split(" "));
  const some = () => next() < 0.8 ? [] : [any(words)];
  // by the path, since file numbers are those of the index that is asked
  const marksOf = (seed: number) => ({ files }: OpenIndex) =>
    Uint8Array.from(files, ({ path }) => (path.charCodeAt(path.length - 4) + seed) % 3 === 0 ? 0 : 1);
  const expression = (depth: number): (index: OpenIndex) => Expression<ChunkTest> => {
    const word = {
      kind: "words",
      words: any(words),
      form: any(["stem", "exact"] as const),
      typed: "",
    } as const;
    const other = { ...word, words: any(words) };
    const prefix = { ...word, words: any(["en", "re", "se"]), form: "prefix" } as const;
    const near = { kind: "near", distance: any([0, 2, 9]), parts: [word, other] } as const;
    const files = marksOf(any([0, 1, 2]));
    const simple = [
      () => word,
      () => prefix,
      () => near,
      (index: OpenIndex) => ({ kind: "test", test: { files: files(index) }, typed: "" }) as const,
    ];
    if (depth === 0) return any(simple);
    const parts = [expression(depth - 1), expression(depth - 1)];
    const kind = any(["and", "or"] as const), isNot = next() < 0.3;
    return (index) => {
      const whole = { kind, parts: parts.map((part) => part(index)) };
      return isNot ? { kind: "not", part: whole } : whole;
    };
  };
  return Array.from({ length: 16 }, () => {
    const query = any(queries());
    const terms = tokenizer.queryTerms(query).map(({ term, weight }) => ({
      term,
      weight: weight * (1 + next()),
    }));
    const averageTokens = 10 + 50 * next();
    const groups = terms.map(({ term, weight }) => ({
      group: { members: [{ terms: [term], score: 0.7 }] },
      weight,
    }));
    const files = next() < 0.5 ? marksOf(any([0, 1, 2])) : undefined;
    const tree = next() < 0.5 ? expression(2) : undefined;
    const rest = { phrases: some(), excluded: some(), excludedPhrases: some() };
    const languages = next() < 0.3 ? new Set([any([0, 1, 2])]) : undefined;
    const except = next() < 0.5 ? any(["docs/00.md", "notes/01.md", "docs/02.md"]) : "";
    const limit = any([1, 4, 20, 200]), length = any([1, 2, 4]), prefix = any(["en", "se", "r"]);
    return async (index) => {
      const filter = {
        ...rest,
        ...(languages && { languages }),
        ...(files && { files: files(index) }),
        ...(tree && { expression: tree(index) }),
      };
      const exceptFiles = new Set(
        [...index.files.keys()].filter((file) => index.files[file]!.path === except),
      );
      const wanted = { limit, filter, exceptFiles };
      return {
        terms: await index.byTerms({ terms, averageTokens }, wanted),
        groups: await index.byGroups({ groups, language: 2, averageTokens }, wanted),
        vector: await index.byVector({ vector: analyzer.analyze(query).vector, model: BUILTIN_ID }, wanted),
        passes: await index.passesAny(filter),
        frequencies: Array.from(await index.documentFrequencies(terms.map(({ term }) => term))),
        ofLength: await held(index, await index.termsOfLength(length, length)),
        withPrefix: await held(index, await index.termsWithPrefix(prefix)),
      };
    };
  });
}

/** Asserts that two indexes give the same answer to everything. Closes the first. */
async function assertSame(
  actual: OpenIndex,
  expected: OpenIndex,
  asks: readonly ((index: OpenIndex) => Promise<unknown>)[],
  about: string,
): Promise<void> {
  using index = actual;
  for (const [name, ask] of Object.entries(ASKS)) {
    assertNear(await ask(index), await ask(expected), `${about}: ${name}`);
  }
  for (const [i, ask] of asks.entries()) {
    assertNear(await ask(index), await ask(expected), `${about}: ask ${i}`);
  }
}

Deno.test("an index in up to six parts, some of their files dead or under other records, answers as one", async () => {
  for (let seed = 0; seed < 12; seed++) {
    const next = random(seed);
    const { docs, parts } = randomSplit(next);
    const asks = randomAsks(next);
    using whole = await indexOf(docs);
    await assertSame(await joined(parts), whole, asks, `seed ${seed}`);
    const shows = (files: readonly FileRecord[]) =>
      Uint8Array.from(files, ({ path }) => path.charCodeAt(path.length - 4) % 2);
    const shown = docs.filter((_, i) => shows(docs.map(({ record }) => record))[i] === 1);
    using some = await indexOf(shown);
    if (shown.length > 2) {
      await assertSame(limited(await joined(parts), shows), some, asks, `seed ${seed}, limited`);
    }
  }
});

Deno.test("parts that are merged answer as one index, and so do parts to which the changes were added", async () => {
  for (let seed = 100; seed < 110; seed++) {
    const next = random(seed);
    const { docs, parts } = randomSplit(next);
    const asks = randomAsks(next);
    using whole = await indexOf(docs);
    const from = Math.floor(next() * (parts.length + 1));
    using previous = await joined(parts);
    const file = new MemoryFile();
    const writer = new PartWriter(file, KEY, previous, { from, vectors: VECTORS });
    const isNew = docs.map(() => next() < 0.2);
    for (const [i, doc] of docs.entries()) {
      const number = previous.files.findIndex(({ path }) => path === doc.record.path);
      if (isNew[i]) add(writer, doc);
      else writer.keep(undefined, number);
    }
    const changes = writer.changes();
    await writer.finish(META);
    equal(changes.length, from);
    const staying = previous.parts.slice(0, from).map((index, i) => ({
      index,
      changes: changes[i],
    }));
    const added = { index: new BlobIndex(IndexReader.open(file, { key: KEY })) };
    await assertSame(new JoinedIndex([...staying, added]), whole, asks, `seed ${seed}, from part ${from}`);
  }
});

Deno.test("damage that is found while the terms of a part are read is reported with the number of the part", async () => {
  const docs = [{ record: recordOf("a.md", "new"), texts: documents().slice(0, 9) }];
  const file = new MemoryFile(), writer = new IndexWriter(file, KEY, [], VECTORS);
  for (const doc of docs) add(writer, doc);
  await writer.finish(META);
  const bytes = bytesOf(file);
  sectionOf(bytes, "term.bytes")[0]! ^= 1;
  const damaged = new BlobIndex(IndexReader.open(fileOf(bytes), { key: KEY }));
  const failed: number[] = [];
  using index = new JoinedIndex([{ index: await indexOf(docs) }, { index: damaged }], {
    failed: (part) => failed.push(part),
  });
  await rejects(async () => [...await index.termsOfLength(1, 9)], DamagedIndexError);
  deepEqual(failed, [1]);
});
