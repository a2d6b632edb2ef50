/** Attacks on the data folder: on `.muxue_rag`, and on the one of `--index-dir`. */
import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { dataFolderIn } from "#foundation/registry.ts";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { openPipe } from "../e2e/_mcp_pipe.ts";
import { type Arena, indexedArena, makeArena, SECRET, snapshot } from "./_arena.ts";
import { attack, ON_LINUX } from "./_attack.ts";

const NOTES = { "notes.md": "green tea\n" };

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
    const { code, stdout, stderr } = await arena.run(...command, "--language", "en");
    const said = `${command[0]}: ${stdout}${stderr}`;
    deepEqual([code, said.includes(reason), said.includes("secret.txt")], [1, true, false], said);
  }));
  deepEqual(await snapshot(arena.outside), before);
}

/** An arena with a backup beside it, and with the index of a folder outside that contains the secret. */
async function arenaWithIndexOutside(start: Parameters<typeof indexedArena>[0]): Promise<Arena> {
  const arena = await indexedArena(start, NOTES);
  const { outside, beside } = arena;
  equal((await arena.run("backup", "--dir", arena.folder, "--backup-path", beside("backup"))).code, 0);
  equal((await arena.run("--dir", outside)).code, 0);
  return arena;
}

attack(
  "every command refuses a link as .muxue_rag and writes nothing to its target",
  async (start) => {
    await using arena = await arenaWithIndexOutside(start);
    const path = arena.at(".muxue_rag");
    await Deno.remove(path, { recursive: true });
    await Deno.symlink(join(arena.outside, ".muxue_rag"), path);
    const commands = commandsOf(arena);
    await refused(arena, path, Object.values(commands));
    // A link to a folder without an index, and a dangling link.
    for (const target of [arena.outside, join(arena.outside, "nothing")]) {
      await Deno.remove(path);
      await Deno.symlink(target, path);
      await refused(arena, path, [commands.index, commands.restore]);
    }
  },
  { ignore: !ON_LINUX },
);

attack("the server does not search a link that replaces .muxue_rag or its index", async (start) => {
  await using arena = await arenaWithIndexOutside(start);
  const [folder, index] = [arena.at(".muxue_rag"), arena.at(".muxue_rag/index.bin")];
  await using pipe = await openPipe(arena);
  const found = async () => {
    const { result: { structuredContent } } = await pipe.search(SECRET);
    return [structuredContent.code, structuredContent.message];
  };
  deepEqual(await found(), [200, "未检索到与关键词相关的内容"]);
  const notReady = [500, "RAG数据库未就绪，请先处理目标目录构建数据库"];
  await Deno.rename(index, `${index}.old`);
  await Deno.symlink(join(arena.outside, ".muxue_rag/index.bin"), index);
  deepEqual(await found(), notReady);
  await Deno.rename(folder, `${folder}.old`);
  await Deno.symlink(join(arena.outside, ".muxue_rag"), folder);
  deepEqual(await found(), notReady);
  await Deno.remove(folder);
  await Deno.rename(`${folder}.old`, folder);
  await Deno.rename(`${index}.old`, index);
  deepEqual(await found(), [200, "未检索到与关键词相关的内容"]);
}, { ignore: !ON_LINUX });

attack(
  "no command reads a link as the index, and commands that write it replace the link",
  async (start) => {
    await using arena = await arenaWithIndexOutside(start);
    const path = arena.at(".muxue_rag/index.bin");
    const linkTo = async (target: string) => {
      await Deno.remove(path).catch(() => {});
      await Deno.symlink(join(arena.outside, target), path);
    };
    const { index, full, search, searchOnly, status, clean, backup, restore } = commandsOf(arena);
    await linkTo(".muxue_rag/index.bin");
    await refused(arena, path, [searchOnly, status, backup]);
    const before = await snapshot(arena.outside);
    for (const command of [index, search, full, restore]) {
      await linkTo(".muxue_rag/index.bin");
      const { code, stdout, stderr } = await arena.run(...command);
      deepEqual([code, (await Deno.lstat(path)).isFile], [0, true], stderr);
      equal(stdout.includes("secret.txt"), false);
    }
    await linkTo("secret.txt");
    const { code, stderr } = await arena.run(...clean);
    equal(code, 0, stderr);
    deepEqual(await snapshot(arena.outside), before);
  },
  { ignore: !ON_LINUX },
);

attack("commands that write replace a link as the lock and do not write to its target", async (start) => {
  await using arena = await arenaWithIndexOutside(start);
  const path = arena.at(".muxue_rag/lock");
  const { index, full, search, clean, restore } = commandsOf(arena);
  const before = await snapshot(arena.outside);
  for (
    const [target, commands] of [["secret.txt", [index, full, search, restore, clean]], ["nothing", [
      index,
    ]]] as const
  ) {
    for (const command of commands) {
      await Deno.mkdir(arena.at(".muxue_rag"), { recursive: true });
      await Deno.remove(path).catch(() => {});
      await Deno.symlink(join(arena.outside, target), path);
      const { code, stderr } = await arena.run(...command);
      const isFile = command === clean ? true : (await Deno.lstat(path)).isFile;
      deepEqual([code, isFile], [0, true], `${command[0]} ${stderr}`);
    }
  }
  deepEqual(await snapshot(arena.outside), before);
  // A second name of a file elsewhere.
  await Deno.remove(path);
  await Deno.link(join(arena.outside, "secret.txt"), path);
  const { code, stderr } = await arena.run(...index);
  deepEqual([code, (await Deno.lstat(path)).nlink], [0, 1], stderr);
  deepEqual(await snapshot(arena.outside), before);
}, { ignore: !ON_LINUX });

const PLACES = [
  "index.bin",
  "changes.bin",
  "lock",
  "recognised",
  "neural-0123456789abcdef.vec",
  "server-0123456789abcdef.vec",
];

attack(
  "a link, a pipe or a folder in the place of a data file is taken away once, and the folder is indexed",
  async (start) => {
    await using arena = await indexedArena(start, NOTES);
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
      await Deno.writeTextFile(arena.at("more.md"), `black tea and a ${kind}\n`);
      const said = isFull ? "so it was renamed to" : "so it was removed without being read";
      const run = async () => {
        const { code, stdout, stderr } = await arena.run("--dir", arena.folder, "--language", "en");
        equal(code, 0, stderr);
        const lines = (stdout + stderr).split("\n").filter((line) => line.includes(said));
        return names.filter((_, i) => lines.some((line) => line.includes(`${paths[i]} was `)));
      };
      deepEqual([await run(), await run()], [names, []], kind);
      const found = await arena.run("search", kind, "--dir", arena.folder, "--no-update");
      equal(found.stdout.includes(`black tea and a ${kind}`), true, found.stdout + found.stderr);
      const aside = [...Deno.readDirSync(arena.at(".muxue_rag"))].filter(({ name }) =>
        name.endsWith(".aside")
      );
      equal(aside.length, isFull ? names.length : 0, kind);
      for (const { name } of aside) {
        equal(Deno.lstatSync(arena.at(`.muxue_rag/${name}/inner`)).isDirectory, true);
      }
    }
    deepEqual(await snapshot(arena.outside), before);
  },
  { ignore: !ON_LINUX },
);

attack("links with the names of other data files are replaced or removed, not followed", async (start) => {
  await using arena = await arenaWithIndexOutside(start);
  const target = join(arena.outside, "secret.txt");
  const links = [".gitignore", "index.bin.00000000.tmp", "index.bin.0123abcd.tmp"].map((name) =>
    arena.at(`.muxue_rag/${name}`)
  );
  await Deno.remove(links[0]!);
  for (const link of links) await Deno.symlink(target, link);
  const before = await snapshot(arena.outside);
  await Deno.writeTextFile(arena.at("more.md"), "black tea\n");
  const { code, stderr } = await arena.run("--dir", arena.folder, "--full");
  equal(code, 0, stderr);
  deepEqual(await snapshot(arena.outside), before);
  const left = (await Array.fromAsync(Deno.readDir(arena.at(".muxue_rag")))).map(({ name }) => name).sort();
  deepEqual(left, [".gitignore", "index.bin", "lock"]);
}, { ignore: !ON_LINUX });

attack(
  "a link as the file of a server's vectors is removed, and its target is neither read nor written",
  async (start) => {
    await using arena = await indexedArena(start, { ...NOTES, "refused.md": "black tea\n" });
    await using server = await EmbeddingServer.start();
    Object.assign(arena.env, {
      "MUXUE_RAG_LANGUAGE": "en",
      "MUXUE_RAG_EMBEDDING_PROVIDER": "openai-compatible",
      "MUXUE_RAG_EMBEDDING_BASE_URL": server.url,
      "MUXUE_RAG_EMBEDDING_MODEL": "test-embed",
      "MUXUE_RAG_EMBEDDING_BATCH_SIZE": "1",
      "MUXUE_RAG_EMBEDDING_CONCURRENCY": "1",
      "MUXUE_RAG_EMBEDDING_MAX_RETRIES": "0",
    });
    server.rule = ({ input }) => input.some((text) => text.includes("black")) ? { status: 401 } : undefined;
    equal((await arena.run("--dir", arena.folder)).code, 0);
    const names = [...Deno.readDirSync(arena.at(".muxue_rag"))].map(({ name }) => name);
    const [file] = names.filter((name) => name.endsWith(".vec"));
    match(file!, /^server-[0-9a-f]{16}\.vec$/);
    const path = arena.at(`.muxue_rag/${file}`);

    // The target is a sound file, so it would be used if it were not behind a link.
    await Deno.rename(path, join(arena.outside, "vectors"));
    await Deno.symlink(join(arena.outside, "vectors"), path);
    const before = await snapshot(arena.outside);
    server.requests.length = 0;
    server.rule = () => undefined;
    const { code, stderr } = await arena.run("--dir", arena.folder);
    equal(code, 0, stderr);
    match(stderr, /server-[0-9a-f]{16}\.vec was .* so it was removed without being read/);
    equal(server.texts().some((text) => text.includes("green")), true);
    const search = await arena.run("search", "tea", "--dir", arena.folder);
    equal(search.code, 0);
    deepEqual(await snapshot(arena.outside), before);
    equal((await Deno.lstat(path)).isFile, true);
  },
  { ignore: !ON_LINUX },
);

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

/** As {@linkcode refused}, for each command with and without the flag. */
async function refusedBoth(arena: Arena, unsafe: string, commands: Commands): Promise<void> {
  const flag = ["--index-dir", arena.beside("indexes")];
  await refused(arena, unsafe, commands.flatMap((command) => [command, [...command, ...flag]]));
}

attack("every command refuses a link as the data folder of --index-dir", async (start) => {
  await using arena = await arenaWithIndexDir(start);
  const { folder, data, outside } = arena;
  await Deno.remove(data, { recursive: true });
  const dir = ["--dir", folder];
  const reading = [["status", ...dir], ["verify", ...dir], ["search", SECRET, "--no-update", ...dir]];
  const writing = [dir, ["clean", ...dir, "--yes"]];
  await Deno.symlink(dataFolderIn(arena.beside("indexes"), outside), data);
  await refusedBoth(arena, data, [...reading, ...writing]);
  await Deno.remove(data);
  await Deno.symlink(outside, data);
  await refusedBoth(arena, data, writing);
}, { ignore: !ON_LINUX });

attack("no command reads a link as the index in --index-dir", async (start) => {
  await using arena = await arenaWithIndexDir(start);
  const { folder, data, outside } = arena;
  const index = join(data, "index.bin");
  await Deno.remove(index);
  await Deno.symlink(join(dataFolderIn(arena.beside("indexes"), outside), "index.bin"), index);
  await refusedBoth(arena, index, [["status", "--dir", folder]]);
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
