import { deepEqual, equal } from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import type { RecognisedTexts } from "#library/store/mod.ts";
import { storeAt } from "../../ingest/_place.ts";

const KEY = new Uint8Array(32).fill(1);
const [A, B] = ["a".repeat(64), "b".repeat(64)] as const;
const PAGES = { texts: new Map([[1, "green tea"], [3, ""]]), isComplete: true, languages: "eng:5199098" };

const textsOf = (root: string, key = KEY): RecognisedTexts => storeAt(root, key).recognised;

/** Runs a test in a folder with a data folder. */
async function inFolder(work: (root: string, file: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(join(root, ".muxue_rag"));
    await work(root, join(root, ".muxue_rag", "recognised", A));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("recognised texts are kept by the content of their document", () =>
  inFolder(async (root) => {
    const texts = textsOf(root);
    equal(await texts.get(A), undefined);
    await texts.set(A, { ...PAGES, texts: new Map([[1, "green tea"]]), isComplete: false });
    await texts.set(A, PAGES);
    deepEqual(await textsOf(root).get(A), PAGES);
    equal(await texts.get(B), undefined);
    await texts.keepOnly(new Set([B]));
    equal(await texts.get(A), undefined);
  }));

Deno.test("removing the texts of other documents does not disturb a process that writes texts at that moment", () =>
  inFolder(async (root) => {
    const [writer, cleaner] = [textsOf(root), textsOf(root)];
    for (let i = 0; i < 50; i++) {
      const isSet = writer.set(A, PAGES).then(() => true);
      while (!await Promise.race([isSet, Promise.resolve().then(() => false)])) {
        await cleaner.keepOnly(new Set([A]));
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
    deepEqual(await writer.get(A), PAGES);
  }));

Deno.test("temporary files that an interrupted run left are removed after an hour", () =>
  inFolder(async (root, file) => {
    const texts = textsOf(root);
    await texts.set(A, PAGES);
    const [old, young] = [`${file}.01234567.tmp`, `${file}.89abcdef.tmp`] as const;
    for (const path of [old, young]) await Deno.writeTextFile(path, "");
    const twoHoursAgo = Date.now() / 1000 - 7200;
    await Deno.utime(old, twoHoursAgo, twoHoursAgo);
    await texts.keepOnly(new Set([A]));
    deepEqual([...Deno.readDirSync(dirname(file))].map(({ name }) => name).sort(), [A, basename(young)]);
  }));

Deno.test("texts that are damaged, cut off, of another document or of another installation count as missing", () =>
  inFolder(async (root, file) => {
    const texts = textsOf(root);
    await texts.set(A, PAGES);
    const sound = await Deno.readFile(file);
    for (const at of [0, 31, 32, 60, sound.length - 1]) {
      const damaged = sound.slice();
      damaged[at]! ^= 1;
      await Deno.writeFile(file, damaged);
      equal(await texts.get(A), undefined);
    }
    for (const length of [0, 10, 32, sound.length - 1]) {
      await Deno.writeFile(file, sound.subarray(0, length));
      equal(await texts.get(A), undefined);
    }
    await Deno.writeFile(file, sound);
    await Deno.copyFile(file, file.replace(A, B));
    deepEqual(await texts.get(A), PAGES);
    equal(await texts.get(B), undefined);
    equal(await textsOf(root, new Uint8Array(32)).get(A), undefined);
  }));

Deno.test("a link in the place of recognised texts is not followed", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder(async (root, file) => {
    const texts = textsOf(root);
    await texts.set(A, PAGES);
    const other = join(root, "other");
    await Deno.rename(file, other);
    await Deno.symlink(other, file);
    const before = await Deno.readFile(other);
    equal(await texts.get(A), undefined);
    await texts.set(A, PAGES);
    deepEqual(await texts.get(A), PAGES);
    const folder = dirname(file);
    await Deno.rename(folder, join(root, "folder"));
    await Deno.symlink(join(root, "folder"), folder);
    equal(await texts.get(A), undefined);
    await texts.set(A, PAGES);
    deepEqual([await texts.get(A), (await Deno.lstat(folder)).isDirectory], [PAGES, true]);
    deepEqual(await Deno.readFile(other), before);
  });
});
