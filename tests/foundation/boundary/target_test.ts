import assert from "node:assert/strict";
import { resolveTarget } from "#foundation/boundary/mod.ts";
import { assertUserError, IS_ROOT, ON_WINDOWS, TempDir } from "./helpers.ts";

Deno.test("resolveTarget() returns the real path of a full, a relative and a linked folder", async () => {
  using temp = new TempDir();
  temp.write("文档 %41/a.txt");
  const options = { cwd: temp.path, allowSensitive: false };
  assert.equal(await resolveTarget(temp.at("文档 %41"), options), temp.at("文档 %41"));
  assert.equal(await resolveTarget("文档 %41", options), temp.at("文档 %41"));
  assert.equal(await resolveTarget(".", options), temp.path);
  if (ON_WINDOWS) return;
  Deno.symlinkSync("文档 %41", temp.at("link"));
  assert.equal(await resolveTarget("link", options), temp.at("文档 %41"));
});

Deno.test("resolveTarget() expands a leading ~, which no shell does for an MCP client", async () => {
  using temp = new TempDir();
  temp.write("docs/a.txt");
  const options = { cwd: "/", home: temp.path, allowSensitive: false };
  assert.equal(await resolveTarget("~/docs", options), temp.at("docs"));
  await assertUserError(() => resolveTarget("~", options), "sensitive_directory");
});

Deno.test("resolveTarget() names the problem with a folder", async () => {
  using temp = new TempDir();
  temp.write("a.txt");
  const options = { cwd: temp.path, allowSensitive: false };
  const error = await assertUserError(() => resolveTarget("missing", options), "directory_not_found");
  assert.deepEqual(error.params, { path: "missing" });
  await assertUserError(() => resolveTarget("", options), "directory_not_found");
  await assertUserError(() => resolveTarget("a\0b", options), "directory_not_found");
  await assertUserError(() => resolveTarget("a.txt", options), "not_a_directory");
  await assertUserError(() => resolveTarget("a.txt/b", options), "directory_not_found");
});

Deno.test({
  name: "resolveTarget() needs permission to list the folder",
  ignore: ON_WINDOWS || IS_ROOT,
  async fn() {
    using temp = new TempDir();
    temp.write("closed/a.txt");
    Deno.chmodSync(temp.at("closed"), 0o000);
    await assertUserError(
      () => resolveTarget("closed", { cwd: temp.path, allowSensitive: false }),
      "no_permission",
    );
    Deno.chmodSync(temp.at("closed"), 0o700);
  },
});

Deno.test("resolveTarget() refuses a sensitive folder, also through a link, and names the rule", async () => {
  using temp = new TempDir();
  temp.write("home/.ssh/key");
  const options = { cwd: temp.path, home: temp.at("home"), allowSensitive: false };
  const error = await assertUserError(() => resolveTarget("home/.ssh", options), "sensitive_directory");
  assert.deepEqual(error.params, { path: temp.at("home/.ssh"), place: temp.at("home/.ssh") });
  if (ON_WINDOWS) return;
  Deno.symlinkSync(temp.at("home/.ssh"), temp.at("harmless"));
  await assertUserError(() => resolveTarget("harmless", options), "sensitive_directory");
});

Deno.test("resolveTarget() accepts sensitive folders that the user allows", async () => {
  using temp = new TempDir();
  temp.write("home/.ssh/deep/key");
  temp.write("home/.aws/key");
  const options = { cwd: temp.path, home: temp.at("home") };
  const allowed = async (dir: string, allowSensitive: boolean | string[]) => {
    try {
      await resolveTarget(dir, { ...options, allowSensitive });
      return true;
    } catch {
      return false;
    }
  };
  assert.deepEqual(
    {
      all: await allowed("home/.ssh", true),
      listed: await allowed("home/.ssh", [temp.at("home/.ssh")]),
      listedByTilde: await allowed("home/.ssh", ["~/.ssh"]),
      belowListed: await allowed("home/.ssh/deep", ["~/.ssh"]),
      aboveListed: await allowed("home/.ssh", ["~/.ssh/deep"]),
      another: await allowed("home/.aws", ["~/.ssh"]),
      homeListed: await allowed("home", ["~"]),
      secretsWhereHomeIsListed: await allowed("home/.ssh", ["~"]),
      none: await allowed("home/.ssh", []),
    },
    {
      all: true,
      listed: true,
      listedByTilde: true,
      belowListed: true,
      aboveListed: false,
      another: false,
      homeListed: true,
      secretsWhereHomeIsListed: false,
      none: false,
    },
  );
});
