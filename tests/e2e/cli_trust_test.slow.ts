import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { faultFlags, hasStrace } from "../attacks/_strace.ts";
import { makeIndexed, makeSandbox, output, type Sandbox } from "./_program.ts";

const STRACE = await hasStrace();
const EN = { env: { MUXUE_RAG_LANGUAGE: "en" } };
const index = (folder: string) => join(folder, ".muxue_rag", "index.bin");
const keyOf = ({ env }: Sandbox) => join(env["MUXUE_RAG_STATE_DIR"]!, "index.key");

Deno.test("the first run makes a key that only the user can read and no log contains; commands that write no index make no key", async () => {
  await using sandbox = await makeSandbox({ "a.txt": "an apple" });
  for (const command of [["status"], ["doctor"], ["search", "apple", "--no-update"]]) {
    await sandbox.run`${command} --dir ${sandbox.folder}`;
  }
  equal(await Deno.stat(keyOf(sandbox)).catch(() => "none"), "none");
  equal((await sandbox.run`--dir ${sandbox.folder}`).code, 0);
  const key = await Deno.readFile(keyOf(sandbox));
  equal(key.length, 32);
  if (Deno.build.os !== "windows") equal((await Deno.stat(keyOf(sandbox))).mode! & 0o777, 0o600);
  const logs = join(sandbox.env["MUXUE_RAG_STATE_DIR"]!, "logs");
  for (const { name } of Deno.readDirSync(logs)) {
    doesNotMatch(await Deno.readTextFile(join(logs, name)), new RegExp(key.toHex().slice(0, 16)));
  }
});

Deno.test("an index with another key is refused, reported and rebuilt, and its backup is refused", async () => {
  await using sandbox = await makeIndexed({ "a.txt": "an apple" }, EN);
  const { cwd, folder, run } = sandbox;
  const backup = join(cwd, "my.backup");
  equal((await run`backup --dir ${folder} -bp ${backup}`).code, 0);
  await Deno.remove(keyOf(sandbox));

  const search = await run`search apple --no-update --dir ${folder}`;
  equal(search.code, 1);
  match(search.stderr, /not ready.*\n.*not written by this installation.*muxue_rag --dir/);
  for (const command of ["status", "doctor"]) {
    match((await run`${command} --dir ${folder}`).stdout, /not made by this installation, needs rebuilding/);
  }
  const updated = await run`search apple --dir ${folder}`;
  match(updated.stderr, /Rebuilt from scratch: The index was not made by this installation .*index\.key/);
  match(updated.stdout, /an apple/);
  const restored = await run`restore ${backup} --yes --dir ${folder}`;
  equal(restored.code, 1);
  match(restored.stderr, /my\.backup was not made by this installation.*index\.key/);
});

Deno.test("the next run compares the index of a renamed folder with the files, and says so", async () => {
  await using sandbox = await makeIndexed({ "a.txt": "an apple" }, EN);
  const renamed = `${sandbox.folder} renamed`;
  await Deno.rename(sandbox.folder, renamed);
  const status = async () => (await sandbox.run`status --dir ${renamed}`).stdout;
  match(await status(), /made for another folder, needs comparing/);
  const run = await sandbox.run`--dir ${renamed}`;
  match(run.stderr, /made for another folder/);
  match(run.stdout, /Unchanged +1\n/);
  match(await status(), /nothing, up to date/);
});

const FAULTS = { "that cannot be opened": "openat", "whose reading fails": "read,pread64" };

for (const [name, call] of Object.entries(FAULTS)) {
  for (const args of [[], ["--full"]]) {
    Deno.test(
      `an index ${name} is rebuilt ${args.join("") || "by the next run"}`,
      { ignore: !STRACE },
      async () => {
        await using sandbox = await makeIndexed({ "a.txt": "an apple" }, EN);
        const { cwd, env, folder, run } = sandbox;
        const { cmd, args: rest } = sandbox.start(["--dir", folder, ...args]);
        // This concerns only the old index, which --full reads once for its vectors. The new index is another file with the
        // same path.
        const times = args.length === 0 ? "1..2" : "1";
        const flags = faultFlags(`${call}:error=EIO:when=${times}`, index(folder));
        const ended = await output("strace", [...flags, cmd, ...rest], { cwd, env, clearEnv: true });
        const text = ended.stdout + ended.stderr;
        deepEqual([ended.code, /Internal error/.test(text)], [0, false], text);
        // Versions of Deno name the error differently.
        if (args.length === 0) match(text, /The index is damaged \(.*(\bEIO\b|\(os error 5\))/);
        match((await run`search apple --no-update --dir ${folder}`).stdout, /an apple/);
      },
    );
  }
}
