/** Attacks on the data folder of `--index-dir`: as those on `.muxue_rag` in `data_folder_test.ts`. */
import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { dataFolderIn } from "#foundation/registry.ts";
import { type Arena, makeArena, SECRET, snapshot } from "./_arena.ts";
import { attack, ON_LINUX } from "./_attack.ts";

/** An arena whose index is in `beside("indexes")`, and a folder outside whose index holds the secret. */
async function arenaWithIndexDir(start: Parameters<typeof makeArena>[0]): Promise<Arena & { data: string }> {
  const arena = await makeArena(start, { "notes.md": "green tea\n" });
  const indexes = arena.beside("indexes");
  for (const dir of [arena.folder, arena.outside]) {
    const { code, stderr } = await arena.run("--dir", dir, "--index-dir", indexes, "--quiet");
    equal(code, 0, stderr);
  }
  return { ...arena, data: dataFolderIn(indexes, arena.folder) };
}

/** Runs commands with and without the flag, each of which must be refused because of `unsafe`; nothing outside may change. */
async function refused(
  arena: Arena,
  unsafe: string,
  commands: readonly (readonly string[])[],
): Promise<void> {
  const before = await snapshot(arena.outside);
  const reason = `${unsafe} is not a regular folder or file (it may be a link), so it is not used`;
  for (const command of commands) {
    for (const flag of [[], ["--index-dir", arena.beside("indexes")]]) {
      const { code, stdout, stderr } = await arena.run(...command, ...flag, "--language", "en");
      const said = `${command[0]}: ${stdout}${stderr}`;
      deepEqual([code, said.includes(reason), said.includes("secret.txt")], [1, true, false], said);
    }
  }
  deepEqual(await snapshot(arena.outside), before);
}

attack("every command refuses a link as the data folder of --index-dir", async (start) => {
  await using arena = await arenaWithIndexDir(start);
  const { folder, data, outside } = arena;
  await Deno.remove(data, { recursive: true });
  const dir = ["--dir", folder];
  const reading = [["status", ...dir], ["verify", ...dir], ["search", SECRET, "--no-update", ...dir]];
  const writing = [dir, ["clean", ...dir, "--yes"]];
  await Deno.symlink(dataFolderIn(arena.beside("indexes"), outside), data);
  await refused(arena, data, [...reading, ...writing]);
  await Deno.remove(data);
  await Deno.symlink(outside, data);
  await refused(arena, data, writing);
}, { ignore: !ON_LINUX });

attack("no command reads a link as the index in --index-dir", async (start) => {
  await using arena = await arenaWithIndexDir(start);
  const { folder, data, outside } = arena;
  const index = join(data, "index.bin");
  await Deno.remove(index);
  await Deno.symlink(join(dataFolderIn(arena.beside("indexes"), outside), "index.bin"), index);
  await refused(arena, index, [["status", "--dir", folder]]);
  const before = await snapshot(outside);
  const { code, stdout, stderr } = await arena.run("--dir", folder);
  deepEqual(
    [code, stdout.includes("secret.txt"), (await Deno.lstat(index)).isFile],
    [0, false, true],
    stderr,
  );
  deepEqual(await snapshot(outside), before);
}, { ignore: !ON_LINUX });

attack("an index that was copied into the data folder of another folder is not searched", async (start) => {
  await using arena = await arenaWithIndexDir(start);
  const { folder, data, outside } = arena;
  const other = dataFolderIn(arena.beside("indexes"), outside);
  await Deno.copyFile(join(other, "index.bin"), join(data, "index.bin"));
  const { stdout } = await arena.run("search", SECRET, "--no-update", "--dir", folder, "--language", "en");
  equal(stdout.includes(SECRET), false, stdout);
  const verified = await arena.run("verify", "--dir", folder, "--language", "en");
  deepEqual([verified.code, verified.stdout.includes("made for another folder")], [1, true]);
});

attack("with --index-dir nothing is written into the folder", async (start) => {
  await using arena = await arenaWithIndexDir(start);
  const { folder } = arena;
  const before = await snapshot(folder);
  for (const command of [["--full"], ["--index-dir", arena.beside("other")]]) {
    const { code, stderr } = await arena.run("--dir", folder, ...command);
    equal(code, 0, stderr);
  }
  deepEqual(await snapshot(folder), before);
});
