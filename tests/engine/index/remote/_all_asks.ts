import { type Expression, LANGUAGE_CODES, type OpenIndex, type WordCondition } from "#engine/index/mod.ts";
import { type ChunkFilter, type ChunkTest, IndexWriter, MemoryFile } from "#engine/index/mod.ts";
import { metadataMask } from "#engine/query/mod.ts";
import { KEY } from "../_blob_forge.ts";
import { bytesOf, chunk, META, opened, random, recordOf } from "../_build.ts";
import { documents } from "../_fixture.ts";

const DIMENSIONS = 20;

/** Bytes of an index that has every section: headings, pages, metadata, vectors, words, generated texts. */
export async function everything(): Promise<Uint8Array<ArrayBuffer>> {
  const next = random(11), texts = documents(), plain = new MemoryFile();
  const meta = { model: "test", dimensions: DIMENSIONS };
  const writer = new IndexWriter(plain, KEY, [], meta);
  for (let file = 0; texts.length > 0; file++) {
    writer.beginFile();
    let start = 0, line = 1;
    for (const text of texts.splice(0, 1 + Math.floor(7 * next()))) {
      const added = chunk(text, {
        start,
        startLine: line,
        endLine: line,
        section: next() < .3 ? [] : [`Part ${Math.floor(3 * next())}`, `index ${line % 4}`],
        context: `Part\nindex`,
        ...(next() < .5 && { page: line, pages: [{ number: line, at: 0 }, { number: line + 1, at: 2 }] }),
      });
      const number = writer.chunkCount;
      writer.addChunk(added);
      const words = Uint8Array.from({ length: Math.floor(9 * next()) }, () => 256 * next());
      writer.setVector(number, vectorOf(next), words);
      start = added.end + 1;
      line++;
    }
    writer.endFile({
      ...recordOf(`folder/${String(file).padStart(3, "0")}.md`),
      title: `Running file ${file}`,
      metadata: { tags: [`t${file % 5}`, "docs"], extra: { number: file, name: `n${file % 7}` } },
    });
  }
  await writer.finish(META);
  using reader = opened(bytesOf(plain));
  const whole = new MemoryFile();
  const again = new IndexWriter(whole, KEY, [reader], meta);
  for (const file of reader.files.keys()) {
    again.keep(
      undefined,
      file,
      (chunk) => chunk % 2 === 0 ? { title: `server ${file}`, tags: ["检索"], model: "m" } : undefined,
    );
  }
  await again.finish(META);
  return bytesOf(whole);
}

function vectorOf(next: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => next() - .5);
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

const TERMS = [
  "the",
  "index",
  "的",
  "检",
  "检索",
  "run",
  "server",
  "zyzzyva",
  "page",
  "数据",
  "\u0001server",
  "c++",
  "oslo",
];
const WORDS = [
  "index file",
  "检索",
  "数据库",
  "the",
  "server",
  "running",
  "search",
  "配置 学习",
  "Part 1",
  "folder server",
];

/** A question to an index whose answer is compared. */
export type Ask = readonly [name: string, ask: (index: OpenIndex) => unknown];

/** Returns a random question of every kind, in any order. */
export function asks(next: () => number, { files, statistics }: OpenIndex): Ask[] {
  const size = statistics.chunks;
  const pick = <T>(all: readonly T[]): T => all[Math.floor(all.length * next())]!;
  const some = <T>(all: readonly T[]): T[] => all.filter(() => next() < .4);
  const chunks = Int32Array.from(some(Array.from({ length: size }, (_, i) => i)));
  const few = Int32Array.from(chunks.filter(() => next() < .1));
  const averageTokens = 20 + 10 * next();
  const terms = { terms: some(TERMS).map((term) => ({ term, weight: .5 + next() })), averageTokens };
  const language = pick(Object.values(LANGUAGE_CODES));
  const group = () => ({
    members: some(TERMS).map((term) => ({
      terms: next() < .5 ? [term] : [term, pick(TERMS)],
      score: next(),
    })),
  });
  const groups = [group(), group()];
  const groupQuery = { groups: groups.map((group) => ({ group, weight: 1 })), language, averageTokens };
  const vector = { vector: vectorOf(next), model: next() < .8 ? "test" : undefined };
  const words = (): WordCondition => ({
    kind: "words",
    words: pick(WORDS),
    form: pick(["stem", "exact", "prefix"]),
    typed: "typed",
    ...(next() < .3 && { within: pick(["title", "heading"]) }),
  });
  const bare = () => {
    const { within: _, ...condition } = words();
    return condition;
  };
  const expression = (depth: number): Expression<ChunkTest> => {
    const kind = pick(
      depth === 0 ? ["words", "words", "test"] as const : ["and", "or", "not", "near", "words"] as const,
    );
    if (kind === "words") return words();
    if (kind === "test") return { kind, test: { files: marks() }, typed: "typed" };
    if (kind === "near") return { kind, distance: 5, parts: [bare(), bare()] };
    if (kind === "not") return { kind, part: expression(depth - 1) };
    return { kind, parts: [expression(depth - 1), expression(depth - 1)] };
  };
  const marks = () => Uint8Array.from(files, () => next() < .7 ? 1 : 0);
  const filter = (): ChunkFilter => ({
    ...(next() < .5 && { files: marks() }),
    ...(next() < .3 && { languages: new Set([1, 2, language]) }),
    phrases: next() < .3 ? [pick(WORDS)] : [],
    excluded: next() < .3 ? [pick(WORDS)] : [],
    excludedPhrases: next() < .2 ? [pick(WORDS)] : [],
    ...(next() < .4 && { expression: expression(2) }),
  });
  const wanted = () => ({
    limit: 1 + Math.floor(20 * next()),
    ...(next() < .6 && { filter: filter() }),
    ...(next() < .3 && { exceptFiles: new Set([0, 3]) }),
  });
  const [a, b, c, d] = [wanted(), wanted(), wanted(), wanted()];
  const own = filter(), prefix = pick(["ind", "r", "检", "co", "zz"]), names = some(TERMS);
  const scores = Float64Array.from({ length: size }, () => Math.max(0, next() - .3));
  const all: Ask[] = [
    ["documentFrequencies", async (index) => [...Array.from(await index.documentFrequencies(names))]],
    ["termsOfLength", async (index) => [...await index.termsOfLength(3, 6)]],
    ["termsWithPrefix", async (index) => [...await index.termsWithPrefix(prefix)]],
    ["groupFrequencies", async (index) => [...Array.from(await index.groupFrequencies(groups, language))]],
    ["byTerms", (index) => index.byTerms(terms, a)],
    ["byGroups", (index) => index.byGroups(groupQuery, b)],
    ["byVector", (index) => index.byVector(vector, c)],
    ["byScores", (index) => index.byScores(scores, d)],
    ["passesAny", (index) => index.passesAny(own)],
    ["scoreTerms", (index) => index.scoreTerms(terms, chunks)],
    ["scoreGroups", (index) => index.scoreGroups(groupQuery, chunks)],
    ["cosines", (index) => index.cosines(vector, few)],
    ["chunks", (index) => index.chunks(chunks)],
    ["texts", (index) => index.texts(few, next() < 0 ? 0 : 40)],
    ["whole texts", (index) => index.texts(chunks, Infinity)],
    ["words", (index) => index.words(chunks)],
    ["generated", (index) => index.generated(chunks)],
    ["identities", (index) => index.identities(few)],
    ["contentHashes", (index) => index.contentHashes(chunks)],
    ["languages", (index) => index.languages(chunks)],
    [
      "fileMarks",
      (index) => index.fileMarks((tables) => metadataMask(tables, [{ key: "tags", any: ["t1", "t3"] }])),
    ],
    ["statistics", ({ statistics: { chunks, terms, tokens, languages, textBytes } }) => ({
      chunks,
      terms,
      tokens,
      languages,
      textBytes,
    })],
    ["files", ({ files, meta, vectors, hasGenerated }) => ({ files, meta, vectors, hasGenerated })],
  ];
  return all.map((ask) => [next(), ask] as const).sort(([a], [b]) => a - b).map(([, ask]) => ask);
}
