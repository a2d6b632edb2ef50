import { deepEqual } from "node:assert/strict";
import { SectionPaths, SectionPathsBuilder } from "#engine/index/chunk_table.ts";

Deno.test("each section path is stored once, and the empty path is first", () => {
  const builder = new SectionPathsBuilder();
  const paths = [[], ["A"], ["A", "乙"], ["A"], [], ["A 乙"], ["A", ""]];
  const ids = paths.map((path) => builder.add(path));
  deepEqual(ids, [0, 1, 2, 1, 0, 3, 4]);
  const { bytes, offsets } = builder.finish();
  const stored = new SectionPaths(bytes, offsets);
  deepEqual([0, 1, 2, 3, 4].map((id) => stored.get(id)), [[], ["A"], ["A", "乙"], ["A 乙"], ["A", ""]]);
});
