// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Measures filters by metadata in an index that was just opened, and prints JSON: the greatest of the milliseconds that the first filter on
 * a field takes, and of those of later ones. Arguments: number of files, and chunks of each.
 */
import { BlobIndex, type FileRecord, IndexReader, IndexWriter } from "#engine/index/mod.ts";
import { filterFor, type MetadataCondition } from "#engine/query/mod.ts";

const KEY = new Uint8Array(32);
const LATER = 10;
/** Milliseconds after the opening, for the memory that it has used to be freed. */
const IDLE_MS = 1000;

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

/** The costs of one condition in milliseconds. */
export interface FilterCost {
  readonly condition: MetadataCondition;
  readonly first: number;
  /** The least of ten later ones. */
  readonly later: number;
}

/** Measures the masks of files and chunks for different conditions in an index of `count` files with `each` chunks. */
export async function filterCosts(
  count: number,
  each: number,
  report: (text: string) => void = () => {},
): Promise<FilterCost[]> {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/index.bin`;
    for (const isDescribed of [false, true]) {
      const ms = await write(path, count, each, isDescribed);
      const { size } = await Deno.stat(path);
      report(`${isDescribed ? "with" : "without"} metadata: ${size} bytes, ${ms.toFixed()} ms to finish`);
    }
    const began = performance.now();
    using index = new BlobIndex(IndexReader.open(await Deno.open(path), { key: KEY }));
    report(`opened in ${(performance.now() - began).toFixed()} ms`);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const costs: FilterCost[] = [];
    for (const condition of CONDITIONS) {
      const first = await cost(index, condition);
      let later = Infinity;
      for (let i = 0; i < LATER; i++) later = Math.min(later, await cost(index, condition));
      costs.push({ condition, first, later });
    }
    return costs;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Writes an index. Returns the milliseconds of all that follows the texts. */
async function write(path: string, count: number, each: number, isDescribed: boolean): Promise<number> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const writer = new IndexWriter(file, KEY);
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

if (import.meta.main) {
  const [count = 100_000, each = 1] = Deno.args.map(Number);
  const costs = await filterCosts(count, each);
  console.log(JSON.stringify({
    first: Math.max(...costs.map(({ first }) => first)),
    later: Math.max(...costs.map(({ later }) => later)),
  }));
}
