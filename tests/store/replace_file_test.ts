import { deepEqual, equal } from "node:assert/strict";
import { removeLeftovers, replaceFile } from "../../lib/store/replace_file.ts";
import { assertUserError, TempDir } from "../sandbox/helpers.ts";

const names = (dir: TempDir) => [...Deno.readDirSync(dir.path)].map(({ name }) => name).sort();

Deno.test("the old file is there until the new one is whole", async () => {
  using dir = new TempDir();
  const path = dir.write("file", "old");
  const result = await replaceFile(path, async (file) => {
    await file.write(new TextEncoder().encode("new"));
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
    await file.write(new TextEncoder().encode("half"));
    throw failure;
  });
  equal(await failing.catch((error) => error), failure);
  deepEqual([Deno.readTextFileSync(path), names(dir)], ["old", ["file"]]);
});

Deno.test("what the system says of a full disk is told as such", async () => {
  using dir = new TempDir();
  for (const code of ["ENOSPC", "EDQUOT", "EFBIG"]) {
    const failing = () =>
      replaceFile(dir.at("file"), () => Promise.reject(Object.assign(new Error("no"), { code })));
    deepEqual((await assertUserError(failing, "disk_full")).params, { path: dir.path });
  }
});

Deno.test("where no file can be made the error says which", async () => {
  using dir = new TempDir();
  const path = dir.at("missing/file");
  const error = await assertUserError(
    () => replaceFile(path, () => Promise.resolve()),
    "data_folder_unwritable",
  );
  equal(error.params["path"], path);
});

Deno.test("leftovers of one file are removed, others are not", async () => {
  using dir = new TempDir();
  for (const name of ["index.bin", "index.bin.1.tmp", "index.bin.22.tmp", "other.1.tmp", "index.bin.old"]) {
    dir.write(name);
  }
  await removeLeftovers(dir.at("index.bin"));
  deepEqual(names(dir), ["index.bin", "index.bin.old", "other.1.tmp"]);
});
