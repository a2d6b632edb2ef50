import { equal, ok } from "node:assert/strict";
import { posixTest } from "../_posix.ts";
import { searchOverHttp, startHttpProgram } from "./_http_program.ts";
import { openPipe, search } from "./_mcp_pipe.ts";
import { makeIndexed } from "./_program.ts";

const NOTE = "green tea and coffee ".repeat(400);
const FILES = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`note ${i}.md`, `# Note ${i}\n\n${NOTE}`]),
);
const SEARCHES = 300;

posixTest(
  "a server over stdio that has 300 searches to do ends by itself on SIGTERM",
  async () => {
    await using sandbox = await makeIndexed(FILES);
    const pipe = await openPipe(sandbox);
    await pipe.send(...Array.from({ length: SEARCHES }, (_, i) => search(i + 1, `tea ${i}`)));
    await pipe.receive(1);
    Deno.kill(pipe.pid, "SIGTERM");
    const { code } = await pipe.end({ keepStdin: true });
    // 137 would be the kill after a long wait.
    ok(code !== 137, `exit code ${code}`);
  },
);

posixTest(
  "a server over HTTP that has 300 searches to do ends by itself on SIGTERM, and every client gets an answer or the end of its connection",
  async () => {
    await using sandbox = await makeIndexed(FILES);
    const server = await startHttpProgram(sandbox);
    const ends = Array.from({ length: SEARCHES }, async (_, i) => {
      try {
        const response = await searchOverHttp(server.url, `tea ${i}`);
        return (await response.text()).includes('"id"') ? "answered" : "ended";
      } catch {
        return "ended";
      }
    });
    // Of so many clients at once, some are turned away before the first is answered.
    await Promise.any(ends.map(async (end) => equal(await end, "answered")));
    const code = await server.end();
    ok(code !== 137, `exit code ${code}`);
    ok((await Promise.all(ends)).includes("answered"));
  },
);
