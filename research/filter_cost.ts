// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * The cost of a filter by metadata: `deno run -A research/filter_cost.ts [files] [chunks of a file]`. For each condition, milliseconds of the
 * first filter on the field in an index that was just opened, and of later ones, the least of ten: the mask of the files and that of the
 * chunks. Before, the bytes of the index with and without metadata, and the time of writing it.
 */
import { filterCosts } from "../scripts/bench/filters.ts";

const [count = 100_000, each = 1] = Deno.args.map(Number);
for (const { condition, first, later } of await filterCosts(count, each, console.log)) {
  console.log(`${JSON.stringify(condition)}: first ${first.toFixed(2)}, later ${later.toFixed(2)} ms`);
}
