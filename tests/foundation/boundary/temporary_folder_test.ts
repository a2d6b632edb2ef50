import { deepEqual, equal, rejects } from "node:assert/strict";
import { dirname } from "node:path";
import { TemporaryFolder, temporaryPath } from "#foundation/boundary/mod.ts";
import { TempDir } from "./helpers.ts";

Deno.test("TemporaryFolder is removed with its files on disposal", async () => {
  using dir = new TempDir();
  {
    const path = temporaryPath(dir.path);
    await using folder = await TemporaryFolder.make(path);
    deepEqual([folder.path, dirname(path)], [path, dir.path]);
    await rejects(TemporaryFolder.make(path), Deno.errors.AlreadyExists);
    await folder.write("a/b/c.txt", "text");
    equal(Deno.readTextFileSync(folder.at("a/b/c.txt")), "text");
    await rejects(folder.write("a/b/c.txt", "again"), Deno.errors.AlreadyExists);
    equal(await folder.makeFolder("a"), folder.at("a"));
  }
  deepEqual([...Deno.readDirSync(dir.path)], []);
});
