import { deepEqual, equal } from "node:assert/strict";
import { call, openPipe, ping, search } from "../e2e/_mcp_pipe.ts";
import { indexedArena } from "./_arena.ts";
import { attack } from "./_attack.ts";

const DEEP = 200_000;
const envelope = (id: number, args: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"search_rag","arguments":${args}}}\n`;

/** Messages of a hostile client, with the code of the answer to each: of a tool, or of an error of the protocol. */
const MESSAGES: Record<string, readonly [message: (id: number) => string, code: number]> = {
  "lists in lists": [(id) => envelope(id, `{"keyword":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`), -32600],
  "objects in objects": [
    (id) => envelope(id, `{"keyword":${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}}`),
    -32600,
  ],
  "an argument that is a prototype": [
    (id) => envelope(id, '{"__proto__":{"keyword":"tea"},"constructor":{"prototype":{}}}'),
    500,
  ],
  "100,000 arguments": [
    (id) => envelope(id, `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join()}}`),
    -32600,
  ],
  "a keyword of 10 MB": [(id) => envelope(id, JSON.stringify({ keyword: "tea ".repeat(2_500_000) })), 500],
  "a path of 10 MB": [
    (id) => JSON.stringify(call(id, "read_raw_file", { "file_path": "../".repeat(3_000_000) })) + "\n",
    500,
  ],
  "a keyword of quotes and signs": [(id) => envelope(id, JSON.stringify({ keyword: '"-'.repeat(400) })), 200],
  "lines out of all range": [
    (id) =>
      JSON.stringify(
        call(id, "read_raw_file", { "file_path": "tea.md", "start_line": 9e15, "end_line": -1 }),
      ) + "\n",
    500,
  ],
  "a filter that is meant to hang": [
    (id) =>
      envelope(
        id,
        JSON.stringify({ keyword: "tea", path: "*a".repeat(2_000) + "b", type: ",".repeat(100_000) }),
      ),
    200,
  ],
};

attack(
  "the server answers each message of a hostile client and continues",
  async (start, context) => {
    await using arena = await indexedArena(start, {
      "tea.md": "green tea\n",
      [`${"a".repeat(100)}.md`]: "tea\n",
    });
    await using pipe = await openPipe(arena);
    let id = 0;
    for (const [name, [message, code]] of Object.entries(MESSAGES)) {
      await context.step(name, async () => {
        await pipe.send(message(++id));
        const answers = await pipe.receiveUntil(id);
        deepEqual(
          answers.map(({ result, error }) => error?.code ?? result.structuredContent.code),
          [code],
          JSON.stringify(answers).slice(0, 500),
        );
        equal(JSON.stringify(answers).length < 100_000, true);
      });
    }
    await context.step("30,000 requests at once", async () => {
      const first = ++id;
      const lines = Array.from({ length: 30_000 }, () => JSON.stringify(ping(id++)) + "\n");
      const sent = pipe.send(lines.join(""));
      equal((await pipe.receive(lines.length)).at(-1).id, first + lines.length - 1);
      await sent;
    });
    await pipe.send(search(++id, "green"));
    const [{ result }] = await pipe.receiveUntil(id);
    equal(result.structuredContent.data.file_info[0].file_name, "tea.md");
  },
);
