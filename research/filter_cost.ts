// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * The cost of a filter by metadata: `deno run -A research/filter_cost.ts [files] [chunks of a file]`. For each condition, milliseconds of the
 * first filter on the field in an index that was just opened, and of later ones, the least of ten: the mask of the files and that of the
 * chunks. Before, the bytes of the index with and without metadata, and the time of writing it.
 */
import { BlobIndex, type FileRecord, IndexReader, IndexWriter } from "#engine/index/mod.ts";
import { filterFor, type MetadataCondition } from "#engine/query/mod.ts";

const [count = 100_000, each = 1] = Deno.args.map(Number);
const key = new Uint8Array(32);

const CONDITIONS: readonly MetadataCondition[] = [
  { key: "tags", any: ["tag 5"] },
  { key: "tags", none: ["group"] },
  { key: "tags", all: ["group/3"], missing: "include" },
  { key: "authors", any: ["author 77", "author 78"] },
  { key: "access_level", any: ["public", "internal"] },
  { key: "created", gte: "2014", lte: "2018-06" },
  { key: "modified", gte: "2021-03-05", lt: "2022-01-01T12:00Z" },
  { key: "meta.number", gte: "50", lt: "5000" },
  { key: "meta.id", any: ["x-77"] },
];

function record(i: number, isDescribed: boolean): FileRecord {
  const file = {
    path: `folder ${i % 97}/file ${i}.md`,
    size: 100,
    mtimeMs: i,
    sha256: "",
    status: "indexed",
  } as const;
  if (!isDescribed) return file;
  return {
    ...file,
    metadata: {
      tags: [`tag ${i % 200}`, `group/${i % 7}`],
      authors: [`Author ${i % 1000}`],
      created: `20${10 + i % 15}-0${1 + i % 9}-1${i % 10}`,
      modified: new Date(Date.UTC(2020, 0, 1) + i * 977_000).toISOString(),
      accessLevel: ["public", "internal", "secret"][i % 3]!,
      extra: { number: i, id: `X-${i}` },
    },
  };
}

/** Writes an index. Returns milliseconds. */
async function write(path: string, isDescribed: boolean): Promise<number> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const writer = new IndexWriter(file, key);
  for (let i = 0; i < count; i++) {
    writer.beginFile();
    for (let k = 0; k < each; k++) {
      const text = `word${(i * each + k) % 5000} ${i} ${k}`;
      const [start, end] = [k * 100, k * 100 + text.length];
      writer.addChunk({ text, context: "", start, end, startLine: k + 1, endLine: k + 1, section: [] });
    }
    writer.endFile(record(i, isDescribed));
  }
  const began = performance.now();
  await writer.finish({ settings: "", program: "", indexedAt: "2026-01-02", root: "" });
  return performance.now() - began;
}

/** Milliseconds of one filter. */
async function cost(index: BlobIndex, condition: MetadataCondition): Promise<number> {
  const none = { path: [], type: [], lang: [] };
  const began = performance.now();
  const filter = filterFor({
    phrases: [],
    excluded: [],
    excludedPhrases: [],
    filters: [{ ...none, not: none, metadata: [condition] }],
  })!;
  await index.passesAny(filter(index)!);
  return performance.now() - began;
}

const folder = await Deno.makeTempDir();
const path = `${folder}/index.bin`;
for (const isDescribed of [false, true]) {
  const ms = await write(path, isDescribed);
  const { size } = await Deno.stat(path);
  console.log(`${isDescribed ? "with" : "without"} metadata: ${size} bytes, ${ms.toFixed()} ms to finish`);
}
// The second opening tells the time of code that has run before.
for (const round of ["first opening", "second opening"]) {
  const began = performance.now();
  using index = new BlobIndex(IndexReader.open(await Deno.open(path), { key }));
  console.log(`${round}: ${(performance.now() - began).toFixed(1)} ms`);
  for (const condition of CONDITIONS) {
    const first = await cost(index, condition);
    let later = Infinity;
    for (let i = 0; i < 10; i++) later = Math.min(later, await cost(index, condition));
    console.log(`${JSON.stringify(condition)}: first ${first.toFixed(2)}, later ${later.toFixed(2)} ms`);
  }
}
if (Deno.env.get("KEEP")) console.log(path);
else await Deno.remove(folder, { recursive: true });
