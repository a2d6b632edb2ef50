/** Attacks on the data folder: on `.muxue_rag`, and on the one of `--index-dir`. */
import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { dataFolderIn } from "#foundation/registry.ts";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { openPipe } from "../e2e/_mcp_pipe.ts";
import { writeFiles } from "../e2e/_program.ts";
import { type Arena, attackOnLinux, indexedArena, makeArena, SECRET, snapshot } from "./_arena.ts";

const NOTES = { "notes.md": "green tea\n" };
const ENGLISH = { MUXUE_RAG_LANGUAGE: "en" };

/** Every command that uses the data folder. */
const commandsOf = ({ folder, beside }: Arena) => ({
  index: ["--dir", folder],
  full: ["--dir", folder, "--full"],
  reembed: ["reembed", "--dir", folder],
  search: ["search", SECRET, "--dir", folder],
  searchOnly: ["search", SECRET, "--dir", folder, "--no-update"],
  status: ["status", "--dir", folder],
  clean: ["clean", "--dir", folder, "--yes"],
  backup: ["backup", "--dir", folder, "--backup-path", beside("a-backup")],
  restore: ["restore", beside("backup"), "--dir", folder, "--yes"],
});

type Commands = readonly (readonly string[])[];

/** Runs commands, each of which must be refused because of `unsafe`; nothing outside may change. */
async function refused(arena: Arena, unsafe: string, commands: Commands): Promise<void> {
  const before = await snapshot(arena.outside);
  const reason = `${unsafe} is not a regular folder or file (it may be a link), so it is not used`;
  await Promise.all(commands.map(async (command) => {
    const { code, stdout, stderr } = await arena.run`${command}`;
    const said = `${command[0]}: ${stdout}${stderr}`;
    deepEqual([code, said.includes(reason), said.includes("secret.txt")], [1, true, false], said);
  }));
  deepEqual(await snapshot(arena.outside), before);
}

/** An arena with a backup beside it, and with the index of a folder outside that contains the secret. */
async function arenaWithIndexOutside(): Promise<Arena> {
  const arena = await indexedArena(NOTES, { env: ENGLISH });
  equal((await arena.run`backup --dir ${arena.folder} --backup-path ${arena.beside("backup")}`).code, 0);
  equal((await arena.run`--dir ${arena.outside}`).code, 0);
  return arena;
}

/** Puts a link in the place of a file or a folder. */
async function link(path: string, target: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(() => {});
  await Deno.symlink(target, path);
}

attackOnLinux("every command refuses a link as .muxue_rag and writes nothing to its target", async () => {
  await using arena = await arenaWithIndexOutside();
  const { outside } = arena;
  const path = arena.at(".muxue_rag");
  const commands = commandsOf(arena);
  await link(path, join(outside, ".muxue_rag"));
  await refused(arena, path, Object.values(commands));
  // A link to a folder without an index, and a dangling link.
  for (const target of [outside, join(outside, "nothing")]) {
    await link(path, target);
    await refused(arena, path, [commands.index, commands.restore]);
  }
});

attackOnLinux("the server does not search a link that replaces .muxue_rag or its index", async () => {
  await using arena = await arenaWithIndexOutside();
  const [folder, index] = [arena.at(".muxue_rag"), arena.at(".muxue_rag/index.bin")];
  await using pipe = await openPipe(arena);
  const found = async () => {
    const { code, message } = (await pipe.search(SECRET)).result.structuredContent;
    return [code, message];
  };
  const nothing = [200, "Nothing found for these keywords"];
  deepEqual(await found(), nothing);
  for (const [path, target] of [[index, ".muxue_rag/index.bin"], [folder, ".muxue_rag"]] as const) {
    await Deno.rename(path, `${path}.old`);
    await Deno.symlink(join(arena.outside, target), path);
    match((await found()).join(), /^500,.*not ready/);
  }
  for (const path of [folder, index]) {
    await Deno.remove(path);
    await Deno.rename(`${path}.old`, path);
  }
  deepEqual(await found(), nothing);
});

attackOnLinux(
  "no command reads a link as the index, and commands that write it replace the link",
  async () => {
    await using arena = await arenaWithIndexOutside();
    const path = arena.at(".muxue_rag/index.bin");
    const theirs = join(arena.outside, ".muxue_rag/index.bin");
    const { index, full, search, searchOnly, status, clean, backup, restore } = commandsOf(arena);
    await link(path, theirs);
    await refused(arena, path, [searchOnly, status, backup]);
    const before = await snapshot(arena.outside);
    for (const command of [index, search, full, restore]) {
      await link(path, theirs);
      const { code, stdout, stderr } = await arena.run`${command}`;
      deepEqual([code, (await Deno.lstat(path)).isFile], [0, true], stderr);
      equal(stdout.includes("secret.txt"), false);
    }
    await link(path, join(arena.outside, "secret.txt"));
    const { code, stderr } = await arena.run`${clean}`;
    equal(code, 0, stderr);
    deepEqual(await snapshot(arena.outside), before);
  },
);

attackOnLinux("commands that write replace a link as the lock and do not write to its target", async () => {
  await using arena = await arenaWithIndexOutside();
  const path = arena.at(".muxue_rag/lock");
  const { index, full, search, clean, restore } = commandsOf(arena);
  const before = await snapshot(arena.outside);
  const tries: [target: string, command: string[]][] = [index, full, search, restore, clean]
    .map((command) => ["secret.txt", command]);
  for (const [target, command] of [...tries, ["nothing", index]] as const) {
    await Deno.mkdir(arena.at(".muxue_rag"), { recursive: true });
    await link(path, join(arena.outside, target));
    const { code, stderr } = await arena.run`${command}`;
    const isFile = command === clean ? true : (await Deno.lstat(path)).isFile;
    deepEqual([code, isFile], [0, true], `${command[0]} ${stderr}`);
  }
  deepEqual(await snapshot(arena.outside), before);
  // A second name of a file elsewhere.
  await Deno.remove(path);
  await Deno.link(join(arena.outside, "secret.txt"), path);
  const { code, stderr } = await arena.run`${index}`;
  deepEqual([code, (await Deno.lstat(path)).nlink], [0, 1], stderr);
  deepEqual(await snapshot(arena.outside), before);
});

const PLACES = [
  ...["index.bin", "changes.bin", "lock", "recognised"],
  ...["neural-0123456789abcdef.vec", "server-0123456789abcdef.vec"],
];

attackOnLinux(
  "a link, a pipe or a folder in the place of a data file is taken away once, and the folder is indexed",
  async () => {
    await using arena = await indexedArena(NOTES, { env: ENGLISH });
    const before = await snapshot(arena.outside);
    const makers = {
      link: (path: string) => Deno.symlink(join(arena.outside, "secret.txt"), path),
      dangling: (path: string) => Deno.symlink(join(arena.outside, "nothing"), path),
      pipe: async (path: string) => {
        equal((await new Deno.Command("mkfifo", { args: [path] }).output()).success, true);
      },
      folder: (path: string) => Deno.mkdir(path),
      full: (path: string) => Deno.mkdir(join(path, "inner"), { recursive: true }),
    };
    for (const [kind, make] of Object.entries(makers)) {
      const isFull = kind === "full";
      // A folder is what recognised texts are kept in.
      const names = PLACES.filter((name) => name !== "recognised" || !["folder", "full"].includes(kind));
      const paths = names.map((name) => arena.at(`.muxue_rag/${name}`));
      for (const path of paths) {
        await Deno.remove(path, { recursive: true }).catch(() => {});
        await make(path);
      }
      await writeFiles(arena.folder, { "more.md": `black tea and a ${kind}\n` });
      const said = isFull ? "so it was renamed to" : "so it was removed without being read";
      const run = async () => {
        const { code, stdout, stderr } = await arena.run`--dir ${arena.folder}`;
        equal(code, 0, stderr);
        const lines = (stdout + stderr).split("\n").filter((line) => line.includes(said));
        return names.filter((_, i) => lines.some((line) => line.includes(`${paths[i]} was `)));
      };
      deepEqual([await run(), await run()], [names, []], kind);
      const found = await arena.run`search ${kind} --dir ${arena.folder} --no-update`;
      equal(found.stdout.includes(`black tea and a ${kind}`), true, found.stdout + found.stderr);
      const all = [...Deno.readDirSync(arena.at(".muxue_rag"))].map(({ name }) => name);
      const aside = all.filter((name) => name.endsWith(".aside"));
      equal(aside.length, isFull ? names.length : 0, kind);
      for (const name of aside) {
        equal(Deno.lstatSync(arena.at(`.muxue_rag/${name}/inner`)).isDirectory, true);
      }
    }
    deepEqual(await snapshot(arena.outside), before);
  },
);

attackOnLinux("links with the names of other data files are replaced or removed, not followed", async () => {
  await using arena = await arenaWithIndexOutside();
  for (const name of [".gitignore", "index.bin.00000000.tmp", "index.bin.0123abcd.tmp"]) {
    await link(arena.at(`.muxue_rag/${name}`), join(arena.outside, "secret.txt"));
  }
  const before = await snapshot(arena.outside);
  await writeFiles(arena.folder, { "more.md": "black tea\n" });
  const { code, stderr } = await arena.run`--dir ${arena.folder} --full`;
  equal(code, 0, stderr);
  deepEqual(await snapshot(arena.outside), before);
  const left = [...Deno.readDirSync(arena.at(".muxue_rag"))].map(({ name }) => name).sort();
  deepEqual(left, [".gitignore", "index.bin", "lock"]);
});

attackOnLinux(
  "a link as the file of a server's vectors is removed, and its target is neither read nor written",
  async () => {
    await using server = await EmbeddingServer.start();
    await using arena = await indexedArena({ ...NOTES, "refused.md": "black tea\n" }, {
      env: {
        ...ENGLISH,
        "MUXUE_RAG_EMBEDDING_PROVIDER": "openai-compatible",
        "MUXUE_RAG_EMBEDDING_BASE_URL": server.url,
        "MUXUE_RAG_EMBEDDING_MODEL": "test-embed",
        "MUXUE_RAG_EMBEDDING_BATCH_SIZE": "1",
        "MUXUE_RAG_EMBEDDING_CONCURRENCY": "1",
        "MUXUE_RAG_EMBEDDING_MAX_RETRIES": "0",
      },
    });
    const { folder, outside, run } = arena;
    server.rule = ({ input }) => input.some((text) => text.includes("black")) ? { status: 401 } : undefined;
    equal((await run`--dir ${folder}`).code, 0);
    const names = [...Deno.readDirSync(arena.at(".muxue_rag"))].map(({ name }) => name);
    const [file] = names.filter((name) => name.endsWith(".vec"));
    match(file!, /^server-[0-9a-f]{16}\.vec$/);
    const path = arena.at(`.muxue_rag/${file}`);

    // The target is a sound file, so it would be used if it were not behind a link.
    await Deno.rename(path, join(outside, "vectors"));
    await Deno.symlink(join(outside, "vectors"), path);
    const before = await snapshot(outside);
    server.requests.length = 0;
    server.rule = () => undefined;
    const { code, stderr } = await run`--dir ${folder}`;
    equal(code, 0, stderr);
    match(stderr, /server-[0-9a-f]{16}\.vec was .* so it was removed without being read/);
    equal(server.texts().some((text) => text.includes("green")), true);
    equal((await run`search tea --dir ${folder}`).code, 0);
    deepEqual(await snapshot(outside), before);
    equal((await Deno.lstat(path)).isFile, true);
  },
);

/** An arena whose index is in `beside("indexes")`, and a folder outside whose index holds the secret. */
async function arenaWithIndexDir(): Promise<Arena & { data: string; theirs: string }> {
  const arena = await makeArena(NOTES, { env: ENGLISH });
  const indexes = arena.beside("indexes");
  for (const dir of [arena.folder, arena.outside]) {
    const { code, stderr } = await arena.run`--dir ${dir} --index-dir ${indexes} --quiet`;
    equal(code, 0, stderr);
  }
  const [data, theirs] = [dataFolderIn(indexes, arena.folder), dataFolderIn(indexes, arena.outside)];
  return { ...arena, data, theirs };
}

/** As {@linkcode refused}, for each command with and without the flag. */
async function refusedBoth(arena: Arena, unsafe: string, commands: Commands): Promise<void> {
  const flag = ["--index-dir", arena.beside("indexes")];
  await refused(arena, unsafe, commands.flatMap((command) => [command, [...command, ...flag]]));
}

attackOnLinux("every command refuses a link as the data folder of --index-dir", async () => {
  await using arena = await arenaWithIndexDir();
  const { folder, data, outside, theirs } = arena;
  const dir = ["--dir", folder];
  const reading = [["status", ...dir], ["verify", ...dir], ["search", SECRET, "--no-update", ...dir]];
  const writing = [dir, ["clean", ...dir, "--yes"]];
  await link(data, theirs);
  await refusedBoth(arena, data, [...reading, ...writing]);
  await link(data, outside);
  await refusedBoth(arena, data, writing);
});

attackOnLinux("no command reads a link as the index in --index-dir", async () => {
  await using arena = await arenaWithIndexDir();
  const { folder, data, outside, theirs } = arena;
  const index = join(data, "index.bin");
  await link(index, join(theirs, "index.bin"));
  await refusedBoth(arena, index, [["status", "--dir", folder]]);
  const before = await snapshot(outside);
  const { code, stdout, stderr } = await arena.run`--dir ${folder}`;
  const isFile = (await Deno.lstat(index)).isFile;
  deepEqual([code, stdout.includes("secret.txt"), isFile], [0, false, true], stderr);
  deepEqual(await snapshot(outside), before);
});

Deno.test("an index that was copied into the data folder of another folder is not searched", async () => {
  await using arena = await arenaWithIndexDir();
  const { folder, data, theirs, run } = arena;
  await Deno.copyFile(join(theirs, "index.bin"), join(data, "index.bin"));
  const { stdout } = await run`search ${SECRET} --no-update --dir ${folder}`;
  equal(stdout.includes(SECRET), false, stdout);
  const verified = await run`verify --dir ${folder}`;
  deepEqual([verified.code, verified.stdout.includes("made for another folder")], [1, true]);
});

Deno.test("with --index-dir nothing is written into the folder", async () => {
  await using arena = await arenaWithIndexDir();
  const { folder } = arena;
  const before = await snapshot(folder);
  for (const command of ["--full", ["--index-dir", arena.beside("other")]]) {
    const { code, stderr } = await arena.run`--dir ${folder} ${command}`;
    equal(code, 0, stderr);
  }
  deepEqual(await snapshot(folder), before);
});
