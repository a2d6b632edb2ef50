import { deepEqual, equal, ok } from "node:assert/strict";
import { dirname, join } from "node:path";
import type { GeneratedTexts } from "#library/store/mod.ts";
import { storeAt } from "../../ingest/_place.ts";

const KEY = new Uint8Array(32).fill(1);
const [A, B] = ["a".repeat(64), "b".repeat(64)] as const;
const RESULT = { title: "绿茶 Green tea" };

const resultsOf = (root: string, key = KEY): GeneratedTexts => storeAt(root, key).generated;
const keyOf = (number: number) => number.toString(16).padStart(8, "0").repeat(8);

/** Returns a clock that is 90 days later at each call. */
function after90Days(): () => Date {
  let time = Date.now();
  return () => new Date(time += 90 * 86_400_000);
}

/** Runs a test in a folder with a data folder. */
async function inFolder(work: (root: string, file: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(join(root, ".muxue_rag"));
    await work(root, join(root, ".muxue_rag", "generated", "results.txt"));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("a result that is damaged, cut off or of another installation counts as missing, the others stay", () =>
  inFolder(async (root, file) => {
    const results = resultsOf(root);
    await results.set(A, RESULT);
    await results.set(B, RESULT);
    const sound = await Deno.readFile(file);
    const text = new TextDecoder().decode(sound);
    for (const at of [0, 63, 64, 66, 97, 99, 110].map((at) => text.indexOf(A) + at)) {
      const damaged = sound.slice();
      damaged[at]! ^= 1;
      await Deno.writeFile(file, damaged);
      deepEqual([await resultsOf(root).get(A), await resultsOf(root).get(B)], [undefined, RESULT], `${at}`);
    }
    for (let length = 0; length < sound.length; length += 7) {
      await Deno.writeFile(file, sound.subarray(0, length));
      const [a, b] = [await resultsOf(root).get(A), await resultsOf(root).get(B)];
      equal(b, undefined);
      ok(a === undefined || text.slice(0, length).includes(B) || length > text.indexOf(A) + 100);
      await resultsOf(root).set(B, RESULT);
      deepEqual(await resultsOf(root).get(B), RESULT, "a torn end does not hide what follows");
    }
    await Deno.writeFile(file, sound);
    deepEqual(await results.get(A), RESULT);
    const other = resultsOf(root, new Uint8Array(32));
    equal(await other.get(A), undefined);
    await other.set(B, RESULT);
    deepEqual([await other.get(B), await resultsOf(root).get(A)], [RESULT, undefined]);
  }));

Deno.test("a line of a foreign key or of endless length does not hide the results beside it", () =>
  inFolder(async (root, file) => {
    await resultsOf(root).set(A, RESULT);
    const odd = ["x".repeat(2_000_000), "not a line", `${"z".repeat(64)} ${"0".repeat(32)} {}`, `${B} `];
    for (const line of odd) await Deno.writeTextFile(file, `${line}\n`, { append: true });
    await resultsOf(root).set(keyOf(1), RESULT);
    const results = resultsOf(root);
    deepEqual(await Promise.all([A, B, keyOf(1)].map((key) => results.get(key))), [
      RESULT,
      undefined,
      RESULT,
    ]);
    deepEqual(await results.verify(), { results: 2, damaged: 1 });
  }));

Deno.test("several processes add results while one removes others", () =>
  inFolder(async (root) => {
    const [one, two] = [resultsOf(root), resultsOf(root)];
    const needed = new Set(Array.from({ length: 60 }, (_, i) => keyOf(i)));
    const later = after90Days();
    await Promise.all([...needed].map(async (key, i) => {
      await (i % 2 === 0 ? one : two).set(key, i);
      await one.set(keyOf(1000 + i), "not needed");
      if (i % 10 === 0) await two.prune(needed, later());
    }));
    for (let i = 0; i < 2; i++) await one.prune(needed, later());
    deepEqual(await Promise.all([...needed].map((key) => two.get(key))), [...needed].map((_, i) => i));
    equal(await two.get(keyOf(1000)), undefined);
  }));

Deno.test("a link in the place of the results is not followed", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder(async (root, file) => {
    const results = resultsOf(root);
    await results.set(A, RESULT);
    const other = join(root, "other");
    await Deno.rename(file, other);
    const before = await Deno.readFile(other);
    const folder = dirname(file);
    const isBack = async () => {
      equal(await resultsOf(root).get(A), undefined);
      await results.set(A, RESULT);
      deepEqual(await results.get(A), RESULT);
      deepEqual(await Deno.readFile(other), before);
    };
    await Deno.symlink(other, file);
    await isBack();
    await Deno.remove(file);
    await Deno.link(other, file);
    await results.set(B, RESULT);
    deepEqual(await Deno.readFile(other), before);
    await Deno.rename(folder, join(root, "folder"));
    await Deno.symlink(join(root, "folder"), folder);
    await isBack();
    ok((await Deno.lstat(folder)).isDirectory);
  });
});

Deno.test("a result is on the disk before set() returns", () =>
  inFolder(async (root, file) => {
    const results = resultsOf(root);
    const { syncData } = Deno.FsFile.prototype;
    const synced: number[] = [];
    Deno.FsFile.prototype.syncData = async function () {
      synced.push(this.statSync().size);
      await syncData.call(this);
    };
    try {
      for (const key of [A, B]) {
        await results.set(key, RESULT);
        equal(synced.at(-1), (await Deno.stat(file)).size);
      }
    } finally {
      Deno.FsFile.prototype.syncData = syncData;
    }
  }));

Deno.test("a list of unused results that was damaged or exchanged removes nothing early", () =>
  inFolder(async (root, file) => {
    const results = resultsOf(root), list = join(dirname(file), "unused.txt");
    for (const key of [A, B]) await results.set(key, RESULT);
    const kept = async (used: readonly string[]) => {
      await results.prune(new Set(used), new Date("2026-11-26"));
      return await Promise.all([A, B].map(async (key) => await results.get(key) !== undefined));
    };
    deepEqual(await kept([A]), [true, true]);
    equal(await Deno.readTextFile(list), `${B} 2026-11-26\n`);
    for (const text of [`${B} 2999-01-01\n`, `${B} 1\n${"x".repeat(1_000_000)}`, "", `${A} 2001-01-01\n`]) {
      await Deno.writeTextFile(list, text);
      deepEqual(await kept([A]), [true, true], text.slice(0, 90));
      equal(await Deno.readTextFile(list), `${B} 2026-11-26\n`);
    }
    if (Deno.build.os !== "windows") {
      await Deno.rename(list, join(root, "other"));
      await Deno.symlink(join(root, "other"), list);
      deepEqual(await kept([A]), [true, true]);
    }
    await Deno.remove(list);
    await Deno.writeTextFile(list, `${B} 2026-08-28\n`);
    deepEqual(await kept([A]), [true, false]);
    equal(await Deno.readTextFile(list), "");
  }));

Deno.test("thousands of results are written and read in any order", () =>
  inFolder(async (root) => {
    const results = resultsOf(root);
    for (let i = 0; i < 2000; i++) await results.set(keyOf(i), { i, text: "tea ".repeat(200) });
    const again = resultsOf(root);
    for (let i = 0; i < 2000; i++) deepEqual(await again.get(keyOf(i)), { i, text: "tea ".repeat(200) });
    for (let i = 1999; i > 0; i -= 97) equal((await again.get(keyOf(i)) as { i: number }).i, i);
    const later = after90Days();
    for (let i = 0; i < 2; i++) await again.prune(new Set([keyOf(7)]), later());
    deepEqual([await results.get(keyOf(7)) !== undefined, await results.get(keyOf(8))], [true, undefined]);
  }));
