import { deepEqual, equal } from "node:assert/strict";

import {
  dataFolder,
  ensureDataFolder,
  removeLeftovers,
  replaceIndex,
} from "#library/store/folder/data_folder.ts";
import { assertUserError, ON_WINDOWS, TempDir } from "../../../foundation/boundary/helpers.ts";

/** A folder with an index that holds "old". */
function place(): TempDir {
  const dir = new TempDir();
  dir.write(".muxue_rag/index.bin", "old");
  return dir;
}

const index = (dir: TempDir) => Deno.readTextFileSync(dir.at(".muxue_rag/index.bin"));
const names = (dir: TempDir) => [...Deno.readDirSync(dir.at(".muxue_rag"))].map(({ name }) => name).sort();

Deno.test("the old index stays in place until the new one is complete", async () => {
  using dir = place();
  const result = await replaceIndex(dataFolder(dir.path), async (file) => {
    await file.write(new TextEncoder().encode("new"));
    equal(index(dir), "old");
    return 7;
  });
  deepEqual([result, index(dir), names(dir)], [7, "new", ["index.bin"]]);
});

Deno.test("a failed write leaves the old index and no other file", async () => {
  using dir = place();
  const failure = new Error("stop");
  const failing = replaceIndex(dataFolder(dir.path), async (file) => {
    await file.write(new TextEncoder().encode("half"));
    throw failure;
  });
  equal(await failing.catch((error) => error), failure);
  deepEqual([index(dir), names(dir)], ["old", ["index.bin"]]);
});

Deno.test("errors of the system for a full disk become disk_full", async () => {
  using dir = place();
  for (const code of ["ENOSPC", "EDQUOT", "EFBIG"]) {
    const failing = () =>
      replaceIndex(dataFolder(dir.path), () => Promise.reject(Object.assign(new Error("no"), { code })));
    deepEqual((await assertUserError(failing, "disk_full")).params, { path: dir.at(".muxue_rag") });
  }
});

Deno.test("data_folder_unwritable names the file that cannot be made", async () => {
  using dir = new TempDir();
  const error = await assertUserError(
    () => replaceIndex(dataFolder(dir.path), () => Promise.resolve()),
    "data_folder_unwritable",
  );
  equal(error.params["path"], dir.at(".muxue_rag/index.bin"));
});

Deno.test("index_folder_unwritable names the data folder that cannot be made", async () => {
  using dir = new TempDir();
  dir.write("notes", "a file, in which no folder can be made");
  const folder = dataFolder(dir.at("notes"));
  const { params } = await assertUserError(() => ensureDataFolder(folder), "index_folder_unwritable");
  equal(params["path"], dir.at("notes/.muxue_rag"));
});

Deno.test("nothing is written into a data folder that became a link meanwhile", {
  ignore: ON_WINDOWS,
}, async () => {
  using dir = place();
  dir.write("elsewhere/index.bin", "precious");
  const swapped = replaceIndex(dataFolder(dir.path), async (file) => {
    await file.write(new TextEncoder().encode("new"));
    Deno.renameSync(dir.at(".muxue_rag"), dir.at("moved"));
    Deno.symlinkSync(dir.at("elsewhere"), dir.at(".muxue_rag"));
  });
  const error = await assertUserError(() => swapped, "data_folder_unsafe");
  deepEqual(error.params, { path: dir.at(".muxue_rag") });
  deepEqual([index(dir), names(dir)], ["precious", ["index.bin"]]);
});

Deno.test("an old index that a killed process was replacing gets its name back, unless there is a new one", async () => {
  using dir = new TempDir();
  dir.write(".muxue_rag/index.bin.old.89abcdef.tmp", "old");
  for (const name of ["0123abcd", "ffffffff"]) {
    Deno.utimeSync(dir.write(`.muxue_rag/index.bin.old.${name}.tmp`, "older"), 1, 1);
  }
  dir.write(".muxue_rag/index.bin.4567cdef.tmp", "new");
  dir.write(".muxue_rag/changes.bin", "new");
  dir.write(".muxue_rag/changes.bin.old.0123abcd.tmp", "old");
  await removeLeftovers(dataFolder(dir.path));
  deepEqual([names(dir), index(dir)], [["changes.bin", "index.bin"], "old"]);
  equal(Deno.readTextFileSync(dir.at(".muxue_rag/changes.bin")), "new");
});

Deno.test("leftovers of the index are removed, other files are not", async () => {
  using dir = new TempDir();
  for (const name of ["index.bin", "index.bin.1.tmp", "index.bin.22.tmp", "other.1.tmp", "index.bin.old"]) {
    dir.write(`.muxue_rag/${name}`);
  }
  await removeLeftovers(dataFolder(dir.path));
  deepEqual(names(dir), ["index.bin", "index.bin.old", "other.1.tmp"]);
});
