import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { call, openPipe, ping, search } from "../e2e/_mcp_pipe.ts";
import { type Arena, indexedArena, makeArena, SECRET, snapshot } from "./_arena.ts";
import { attack, ON_LINUX } from "./_attack.ts";
import { swapping } from "./_swapping.ts";

/**
 * Number of requests for a file that is being swapped. It was always enough to find a flaw that one request in a hundred
 * shows.
 */
const READS = 1500;
const FILES = 40;

/** An arena with folders of the same file names: harmless files inside, and files with the secret outside. */
async function twins(start: Parameters<typeof indexedArena>[0]): Promise<Arena> {
  const names = Array.from({ length: FILES }, (_, at) => `${at}.txt`);
  const files = Object.fromEntries(names.map((name) => [`mine/${name}`, `harmless ${name}\n`]));
  const arena = await indexedArena(start, { ...files, "mine.txt": "harmless\n" });
  for (const name of names) await Deno.writeTextFile(`${arena.outside}/${name}`, `${SECRET} ${name}\n`);
  await Deno.symlink(`${arena.outside}/0.txt`, arena.at("theirs.txt"));
  await Deno.symlink(arena.outside, arena.at("theirs"));
  return arena;
}

attack(
  "a file or a folder that alternates with a link to a secret never reveals it to a reader",
  async (start, context) => {
    await using arena = await twins(start);
    // The runtime cannot add a folder to a watch on Linux while renames follow each other without a pause.
    await using pipe = await openPipe(arena, ["--dir", arena.folder, "--no-watch"]);
    let id = 0;
    for (const [mine, theirs] of [["mine.txt", "theirs.txt"], ["mine", "theirs"]] as const) {
      await context.step(`${mine} is read`, async () => {
        await using _swap = await swapping(arena.at(mine), arena.at(theirs));
        const filePath = mine === "mine" ? "mine/0.txt" : mine;
        const first = id + 1;
        for (let i = 0; i < READS; i++) {
          await pipe.send(call(++id, "read_raw_file", { "file_path": filePath }));
        }
        const answers = await pipe.receive(READS);
        deepEqual(
          answers.map((answer) => answer.id).sort((a, b) => a - b),
          answers.map((_, at) => first + at),
        );
        const texts = new Set(answers.map(({ result }) => result.structuredContent.data?.raw_content));
        deepEqual([...texts].filter((text) => text?.includes(SECRET)), []);
        // Shows that the attack took place.
        equal(texts.has(undefined), true);
      });
    }
  },
  { ignore: !ON_LINUX },
);

attack(
  "a parent of the served folder that alternates with a link reveals nothing of its target",
  async (start) => {
    await using arena = await makeArena(start, {});
    for (const [path, text] of [["top/project/docs", "harmless"], ["outside/docs", SECRET]] as const) {
      await Deno.mkdir(arena.beside(path), { recursive: true });
      await Deno.writeTextFile(join(arena.beside(path), "a.md"), `${text}\n`);
    }
    await Deno.symlink(arena.outside, arena.beside("top/link"));
    await using pipe = await openPipe(arena, ["--dir", arena.beside("top/project/docs"), "--no-watch"]);
    // A check of change times would trust folders that were unchanged for this long.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await using _swap = await swapping(arena.beside("top/project"), arena.beside("top/link"));
    for (let id = 1; id <= READS; id++) await pipe.send(call(id, "read_raw_file", { "file_path": "a.md" }));
    const answers = await pipe.receive(READS);
    const texts = new Set(answers.map(({ result }) => result.structuredContent.data?.raw_content));
    deepEqual([...texts].filter((text) => text?.includes(SECRET)), []);
    // Shows that the attack took place.
    equal(texts.has(undefined), true);
  },
  { ignore: !ON_LINUX },
);

attack(
  "a folder that alternates with a link to a secret does not bring it into the index",
  async (start) => {
    await using arena = await twins(start);
    await using _swap = await swapping(arena.at("mine"), arena.at("theirs"));
    for (let run = 0; run < 3; run++) {
      const { stdout, stderr } = await arena.run("--dir", arena.folder, "--full", "--json");
      equal((stdout + stderr).includes(SECRET), false);
      const found = await arena.run(
        "search",
        SECRET,
        "--dir",
        arena.folder,
        "--no-update",
        "--mode",
        "keyword",
      );
      deepEqual([found.code, found.stdout], [0, "未检索到与关键词相关的内容\n"]);
    }
  },
  { ignore: !ON_LINUX },
);

attack("a data folder that alternates with a link changes nothing at the target", async (start) => {
  await using arena = await twins(start);
  const folder = arena.at(".muxue_rag");
  await Deno.mkdir(`${arena.outside}/data`);
  for (const name of ["lock", "index.bin", ".gitignore"]) {
    await Deno.writeTextFile(`${arena.outside}/data/${name}`, SECRET);
  }
  const before = await snapshot(arena.outside);
  await Deno.symlink(`${arena.outside}/data`, arena.at(".theirs"));
  {
    await using _swap = await swapping(folder, arena.at(".theirs"));
    for (let run = 0; run < 4; run++) {
      const { stdout, stderr } = await arena.run("--dir", arena.folder, ...(run % 2 ? ["--full"] : []));
      equal((stdout + stderr).includes(SECRET), false);
    }
  }
  deepEqual(await snapshot(arena.outside), before);
}, { ignore: !ON_LINUX });

const PIPE_READS = 400;

async function makePipe(path: string): Promise<void> {
  equal((await new Deno.Command("mkfifo", { args: [path] }).output()).success, true);
}

attack("a file that alternates with a pipe does not block the server", async (start) => {
  await using arena = await indexedArena(start, { "tea.md": "green tea\n", "other.md": "black tea\n" });
  await makePipe(arena.at(".pipe"));
  await using _swap = await swapping(arena.at("tea.md"), arena.at(".pipe"));
  await using pipe = await openPipe(arena, ["--dir", arena.folder, "--no-watch"]);
  const ended = new Set<string>();
  for (let id = 1; id <= PIPE_READS; id++) {
    const answer = await pipe.call("read_raw_file", { "file_path": "tea.md" });
    const { code, message } = answer.result.structuredContent;
    ended.add(code === 200 ? "read" : message.replace(/[:：].*$/s, ""));
  }
  // Shows that the attack took place.
  ok(ended.size > 1, [...ended].join());
  await pipe.send(ping(PIPE_READS + 1), search(PIPE_READS + 2, "tea"));
  await pipe.receiveUntil(PIPE_READS + 2);
  equal((await pipe.end()).code, 0);
}, { ignore: !ON_LINUX });

attack("an index that alternates with a pipe does not block a search", async (start) => {
  await using arena = await indexedArena(start, { "tea.md": "green tea\n" });
  await makePipe(arena.at(".pipe"));
  await using _swap = await swapping(arena.at(".muxue_rag/index.bin"), arena.at(".pipe"));
  for (let run = 0; run < 4; run++) {
    const { code } = await arena.run("search", "tea", "--dir", arena.folder, "--no-update", "--quiet");
    ok(code === 0 || code === 1);
  }
}, { ignore: !ON_LINUX });
