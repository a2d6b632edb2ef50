import { deepEqual, equal, rejects } from "node:assert/strict";
import { replaceFile, type ReplaceOptions } from "../../lib/sandbox/replace_file.ts";
import { writeAll } from "../../lib/sandbox/whole.ts";
import { ON_WINDOWS, TempDir } from "./helpers.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const names = (dir: TempDir) => [...Deno.readDirSync(dir.path)].map(({ name }) => name).sort();
const put = (path: string, text: string, options?: ReplaceOptions) =>
  replaceFile(path, (file) => writeAll(file, bytes(text)), options);
const modeOf = (path: string) => Deno.statSync(path).mode! & 0o777;

Deno.test("the old file is there until the new one is whole", async () => {
  using dir = new TempDir();
  const path = dir.write("file", "old");
  const result = await replaceFile(path, async (file) => {
    await writeAll(file, bytes("new"));
    equal(Deno.readTextFileSync(path), "old");
    return 7;
  });
  deepEqual([result, Deno.readTextFileSync(path), names(dir)], [7, "new", ["file"]]);
});

Deno.test("if the writing fails the old file stays and nothing else is left", async () => {
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

Deno.test("a check that throws, first or last, leaves the old file", async () => {
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

Deno.test("without overwriting a file is made where there is nothing, a link to nothing included", async () => {
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

Deno.test("of several that make one file at once without overwriting, one does", async () => {
  using dir = new TempDir();
  const path = dir.at("file");
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => put(path, String(at), { overwrite: false })),
  );
  const made = results.flatMap(({ status }, at) => status === "fulfilled" ? [at] : []);
  deepEqual([made, names(dir)], [[Number(Deno.readTextFileSync(path))], ["file"]]);
});

Deno.test("a link is replaced, not followed", { ignore: ON_WINDOWS }, async () => {
  using dir = new TempDir();
  const precious = dir.write("precious", "precious");
  Deno.symlinkSync(precious, dir.at("link"));
  await put(dir.at("link"), "new");
  deepEqual([Deno.readTextFileSync(precious), Deno.lstatSync(dir.at("link")).isFile], ["precious", true]);
});

Deno.test(
  "a file is for its owner alone unless it is to be like another",
  { ignore: ON_WINDOWS },
  async () => {
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
  },
);

Deno.test("while a file is written that is to be like another, it is for its owner alone", {
  ignore: ON_WINDOWS,
}, async () => {
  using dir = new TempDir();
  await replaceFile(dir.at("file"), async (file) => {
    equal((await file.stat()).mode! & 0o777, 0o600);
  }, { like: { mode: 0o666 } });
});

Deno.test("the file in the making is where it is wanted, and gone in the end", async () => {
  using dir = new TempDir();
  const [path, temporary] = [dir.at("file"), dir.at("in the making")];
  await replaceFile(path, () => deepEqual(names(dir), ["in the making"]), { temporary, overwrite: false });
  deepEqual(names(dir), ["file"]);
  dir.write("in the making", "another's");
  await rejects(put(path, "new", { temporary }), Deno.errors.AlreadyExists);
  equal(Deno.readTextFileSync(temporary), "another's");
});
