import { deepEqual } from "node:assert/strict";
import { NewerFilesCheck } from "#library/search/search_notices.ts";
import type { SearchedFolder } from "#library/search/served_folders.ts";
import { Place, WALK } from "../ingest/_place.ts";

/** A folder whose index has no file, for the check. */
function folder(root: string): SearchedFolder {
  return { folder: { root, options: WALK }, index: { files: [] } } as unknown as SearchedFolder;
}

Deno.test("a check of newer files that takes too long says how many it has found so far", async () => {
  using place = new Place();
  place.write(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.md`, "text"])));
  const whole = await new NewerFilesCheck(() => 0).of([folder(place.root)]);
  deepEqual(whole, { count: 20, roots: [place.root], isAll: true });
  let now = 0;
  const { count, isAll } = await new NewerFilesCheck(() => now += 100).of([
    folder(place.root),
  ]);
  deepEqual([count, isAll], [16, false]);
});

Deno.test("the result of a check of newer files is used again for two seconds", async () => {
  using place = new Place();
  place.write({ "a.md": "text" });
  let now = 0;
  const check = new NewerFilesCheck(() => now);
  const one = folder(place.root);
  const countAt = async (time: number) => {
    now = time;
    return (await check.of([one])).count;
  };
  deepEqual(await countAt(0), 1);
  place.write({ "b.md": "text" });
  deepEqual([await countAt(1999), await countAt(2000)], [1, 2]);
});

Deno.test("a folder that is gone has no newer files", async () => {
  const check = new NewerFilesCheck();
  deepEqual(await check.of([folder("/no/such/folder")]), { count: 0, roots: [], isAll: false });
});
