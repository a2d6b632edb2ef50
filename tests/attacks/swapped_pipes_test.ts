import { equal, ok } from "node:assert/strict";
import { call, openPipe, ping, search } from "../e2e/_mcp_pipe.ts";
import { indexedArena } from "./_arena.ts";
import { attack, ON_LINUX } from "./_attack.ts";
import { swapping } from "./_swapping.ts";

const READS = 400;

async function makePipe(path: string): Promise<void> {
  equal((await new Deno.Command("mkfifo", { args: [path] }).output()).success, true);
}

attack("a file that alternates with a pipe does not block the server", async (start) => {
  await using arena = await indexedArena(start, { "tea.md": "green tea\n", "other.md": "black tea\n" });
  await makePipe(arena.at(".pipe"));
  await using _swap = await swapping(arena.at("tea.md"), arena.at(".pipe"));
  await using pipe = await openPipe(arena, ["--dir", arena.folder, "--no-watch"]);
  const ended = new Set<string>();
  for (let id = 1; id <= READS; id++) {
    await pipe.send(call(id, "read_raw_file", { "file_path": "tea.md" }));
    const [answer] = (await pipe.receiveUntil(id)).slice(-1);
    const { code, message } = answer.result.structuredContent;
    ended.add(code === 200 ? "read" : message.replace(/[:：].*$/s, ""));
  }
  // Shows that the attack took place.
  ok(ended.size > 1, [...ended].join());
  await pipe.send(ping(READS + 1), search(READS + 2, "tea"));
  await pipe.receiveUntil(READS + 2);
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
