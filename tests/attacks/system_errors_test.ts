import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fromSources } from "../e2e/_program.ts";
import { spawnIn } from "../e2e/_spawn.ts";
import { type Arena, indexedArena } from "./_arena.ts";
import { attack } from "./_attack.ts";
import { faultFlags, hasStrace, withRuntimeFlag } from "./_strace.ts";

const ignore = !await hasStrace();

/** Runs the program with a fault that strace injects into its system calls, only for `path` if it is given. */
async function faulty(arena: Arena, inject: string, path: string | undefined, ...args: string[]) {
  const { cmd, args: given } = arena.start([...args, "--language", "en"]);
  // from sources, the runtime would write its cache of compiled code, at any time and with the same system calls
  const all = [...faultFlags(inject, path), cmd, ...withRuntimeFlag("--no-code-cache", given)];
  const env = { ...arena.env, DENO_NO_UPDATE_CHECK: "1" };
  const child = spawnIn({ ...arena, env }, { cmd: "strace", args: all });
  await child.stdin.close();
  const { code, stderr } = await child.output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

attack("a system error names the file and is not reported as a fault of the program", async (start) => {
  await using arena = await indexedArena(start, { "tea.md": "green tea\n" });
  const index = arena.at(".muxue_rag/index.bin");
  const { folder } = arena;
  const commands = [["--dir", folder], ["--dir", folder, "--full"], ["backup", "--dir", folder]];
  for (const error of ["EIO", "EACCES", "EMFILE"]) {
    for (const args of commands) {
      const { stderr } = await faulty(arena, `openat:error=${error}`, index, ...args, "--quiet");
      equal(/internal error/i.test(stderr), false, stderr);
    }
    const { code, stderr } = await faulty(arena, `openat:error=${error}`, index, "backup", "--dir", folder);
    equal(code, 1, stderr);
    match(stderr, /index\.bin/);
  }
  const unreadable = await faulty(arena, "openat:error=EIO", folder, "--dir", folder);
  equal(unreadable.code, 2);
  match(unreadable.stderr, /^Error: Cannot read the folder /);
}, { ignore });

attack("a file system without locks is reported", async (start) => {
  await using arena = await indexedArena(start, { "tea.md": "green tea\n" });
  for (const error of ["ENOLCK", "EOPNOTSUPP", "ENOSYS"]) {
    const { code, stderr } = await faulty(
      arena,
      `flock:error=${error}`,
      undefined,
      "--dir",
      arena.folder,
      "--quiet",
    );
    equal(code, 1);
    match(
      stderr,
      /^Error: The file system of .* does not support file locks \(.*\), so two processes could write at the same time\./,
    );
  }
  const { code } = await faulty(arena, "flock:error=ENOLCK", undefined, "status", "--dir", arena.folder);
  equal(code, 0);
}, { ignore });

Deno.test({
  name: "a backup removes the temporary file of a killed backup",
  ignore,
  fn: async () => {
    await using arena = await indexedArena(fromSources, { "tea.md": "green tea\n" });
    const backups = arena.beside("backups");
    await Deno.mkdir(backups);
    const names = () => Array.from(Deno.readDirSync(backups), ({ name }) => name);
    const args = ["backup", "--dir", arena.folder, "-bp", join(backups, "kept"), "--quiet"];
    await faulty(arena, "fsync:signal=KILL", undefined, ...args);
    const [left, ...others] = names();
    match(left ?? "", /^kept\.[0-9a-f]{8}\.tmp$/);
    deepEqual(others, []);
    // A recent temporary file may belong to another process.
    equal((await arena.run("backup", "--dir", arena.folder, "-bp", join(backups, "other"))).code, 0);
    deepEqual(names().sort(), [left, "other"]);
    await Deno.utime(join(backups, left!), 1_700_000_000, 1_700_000_000);
    equal((await arena.run(...args)).code, 0);
    deepEqual(names().sort(), ["kept", "other"]);
  },
});
