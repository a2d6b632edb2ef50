import { deepEqual, rejects } from "node:assert/strict";
import { ServedFolder } from "#library/search/served_folders.ts";
import type { OpenIndex } from "#library/store/mod.ts";
import { DamagedIndexError } from "#engine/index/mod.ts";
import { Place, storeAt, WALK } from "../ingest/_place.ts";

Deno.test("an index that could not be read for a while is opened again, though no other is in its place", async () => {
  using place = await Place.indexed({ "a.txt": "apple" });
  let now = 0;
  const folder = new ServedFolder(storeAt(place.root), WALK, undefined, undefined, () => now);
  const isReadyAt = async (time: number) => {
    now = time;
    await folder.refresh();
    using lease = folder.lease();
    return lease !== undefined;
  };
  deepEqual(await isReadyAt(0), true);
  using lease = folder.lease();
  folder.giveUp(lease!.index, "Input/output error (os error 5)");
  deepEqual(
    [await isReadyAt(9_999), folder.problem, folder.isDamaged],
    [false, "Input/output error (os error 5)", true],
  );
  deepEqual([await isReadyAt(10_000), folder.problem, folder.isDamaged], [true, undefined, false]);
  folder.close();
});

Deno.test("an index that is replaced stays open until the searches that lease it have ended", async () => {
  using place = await Place.indexed({ "a.txt": "apple" });
  const folder = new ServedFolder(storeAt(place.root), WALK);
  await folder.refresh();
  const [one, other] = [folder.lease()!, folder.lease()!];
  place.write({ "a.txt": "another apple" });
  await place.ingest();
  await folder.refresh();
  using after = folder.lease()!;
  const textOf = async ({ index }: { readonly index: OpenIndex }) =>
    (await index.texts(Int32Array.of(0), 100)).join();
  deepEqual([await textOf(one), await textOf(after)], ["apple", "another apple"]);
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  deepEqual(await textOf(other), "apple");
  other[Symbol.dispose]();
  await rejects(textOf(other), DamagedIndexError);
  folder.close();
});

Deno.test("where access is limited, a file that changes is listed no longer than the look through the folder takes", async () => {
  using place = await Place.indexed({ "a.txt": "apple", "b.txt": "pear" });
  let now = 0;
  const all = (files: readonly unknown[]) => new Uint8Array(files.length).fill(1);
  // Each look at the clock takes a second, and so the folder takes some.
  const folder = new ServedFolder(storeAt(place.root), WALK, undefined, all, () => now += 1000);
  await folder.refresh();
  using lease = folder.lease()!;
  deepEqual([...await folder.hiddenFiles(lease.index)], []);
  const took = now;
  place.write({ "a.txt": "another apple" });
  now += took;
  deepEqual([...await folder.hiddenFiles(lease.index)], ["a.txt"]);
  folder.close();
});
