import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { spawnIn } from "../e2e/_program.ts";
import { type Arena, indexedArena } from "./_arena.ts";
import { faultFlags, hasStrace, withRuntimeFlag } from "./_strace.ts";

const ignore = !await hasStrace();

/** Runs the program with a fault that strace injects into its system calls, only for `path` if it is given. */
async function faulty(arena: Arena, inject: string, path: string | undefined, ...args: string[]) {
  const { cmd, args: given } = arena.start([...args, "--language", "en"]);
  // from sources, the runtime would write its cache of compiled code, at any time and with the same system calls
  const all = [...faultFlags(inject, path), cmd, ...withRuntimeFlag("--no-code-cache", given)];
  const env = { ...arena.env, DENO_NO_UPDATE_CHECK: "1" };
  const { code, stderr } = await spawnIn({ ...arena, env }, { cmd: "strace", args: all }, "null").output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

/** An attack on an index, which needs strace. */
function attackBySystem(name: string, test: (arena: Arena) => Promise<void>): void {
  Deno.test({ name, ignore }, async () => {
    await using arena = await indexedArena({ "tea.md": "green tea\n" });
    await test(arena);
  });
}

attackBySystem(
  "a system error names the file and is not reported as a fault of the program",
  async (arena) => {
    const index = arena.at(".muxue_rag/index.bin");
    const { folder } = arena;
    const backup = ["backup", "--dir", folder];
    for (const error of ["EIO", "EACCES", "EMFILE"]) {
      for (const args of [["--dir", folder], ["--dir", folder, "--full"], backup]) {
        const { code, stderr } = await faulty(arena, `openat:error=${error}`, index, ...args);
        equal(/internal error/i.test(stderr), false, stderr);
        if (args !== backup) continue;
        equal(code, 1, stderr);
        match(stderr, /index\.bin/);
      }
    }
    const unreadable = await faulty(arena, "openat:error=EIO", folder, "--dir", folder);
    equal(unreadable.code, 2);
    match(unreadable.stderr, /^Error: Cannot read the folder /);
  },
);

attackBySystem("a file system without locks is reported", async (arena) => {
  const dir = ["--dir", arena.folder];
  for (const error of ["ENOLCK", "EOPNOTSUPP", "ENOSYS"]) {
    const { code, stderr } = await faulty(arena, `flock:error=${error}`, undefined, ...dir, "--quiet");
    equal(code, 1);
    match(
      stderr,
      /^Error: The file system of .* does not support file locks \(.*\), so two processes could write at the same time\./,
    );
  }
  equal((await faulty(arena, "flock:error=ENOLCK", undefined, "status", ...dir)).code, 0);
});

attackBySystem("a backup removes the temporary file of a killed backup", async (arena) => {
  const backups = arena.beside("backups");
  await Deno.mkdir(backups);
  const names = () => Array.from(Deno.readDirSync(backups), ({ name }) => name).sort();
  const backup = (name: string) => ["backup", "--dir", arena.folder, "-bp", join(backups, name), "--quiet"];
  await faulty(arena, "fsync:signal=KILL", undefined, ...backup("kept"));
  const [left, ...others] = names();
  match(left ?? "", /^kept\.[0-9a-f]{8}\.tmp$/);
  deepEqual(others, []);
  // A recent temporary file may belong to another process.
  equal((await arena.run`${backup("other")}`).code, 0);
  deepEqual(names(), [left, "other"]);
  await Deno.utime(join(backups, left!), 1_700_000_000, 1_700_000_000);
  equal((await arena.run`${backup("kept")}`).code, 0);
  deepEqual(names(), ["kept", "other"]);
});
