import { deepEqual, equal, rejects } from "node:assert/strict";
import { privateFolder } from "../../scripts/compile/private_folder.ts";
import { IS_ROOT, ON_WINDOWS, TempDir } from "../foundation/boundary/helpers.ts";
import { posixTest } from "../_posix.ts";

Deno.test("privateFolder() makes a folder that only its owner can use, and later returns it with its contents", async () => {
  using temp = new TempDir();
  const path = temp.at("own");
  equal(await privateFolder(path), path);
  temp.write("own/a");
  equal(await privateFolder(path), path);
  deepEqual([...Deno.readDirSync(path)].map(({ name }) => name), ["a"]);
  if (!ON_WINDOWS) equal(Deno.lstatSync(path).mode! & 0o777, 0o700);
});

posixTest("privateFolder() refuses a link, a file, and a folder that other users can use", async () => {
  using temp = new TempDir();
  Deno.mkdirSync(temp.at("open"), { mode: 0o700 });
  Deno.symlinkSync(temp.at("open"), temp.at("link"));
  Deno.chmodSync(temp.at("open"), 0o770);
  temp.write("file");
  await rejects(privateFolder(temp.at("link")), /not a folder/);
  await rejects(privateFolder(temp.at("file")), /not a folder/);
  await rejects(privateFolder(temp.at("open")), /open to other users/);
});

Deno.test({
  name: "privateFolder() refuses another user's folder",
  ignore: !IS_ROOT,
  fn: async () => {
    using temp = new TempDir();
    Deno.mkdirSync(temp.at("planted"), { mode: 0o700 });
    Deno.chownSync(temp.at("planted"), 12345, 12345);
    await rejects(privateFolder(temp.at("planted")), /another user's folder/);
  },
});
