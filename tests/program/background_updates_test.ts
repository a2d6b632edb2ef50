import { deepEqual, equal, match } from "node:assert/strict";
import { ON_WINDOWS } from "../foundation/boundary/helpers.ts";
import { KeptFolder } from "./_kept_folder.ts";
import { storeAt } from "../library/ingest/_place.ts";

const MINUTE = 60_000;
const NOTHING: number[][] = [];

Deno.test("a folder is indexed 300 ms after the start, then watched, and looked at once more", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  deepEqual(await folder.after(299), NOTHING);
  equal(folder.updates.isCurrent(), false);
  deepEqual(await folder.after(1), [[1, 0, 0]]);
  equal(folder.watches.size, 1);
  folder.write("b.md", "banana");
  deepEqual(await folder.after(3000), [[1, 0, 0]]);
  equal(folder.updates.isCurrent(), true);
});

Deno.test("an update follows 300 ms after the last change, and looks at what was reported only", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple", "b.md": "banana" });
  folder.write("a.md", "an apple");
  folder.write("b.md", "a banana");
  await folder.clock.through(() => folder.report("a.md"));
  deepEqual(folder.updates.underWay(), [`${folder.root} (0 %)`]);
  equal(folder.updates.isCurrent(), false);
  deepEqual(await folder.after(200), NOTHING);
  folder.report("a.md");
  deepEqual(await folder.after(299), NOTHING);
  deepEqual(await folder.after(1), [[0, 1, 0]]);
  deepEqual([folder.updates.underWay(), folder.updates.isCurrent()], [[], true]);
});

Deno.test("a reconciliation finds what was not reported", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  folder.write("b.md", "banana");
  deepEqual(await folder.after(20_000), NOTHING);
  deepEqual(await folder.after(10_000), [[1, 0, 0]]);
});

Deno.test("after a flood the whole folder is updated 2 s later, and watched again", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  folder.flood();
  folder.write("b.md", "banana");
  equal(folder.updates.isCurrent(), false);
  deepEqual(await folder.after(2000), [[1, 0, 0]]);
  equal(folder.watches.size, 1);
});

Deno.test("a changed rule applies to the whole folder that it is in", async () => {
  await using folder = await KeptFolder.settled({
    "a.md": "apple",
    "sub/b.md": "banana",
    "sub/c.md": "cherry",
  });
  folder.write("sub/.gitignore", "b.md\n");
  await folder.clock.through(() => folder.report("sub/.gitignore"));
  deepEqual(await folder.after(300), [[0, 0, 1]]);
});

Deno.test("a folder that another process updates is tried again every 2 s, and nothing reported is lost", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  folder.write("b.md", "banana");
  {
    await using _ = await storeAt(folder.root).lock();
    await folder.clock.through(() => folder.report("b.md"));
    deepEqual(await folder.after(5000), NOTHING);
    deepEqual(folder.updates.underWay(), [folder.root]);
    equal(folder.updates.keeps(folder.root), true);
  }
  deepEqual(await folder.after(2000), [[1, 0, 0]]);
  deepEqual(folder.updates.underWay(), []);
});

Deno.test("a folder that cannot be updated is reported once and tried again after a minute", {
  ignore: ON_WINDOWS,
}, async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  Deno.renameSync(folder.at(".muxue_rag"), folder.beside("data"));
  Deno.symlinkSync(folder.beside("data"), folder.at(".muxue_rag"));
  folder.write("b.md", "banana");
  await folder.clock.through(() => folder.report("b.md"));
  deepEqual(await folder.after(50_000), NOTHING);
  deepEqual([folder.updates.keeps(folder.root), folder.updates.underWay()], [false, []]);
  Deno.removeSync(folder.at(".muxue_rag"));
  Deno.renameSync(folder.beside("data"), folder.at(".muxue_rag"));
  deepEqual(await folder.after(10_300), [[1, 0, 0]]);
  equal(folder.updates.keeps(folder.root), true);
  equal(folder.stderr().match(/could not be updated/g)?.length, 1, folder.stderr());
});

Deno.test("a folder that cannot be watched is reported once and compared every 30 s", async () => {
  await using folder = new KeptFolder({ "a.md": "apple" });
  folder.refusal = new Error("no watches left");
  await folder.after(5000);
  equal(folder.updates.keeps(folder.root), false);
  for (const name of ["b.md", "c.md"]) {
    folder.write(name, name);
    deepEqual((await folder.after(30_000)).filter(([added]) => added === 1), [[1, 0, 0]]);
  }
  match(folder.stderr(), /no watches left/);
  equal(folder.stderr().match(/cannot be watched/g)?.length, 1, folder.stderr());
  folder.refusal = undefined;
  await folder.after(31_000);
  equal(folder.updates.isCurrent(), true);
});

Deno.test("after the machine has slept, folders are compared at once", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  await folder.after(10 * MINUTE);
  folder.write("b.md", "banana");
  folder.clock.sleep(2 * MINUTE);
  deepEqual(await folder.after(2000), [[1, 0, 0]]);
});

Deno.test("a folder that vanishes is reported, and compared at once when it is back", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  Deno.renameSync(folder.root, folder.beside("away"));
  deepEqual(await folder.after(10_000), NOTHING);
  match(folder.stderr(), /is gone/);
  equal(folder.watches.size, 0);
  Deno.writeTextFileSync(folder.beside("away/b.md"), "banana");
  Deno.renameSync(folder.beside("away"), folder.root);
  deepEqual((await folder.after(2000)).slice(0, 1), [[1, 0, 0]]);
  equal(folder.watches.size, 1);
});

Deno.test("a file that is still written is indexed when it rests, and others at once", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple" });
  folder.write("b.md", "banana");
  Deno.writeTextFileSync(folder.at("log.md"), "first line");
  const { mtime } = Deno.statSync(folder.at("log.md"));
  const { now } = Date;
  Date.now = () => mtime!.getTime() + 100;
  try {
    await folder.clock.through(() => folder.report("b.md", "log.md"));
    deepEqual(await folder.after(300), [[1, 0, 0]]);
  } finally {
    Date.now = now;
  }
  folder.write("log.md", "first line, second line");
  deepEqual(await folder.after(600), [[1, 0, 0]]);
});

Deno.test("files with times in the past or in the future are found by their changes, whatever the clock says", async () => {
  await using folder = await KeptFolder.settled({ "a.md": "apple", "b.md": "banana" });
  const times = { "a.md": new Date(0), "b.md": new Date(Date.now() + 365 * 24 * 60 * MINUTE) };
  for (const [name, time] of Object.entries(times)) {
    Deno.writeTextFileSync(folder.at(name), `a new ${name}`);
    Deno.utimeSync(folder.at(name), time, time);
  }
  await folder.clock.through(() => folder.report("a.md", "b.md"));
  deepEqual(await folder.after(300), [[0, 2, 0]]);
  folder.clock.sleep(-60 * MINUTE);
  deepEqual(await folder.after(10_000), NOTHING);
});
