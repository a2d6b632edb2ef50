import { deepEqual, equal, rejects } from "node:assert/strict";
import { replaceFile, type ReplaceOptions, restoreLeft } from "#foundation/boundary/replace_file.ts";
import { writeAll } from "#foundation/boundary/open_file.ts";
import { ON_WINDOWS, TempDir, textOf } from "./helpers.ts";
import { posixTest, windowsTest } from "../../_posix.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const names = (dir: TempDir) => [...Deno.readDirSync(dir.path)].map(({ name }) => name).sort();
const put = (path: string, text: string, options?: ReplaceOptions) =>
  replaceFile(path, (file) => writeAll(file, bytes(text)), options);
const modeOf = (path: string) => Deno.statSync(path).mode! & 0o777;

Deno.test("replaceFile() keeps the old file until the new one is complete", async () => {
  using dir = new TempDir();
  const path = dir.write("file", "old");
  const result = await replaceFile(path, async (file) => {
    await writeAll(file, bytes("new"));
    equal(Deno.readTextFileSync(path), "old");
    return 7;
  });
  deepEqual([result, Deno.readTextFileSync(path), names(dir)], [7, "new", ["file"]]);
});

Deno.test("replaceFile() keeps the old file and removes the temporary one if writing fails", async () => {
  using dir = new TempDir();
  const path = dir.write("file", "old");
  const failure = new Error("stop");
  const failing = replaceFile(path, async (file) => {
    await writeAll(file, bytes("half"));
    throw failure;
  });
  equal(await failing.catch((error) => error), failure);
  deepEqual([Deno.readTextFileSync(path), names(dir)], ["old", ["file"]]);
});

Deno.test("replaceFile() keeps the old file if a check throws", async () => {
  using dir = new TempDir();
  const path = dir.write("file", "old");
  for (const last of [1, 2]) {
    let checks = 0;
    const check = () => {
      if (++checks === last) throw new Error("no");
    };
    await rejects(put(path, "new", { check }), { message: "no" });
    deepEqual([checks, Deno.readTextFileSync(path), names(dir)], [last, "old", ["file"]]);
  }
});

Deno.test("replaceFile() replaces a file that programs have open, and these keep the old content", async () => {
  using dir = new TempDir();
  const path = dir.write("file", "old");
  {
    using reader = Deno.openSync(path);
    using other = Deno.openSync(path);
    await put(path, "new");
    equal(Deno.readTextFileSync(path), "new");
    deepEqual([await textOf(reader), await textOf(other)], ["old", "old"]);
  }
  deepEqual(names(dir), ["file"]);
});

windowsTest("restoreLeft() gives an old file its name back where nothing is in its place", async () => {
  using dir = new TempDir();
  const left = dir.write("file.old.0123abcd.tmp", "old");
  Deno.utimeSync(dir.write("file.old.ffffffff.tmp", "older"), 1, 1);
  dir.write("file.4567cdef.tmp", "new");
  dir.write("other.old.0123abcd.tmp", "another's");
  await restoreLeft(dir.at("file"));
  const others = ["file.4567cdef.tmp", "file.old.ffffffff.tmp", "other.old.0123abcd.tmp"];
  deepEqual([Deno.readTextFileSync(dir.at("file")), names(dir)], ["old", ["file", ...others]]);
  dir.write("file.old.0123abcd.tmp", "old");
  Deno.writeTextFileSync(dir.at("file"), "there");
  await restoreLeft(dir.at("file"));
  deepEqual([Deno.readTextFileSync(dir.at("file")), Deno.readTextFileSync(left)], ["there", "old"]);
  await restoreLeft(dir.at("nothing"));
  await restoreLeft(dir.at("no folder/file"));
});

windowsTest("restoreLeft() waits for a process that is replacing the file", async () => {
  using dir = new TempDir();
  dir.write("file.old.0123abcd.tmp", "old");
  const restored = restoreLeft(dir.at("file"));
  Deno.writeTextFileSync(dir.at("file"), "new");
  await restored;
  deepEqual([Deno.readTextFileSync(dir.at("file")), names(dir)], ["new", ["file", "file.old.0123abcd.tmp"]]);
});

posixTest("restoreLeft() leaves a file alone that no process of this system can have left", async () => {
  using dir = new TempDir();
  dir.write("file.old.0123abcd.tmp", "another's");
  await restoreLeft(dir.at("file"));
  deepEqual(names(dir), ["file.old.0123abcd.tmp"]);
});

Deno.test("replaceFile() replaces no folder", async () => {
  using dir = new TempDir();
  dir.write("folder/file", "kept");
  await rejects(put(dir.at("folder"), "new"));
  deepEqual([Deno.readTextFileSync(dir.at("folder/file")), names(dir)], ["kept", ["folder"]]);
});

Deno.test("replaceFile() without overwrite refuses an existing entry, a dangling link included", async () => {
  using dir = new TempDir();
  const path = dir.at("file");
  await put(path, "one", { overwrite: false });
  await rejects(put(path, "two", { overwrite: false }), Deno.errors.AlreadyExists);
  deepEqual([Deno.readTextFileSync(path), names(dir)], ["one", ["file"]]);
  if (ON_WINDOWS) return;
  Deno.symlinkSync("nothing", dir.at("link"));
  await rejects(put(dir.at("link"), "two", { overwrite: false }), Deno.errors.AlreadyExists);
  deepEqual(names(dir), ["file", "link"]);
});

Deno.test("replaceFile() without overwrite succeeds for one of several concurrent calls", async () => {
  using dir = new TempDir();
  const path = dir.at("file");
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => put(path, String(at), { overwrite: false })),
  );
  const made = results.flatMap(({ status }, at) => status === "fulfilled" ? [at] : []);
  deepEqual([made, names(dir)], [[Number(Deno.readTextFileSync(path))], ["file"]]);
});

posixTest("replaceFile() replaces a link and does not follow it", async () => {
  using dir = new TempDir();
  const precious = dir.write("precious", "precious");
  Deno.symlinkSync(precious, dir.at("link"));
  await put(dir.at("link"), "new");
  deepEqual([Deno.readTextFileSync(precious), Deno.lstatSync(dir.at("link")).isFile], ["precious", true]);
});

posixTest("replaceFile() creates a private file unless mode or like is given", async () => {
  using dir = new TempDir();
  const path = dir.at("file");
  await put(path, "");
  equal(modeOf(path), 0o600);
  await put(path, "", { mode: 0o644 });
  equal(modeOf(path), 0o644 & ~Deno.umask());
  await put(path, "", { like: { mode: 0o100666 } });
  equal(modeOf(path), 0o666);
  await put(path, "", { like: Deno.statSync(path) });
  equal(modeOf(path), 0o666);
});

posixTest("replaceFile() keeps the temporary file private with like", async () => {
  using dir = new TempDir();
  await replaceFile(dir.at("file"), async (file) => {
    equal((await file.stat()).mode! & 0o777, 0o600);
  }, { like: { mode: 0o666 } });
});

Deno.test("replaceFile() uses the given temporary path and removes it", async () => {
  using dir = new TempDir();
  const [path, temporary] = [dir.at("file"), dir.at("in the making")];
  await replaceFile(path, () => deepEqual(names(dir), ["in the making"]), { temporary, overwrite: false });
  deepEqual(names(dir), ["file"]);
  dir.write("in the making", "another's");
  await rejects(put(path, "new", { temporary }), Deno.errors.AlreadyExists);
  equal(Deno.readTextFileSync(temporary), "another's");
});
