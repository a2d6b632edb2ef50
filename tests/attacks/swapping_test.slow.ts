import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { call, openPipe } from "../e2e/_mcp_pipe.ts";
import { writeFiles } from "../e2e/_program.ts";
import { type Arena, attackOnLinux, indexedArena, makeArena, SECRET, snapshot } from "./_arena.ts";
import { swapping } from "./_swapping.ts";

/**
 * Number of requests for a file that is being swapped. It was always enough to find a flaw that one request in a hundred
 * shows.
 */
const READS = 1500;
const FILES = 40;

/** An arena with folders of the same file names: harmless files inside, and files with the secret outside. */
async function twins(): Promise<Arena> {
  const named = (text: string) =>
    Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`${at}.txt`, `${text} ${at}\n`]));
  const mine = Object.entries(named("harmless")).map(([name, text]) => [`mine/${name}`, text]);
  const arena = await indexedArena({ ...Object.fromEntries(mine), "mine.txt": "harmless\n" });
  await writeFiles(arena.outside, named(SECRET));
  await Deno.symlink(`${arena.outside}/0.txt`, arena.at("theirs.txt"));
  await Deno.symlink(arena.outside, arena.at("theirs"));
  return arena;
}

/** Reads a file {@linkcode READS} times while two paths are swapped. No answer may tell the secret. */
async function readsWhileSwapping(arena: Arena, dir: string, file: string, ...paths: [string, string]) {
  // The runtime cannot add a folder to a watch on Linux while renames follow each other without a pause.
  await using pipe = await openPipe(arena, ["--dir", dir, "--no-watch"]);
  // A check of change times would trust folders that were unchanged for this long.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await using _swap = await swapping(...paths);
  for (let id = 1; id <= READS; id++) await pipe.send(call(id, "read_raw_file", { "file_path": file }));
  const answers = await pipe.receive(READS);
  const ids = answers.map(({ id }) => id).sort((a, b) => a - b);
  deepEqual(ids, Array.from({ length: READS }, (_, at) => at + 1));
  const texts = new Set(answers.map(({ result }) => result.structuredContent.data?.raw_content));
  deepEqual([...texts].filter((text) => text?.includes(SECRET)), []);
  // Shows that the attack took place.
  equal(texts.has(undefined), true);
}

attackOnLinux(
  "a file or a folder that alternates with a link to a secret never reveals it to a reader",
  async () => {
    await using arena = await twins();
    const { folder, at } = arena;
    await readsWhileSwapping(arena, folder, "mine.txt", at("mine.txt"), at("theirs.txt"));
    await readsWhileSwapping(arena, folder, "mine/0.txt", at("mine"), at("theirs"));
  },
);

attackOnLinux(
  "a parent of the served folder that alternates with a link reveals nothing of its target",
  async () => {
    await using arena = await makeArena({});
    const { cwd, beside } = arena;
    await writeFiles(cwd, { "top/project/docs/a.md": "harmless\n", "outside/docs/a.md": `${SECRET}\n` });
    await Deno.symlink(arena.outside, beside("top/link"));
    const docs = beside("top/project/docs");
    await readsWhileSwapping(arena, docs, "a.md", join(docs, ".."), beside("top/link"));
  },
);

attackOnLinux(
  "a folder that alternates with a link to a secret does not bring it into the index",
  async () => {
    await using arena = await twins();
    const { folder } = arena;
    await using _swap = await swapping(arena.at("mine"), arena.at("theirs"));
    for (let run = 0; run < 3; run++) {
      const { stdout, stderr } = await arena.run`--dir ${folder} --full --json`;
      equal((stdout + stderr).includes(SECRET), false);
      const found = await arena.run`search ${SECRET} --dir ${folder} --no-update --mode keyword`;
      deepEqual([found.code, found.stdout], [0, "未检索到与关键词相关的内容\n"]);
    }
  },
);

attackOnLinux("a data folder that alternates with a link changes nothing at the target", async () => {
  await using arena = await twins();
  const target = `${arena.outside}/data`;
  await writeFiles(target, { "lock": SECRET, "index.bin": SECRET, ".gitignore": SECRET });
  const before = await snapshot(arena.outside);
  await Deno.symlink(target, arena.at(".theirs"));
  {
    await using _swap = await swapping(arena.at(".muxue_rag"), arena.at(".theirs"));
    for (let run = 0; run < 4; run++) {
      const { stdout, stderr } = await arena.run`--dir ${arena.folder} ${run % 2 ? ["--full"] : []}`;
      equal((stdout + stderr).includes(SECRET), false);
    }
  }
  deepEqual(await snapshot(arena.outside), before);
});

/** Makes a pipe that is swapped with a path. */
async function swappingWithPipe({ at }: Arena, path: string): Promise<AsyncDisposable> {
  equal((await new Deno.Command("mkfifo", { args: [at(".pipe")] }).output()).success, true);
  return await swapping(at(path), at(".pipe"));
}

attackOnLinux("a file that alternates with a pipe does not block the server", async () => {
  await using arena = await indexedArena({ "tea.md": "green tea\n", "other.md": "black tea\n" });
  await using _swap = await swappingWithPipe(arena, "tea.md");
  await using pipe = await openPipe(arena, ["--dir", arena.folder, "--no-watch"]);
  const ended = new Set<string>();
  for (let read = 0; read < 400; read++) {
    const { result } = await pipe.call("read_raw_file", { "file_path": "tea.md" });
    const { code, message } = result.structuredContent;
    ended.add(code === 200 ? "read" : message.replace(/[:：].*$/s, ""));
  }
  // Shows that the attack took place.
  ok(ended.size > 1, [...ended].join());
  await pipe.ask("ping");
  await pipe.search("tea");
  equal((await pipe.end()).code, 0);
});

attackOnLinux("an index that alternates with a pipe does not block a search", async () => {
  await using arena = await indexedArena({ "tea.md": "green tea\n" });
  await using _swap = await swappingWithPipe(arena, ".muxue_rag/index.bin");
  for (let run = 0; run < 4; run++) {
    const { code } = await arena.run`search tea --dir ${arena.folder} --no-update --quiet`;
    ok(code === 0 || code === 1);
  }
});
