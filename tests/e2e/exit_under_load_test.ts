import { ok } from "node:assert/strict";
import { startHttpProgram } from "./_http_program.ts";
import { openPipe, search } from "./_mcp_pipe.ts";
import { makeIndexed } from "./_program.ts";

const FILES = Object.fromEntries(
  Array.from(
    { length: 60 },
    (_, i) => [`note ${i}.md`, `# Note ${i}\n\n${"green tea and coffee ".repeat(400)}`],
  ),
);
const SEARCHES = 300;

Deno.test({
  name: "a server over stdio that has 300 searches to do ends by itself on SIGTERM",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using sandbox = await makeIndexed(FILES);
    const pipe = await openPipe(sandbox);
    await pipe.send(...Array.from({ length: SEARCHES }, (_, i) => search(i + 1, `tea ${i}`)));
    await pipe.receive(1);
    Deno.kill(pipe.pid, "SIGTERM");
    const { code } = await pipe.end({ keepStdin: true });
    // 137 would be the kill after a long wait.
    ok(code !== 137, `exit code ${code}`);
  },
});

Deno.test({
  name:
    "a server over HTTP that has 300 searches to do ends by itself on SIGTERM, and every client gets an answer or the end of its connection",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using sandbox = await makeIndexed(FILES);
    const server = await startHttpProgram(sandbox);
    const searches = Array.from({ length: SEARCHES }, async (_, i) => {
      try {
        const response = await fetch(server.url, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call",
            "Mcp-Name": "search_rag",
          },
          body: JSON.stringify({
            ...search(i + 1, `tea ${i}`),
            params: {
              name: "search_rag",
              arguments: { keyword: `tea ${i}` },
              _meta: {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
                "io.modelcontextprotocol/clientCapabilities": {},
              },
            },
          }),
        });
        return (await response.text()).includes('"id"') ? "answered" : "ended";
      } catch {
        return "ended";
      }
    });
    // Of so many clients at once, some are turned away before the first is answered.
    await Promise.any(searches.map(async (search) => ok(await search === "answered")));
    const code = await server.end();
    ok(code !== 137, `exit code ${code}`);
    ok((await Promise.all(searches)).includes("answered"));
  },
});
