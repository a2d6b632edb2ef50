import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { faultFlags, hasStrace } from "../attacks/_strace.ts";
import { makeIndexed, makeSandbox, output, program, type Sandbox } from "./_program.ts";

const STRACE = await hasStrace();
const EN = ["--language", "en"] as const;
const index = (folder: string) => join(folder, ".muxue_rag", "index.bin");
const keyOf = ({ env }: Sandbox) => join(env["MUXUE_RAG_STATE_DIR"]!, "index.key");

Deno.test("the first run makes a key that only the user can read and no log contains; commands that write no index make no key", async () => {
  await using sandbox = await makeSandbox({ "a.txt": "an apple" });
  for (const command of [["status"], ["doctor"], ["search", "apple", "--no-update"]]) {
    await sandbox.run(...command, "--dir", sandbox.folder);
  }
  equal(await Deno.stat(keyOf(sandbox)).catch(() => "none"), "none");
  equal((await sandbox.run("--dir", sandbox.folder)).code, 0);
  const key = await Deno.readFile(keyOf(sandbox));
  equal(key.length, 32);
  if (Deno.build.os !== "windows") equal((await Deno.stat(keyOf(sandbox))).mode! & 0o777, 0o600);
  const logs = join(sandbox.env["MUXUE_RAG_STATE_DIR"]!, "logs");
  for (const { name } of Deno.readDirSync(logs)) {
    doesNotMatch(await Deno.readTextFile(join(logs, name)), new RegExp(key.toHex().slice(0, 16)));
  }
});

Deno.test("an index with another key is refused, reported and rebuilt, and its backup is refused", async () => {
  await using sandbox = await makeSandbox({ "a.txt": "an apple" });
  const { folder } = sandbox;
  equal((await sandbox.run("--dir", folder)).code, 0);
  const backup = join(sandbox.cwd, "my.backup");
  equal((await sandbox.run("backup", "--dir", folder, "-bp", backup)).code, 0);
  await Deno.remove(keyOf(sandbox));

  const search = await sandbox.run("search", "apple", "--no-update", "--dir", folder, ...EN);
  equal(search.code, 1);
  match(search.stderr, /not ready.*\n.*not written by this installation.*muxue_rag --dir/);
  match(
    (await sandbox.run("status", "--dir", folder, ...EN)).stdout,
    /not made by this installation, needs rebuilding/,
  );
  match(
    (await sandbox.run("doctor", "--dir", folder, ...EN)).stdout,
    /not made by this installation, needs rebuilding/,
  );
  const updated = await sandbox.run("search", "apple", "--dir", folder, ...EN);
  match(updated.stderr, /Rebuilt from scratch: The index was not made by this installation .*index\.key/);
  match(updated.stdout, /an apple/);
  const restored = await sandbox.run("restore", backup, "--yes", "--dir", folder, ...EN);
  equal(restored.code, 1);
  match(restored.stderr, /my\.backup was not made by this installation.*index\.key/);
});

Deno.test("the next run compares the index of a renamed folder with the files, and says so", async () => {
  await using sandbox = await makeIndexed({ "a.txt": "an apple" });
  const renamed = `${sandbox.folder} renamed`;
  await Deno.rename(sandbox.folder, renamed);
  match(
    (await sandbox.run("status", "--dir", renamed, ...EN)).stdout,
    /made for another folder, needs comparing/,
  );
  const run = await sandbox.run("--dir", renamed, ...EN);
  match(run.stderr, /made for another folder/);
  match(run.stdout, /Unchanged +1\n/);
  match((await sandbox.run("status", "--dir", renamed, ...EN)).stdout, /nothing, up to date/);
});

for (
  const [name, call] of [["that cannot be opened", "openat"], [
    "whose reading fails",
    "read,pread64",
  ]] as const
) {
  for (const args of [[], ["--full"]]) {
    Deno.test(
      `an index ${name} is rebuilt ${args.join("") || "by the next run"}`,
      { ignore: !STRACE },
      async () => {
        await using sandbox = await makeSandbox({ "a.txt": "an apple" });
        const { folder } = sandbox;
        equal((await sandbox.run("--dir", folder)).code, 0);
        const { cmd, args: rest } = program(["--dir", folder, ...args, ...EN]);
        // This concerns only the old index, which --full reads once for its vectors. The new index is another file with the
        // same path.
        const times = args.length === 0 ? "1..2" : "1";
        const flags = faultFlags(`${call}:error=EIO:when=${times}`, index(folder));
        const { cwd, env } = sandbox;
        const { code, stdout, stderr } = await output("strace", [...flags, cmd, ...rest], {
          ...{ cwd, env, clearEnv: true },
        });
        const text = stdout + stderr;
        deepEqual([code, /Internal error/.test(text)], [0, false], text);
        // Versions of Deno name the error differently.
        if (args.length === 0) match(text, /The index is damaged \(.*(\bEIO\b|\(os error 5\))/);
        match((await sandbox.run("search", "apple", "--no-update", "--dir", folder)).stdout, /an apple/);
      },
    );
  }
}
