import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { basename, dirname } from "node:path";
import { backupFile } from "../../lib/cli/backup_file.ts";
import { ON_WINDOWS, TempDir } from "../sandbox/helpers.ts";

Deno.test("a backup has the name that was given; its folder is to be made where there is none", async () => {
  using dir = new TempDir();
  dir.write("there/file");
  for (
    const [named, path, folder] of [
      ["copy", "copy", undefined],
      ["there/copy", "there/copy", undefined],
      ["there/file", "there/file", undefined],
      ["new/deep/copy", "new/deep/copy", "new/deep"],
      // which cannot be made: that is told when it is tried
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

Deno.test("in a folder, or beside the directory, a backup gets a name with a date", async () => {
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
  "the path of a backup is a real one, but a link in its own place is no way",
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
