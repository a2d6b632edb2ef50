import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { basename, dirname } from "node:path";
import { backupFile } from "#program/commands/backup_file.ts";
import { tryLock } from "#foundation/boundary/mod.ts";
import { ON_WINDOWS, TempDir } from "../foundation/boundary/helpers.ts";
import { place, TERMINAL } from "./_place.ts";
import { slashed } from "../_posix.ts";

Deno.test("a backup has the given name, and a missing folder is to be made", async () => {
  using dir = new TempDir();
  dir.write("there/file");
  for (
    const [named, path, folder] of [
      ["copy", "copy", undefined],
      ["there/copy", "there/copy", undefined],
      ["there/file", "there/file", undefined],
      ["new/deep/copy", "new/deep/copy", "new/deep"],
      // It cannot be made, which is reported when the backup tries.
      ["there/file/x", "there/file/x", undefined],
      ["there/file/x/y", "there/file/x/y", "there/file/x"],
    ] as const
  ) {
    const { temporary, ...rest } = await backupFile("/docs", named, dir.path);
    deepEqual(rest, { path: dir.at(path), ...(folder === undefined ? {} : { folder: dir.at(folder) }) });
    equal(dirname(temporary), dirname(rest.path));
    notEqual(temporary, (await backupFile("/docs", named, dir.path)).temporary, "nobody can guess it");
  }
});

Deno.test("a backup in a folder gets a name with a date, by default beside the indexed folder", async () => {
  using dir = new TempDir();
  dir.write("there/file");
  dir.write("文档 docs/a.txt");
  for (
    const [named, folder, isNew] of [
      ["there", "there", false],
      ["there/", "there", false],
      ["new/", "new", true],
      [undefined, ".", false],
    ] as const
  ) {
    const { path, folder: toMake } = await backupFile(dir.at("文档 docs"), named, dir.path);
    equal(dirname(path), folder === "." ? dir.path : dir.at(folder));
    match(basename(path), /^文档 docs-\d{8}-\d{6}\.muxue_rag$/);
    equal(toMake, isNew ? dir.at(folder) : undefined);
  }
});

Deno.test(
  "links to the folder of a backup are followed, a link in place of its file is not",
  { ignore: ON_WINDOWS },
  async () => {
    using dir = new TempDir();
    dir.write("real/file");
    Deno.symlinkSync("real", dir.at("folder"));
    Deno.symlinkSync("real/file", dir.at("link"));
    const pathOf = async (named: string) => (await backupFile("/docs", named, dir.path)).path;
    equal(await pathOf("folder/copy"), dir.at("real/copy"));
    equal(dirname(await pathOf("folder")), dir.at("real"));
    equal(await pathOf("link"), dir.at("link"));
  },
);

Deno.test("temporary files of killed backups are removed, and nothing else", async () => {
  using dir = new TempDir();
  const old = (name: string) => {
    const path = dir.write(name, "left");
    Deno.utimeSync(path, 1_700_000_000, 1_700_000_000);
    return path;
  };
  old("copy.0123abcd.tmp");
  old("docs-20260101-101010.muxue_rag.89abcdef.tmp");
  for (const name of ["copy.tmp", "copy.0123abcd", "copy.0123abcg.tmp", "other.0123abcd.tmp"]) old(name);
  for (const name of ["docs-2026.muxue_rag.89abcdef.tmp", "docs-20260101-101010.muxue_rag"]) old(name);
  dir.write("copy.00000000.tmp", "just made");
  // The lock shows that another process is writing this backup.
  using writing = Deno.openSync(old("copy.fedcba98.tmp"), { read: true, write: true });
  equal(await tryLock(writing, true), true);
  if (!ON_WINDOWS) {
    Deno.symlinkSync("copy.0123abcd", dir.at("copy.11111111.tmp"));
    Deno.linkSync(dir.at("copy.tmp"), dir.at("copy.22222222.tmp"));
    Deno.utimeSync(dir.at("copy.tmp"), 1_700_000_000, 1_700_000_000);
  }
  const before = Array.from(Deno.readDirSync(dir.path), ({ name }) => name);
  await backupFile("/docs", "copy", dir.path);
  const after = new Set(Array.from(Deno.readDirSync(dir.path), ({ name }) => name));
  deepEqual(before.filter((name) => !after.has(name)).sort(), [
    "copy.0123abcd.tmp",
    "docs-20260101-101010.muxue_rag.89abcdef.tmp",
  ]);
});

/** Indexed folders `notes` and `other`, and the program at a terminal whose user types `answer`. */
async function machine() {
  const files = { "notes/notes.txt": "Text of notes.\n", "other/other.txt": "Text of other.\n" };
  const here = await place(files, { NO_COLOR: "1" });
  const program = (argv: readonly string[], answer?: string) =>
    here.run(
      argv,
      answer === undefined ? {} : { terminal: TERMINAL, readLine: () => Promise.resolve(answer) },
    );
  for (const name of ["notes", "other"]) equal((await program(["index", name])).code, 0);
  return { ...here, program };
}

Deno.test("restore tells in its question that the backup is of another folder, and follows the answer", async () => {
  await using here = await machine();
  equal((await here.program(["backup", "--dir", "notes", "-bp", "notes.bak"])).code, 0);
  const before = await Deno.readFile(here.at("other/.muxue_rag/index.bin"));
  const declined = await here.program(["restore", "notes.bak", "--dir", "other"], "n");
  equal(declined.code, 1);
  match(
    slashed(declined.stderr),
    /^Only 0 of the 1 file in the backup are in \S+\/other\. It may be the backup of another folder\. Make it the index of \S+ all the same\? \[y\/N\] /,
  );
  deepEqual(await Deno.readFile(here.at("other/.muxue_rag/index.bin")), before);
  const accepted = await here.program(["restore", "notes.bak", "--dir", "other"], "y");
  equal(accepted.code, 0, accepted.stderr);
  const own = await here.program(["restore", "notes.bak", "--dir", "notes"], "y");
  equal(own.code, 0);
  match(
    slashed(own.stderr),
    /^\S+\/notes already has an index\. The backup \S+ will replace it\. Continue\? \[y\/N\] $/,
  );
});

Deno.test("backup asks before it creates a folder, and follows the answer", async () => {
  await using here = await machine();
  const backup = (answer: string) =>
    here.program(["backup", "--dir", "notes", "-bp", "copies/x.bak"], answer);
  const declined = await backup("n");
  equal(declined.code, 1);
  match(
    declined.stderr,
    /^The folder \S+copies does not exist\. Create it\? \[y\/N\] Cancelled\. Nothing was changed\n$/,
  );
  equal(await here.exists("copies"), false);
  equal((await backup("y")).code, 0);
  equal(await here.exists("copies/x.bak"), true);
});
