import { deepEqual, equal, rejects } from "node:assert/strict";
import {
  isNamedFolder,
  listNamed,
  readNamed,
  realNamed,
  realPlaceNamed,
  writeAll,
  writeNamed,
} from "#foundation/boundary/mod.ts";
import { TempDir } from "./helpers.ts";
import { posixTest } from "../../_posix.ts";

posixTest("functions for named files follow links", async () => {
  using dir = new TempDir();
  dir.write("real/file", "text");
  Deno.symlinkSync("real", dir.at("folder"));
  Deno.symlinkSync("real/file", dir.at("file"));
  equal(isNamedFolder(dir.at("folder")), true);
  deepEqual(await listNamed(dir.at("folder")), ["file"]);
  equal(new TextDecoder().decode(await readNamed(dir.at("file"))), "text");
  await writeNamed(
    await realNamed(dir.at("file")),
    (file) => writeAll(file, new TextEncoder().encode("new")),
  );
  deepEqual([Deno.readTextFileSync(dir.at("real/file")), Deno.lstatSync(dir.at("file")).isSymlink], [
    "new",
    true,
  ]);
});

posixTest("realPlaceNamed() follows the links above a path that does not exist yet", async () => {
  using dir = new TempDir();
  dir.write("real/file");
  Deno.symlinkSync("real", dir.at("folder"));
  Deno.symlinkSync("loop", dir.at("loop"));
  const places = ["folder/file", "folder/new/deep", "folder/file/x", "real", "loop/x"];
  deepEqual(await Promise.all(places.map((place) => realPlaceNamed(dir.at(place)))), [
    dir.at("real/file"),
    dir.at("real/new/deep"),
    dir.at("real/file/x"),
    dir.at("real"),
    dir.at("loop/x"),
  ]);
});

Deno.test("readNamed() reads at most the limit, and all of a file that reports no size", async () => {
  using dir = new TempDir();
  const path = dir.write("file", "text");
  equal((await readNamed(path, 3)).length, 3);
  equal((await readNamed(path, 9)).length, 4);
  await rejects(readNamed(dir.at("none"), 9), Deno.errors.NotFound);
  if (Deno.build.os === "linux") equal((await readNamed("/proc/self/stat", 9)).length, 9);
});

Deno.test("isNamedFolder() is false for everything but folders, also for invalid names", () => {
  using dir = new TempDir();
  const path = dir.write("file");
  deepEqual(
    [dir.path, path, `${path}/x`, dir.at("none"), dir.at("x".repeat(5000)), "a\0b", ""].map(isNamedFolder),
    [true, false, false, false, false, false, false],
  );
});
