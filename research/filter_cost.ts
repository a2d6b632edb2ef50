// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * The cost of a filter by metadata: `deno run -A research/filter_cost.ts [files] [chunks of a file]`. For each condition, milliseconds of the
 * first filter on the field, which makes its table, and of later ones, the least of ten: the mask of the files and that of the chunks.
 */
import { type MetadataCondition, metadataMask } from "#engine/query/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";

const [count = 100_000, each = 1] = Deno.args.map(Number);
const json = JSON.stringify(Array.from({ length: count }, (_, i) => ({
  path: `folder ${i % 97}/file ${i}.md`,
  metadata: {
    tags: [`tag ${i % 200}`, `group/${i % 7}`],
    authors: [`Author ${i % 1000}`],
    created: `20${10 + i % 15}-0${1 + i % 9}-1${i % 10}`,
    accessLevel: ["public", "internal", "secret"][i % 3],
    extra: { number: i, id: `X-${i}` },
  },
})));
const fileOf = Uint32Array.from({ length: count * each }, (_, chunk) => Math.floor(chunk / each));

const CONDITIONS: readonly MetadataCondition[] = [
  { key: "tags", any: ["tag 5"] },
  { key: "tags", none: ["group"] },
  { key: "authors", any: ["author 77", "author 78"] },
  { key: "access_level", any: ["public", "internal"] },
  { key: "created", gte: "2014", lte: "2018-06" },
  { key: "meta.number", gte: "50", lt: "5000" },
  { key: "meta.id", any: ["x-77"] },
];

/** Milliseconds of one filter. */
function cost(files: readonly StoredFile[], condition: MetadataCondition): number {
  const began = performance.now();
  const passes = metadataMask(files, [condition]);
  const mask = new Uint8Array(fileOf.length).fill(1);
  for (let chunk = 0; chunk < mask.length; chunk++) mask[chunk]! &= passes[fileOf[chunk]!]!;
  return performance.now() - began;
}

// The second list of files tells the time of code that has run before, in another index.
for (const round of ["first index", "second index"]) {
  const files: readonly StoredFile[] = JSON.parse(json);
  for (const condition of CONDITIONS) {
    const cold = cost(files, condition);
    const warm = Math.min(...Array.from({ length: 10 }, () => cost(files, condition)));
    console.log(
      `${round}: ${JSON.stringify(condition)}: first ${cold.toFixed(2)}, later ${warm.toFixed(2)} ms`,
    );
  }
}
