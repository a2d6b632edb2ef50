import { equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { assertFuzzed } from "../_fuzz.ts";
import { openPipe, ping, search } from "../e2e/_mcp_pipe.ts";
import { indexedArena } from "./_arena.ts";
import { attack } from "./_attack.ts";

const TOOLS = ["search_rag", "read_raw_file", "read_document", "no_such_tool", "", "__proto__"];
const ARGUMENTS = [
  "keyword",
  "top_k",
  "mode",
  "path",
  "type",
  "lang",
  "file_path",
  "start_line",
  "end_line",
  "dir_path",
  "explain",
];
const METHODS = [
  ...[
    "tools/call",
    "tools/list",
    "initialize",
    "ping",
    "resources/read",
    "prompts/get",
    "completion/complete",
  ],
  ...[
    "notifications/cancelled",
    "notifications/initialized",
    "logging/setLevel",
    "no/such",
    "",
    "__proto__",
    "toString",
  ],
];

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e308,
    9007199254740993,
    "",
    "tea",
    "../../etc/passwd",
    "\0",
    "\ud800",
    [],
    {},
  ),
  fc.integer({ min: 1, max: 200_000 }).map((length) => "茶".repeat(length)),
  fc.integer({ min: 1, max: 2000 }).map((length) => Array(length).fill("tea")),
  fc.jsonValue(),
);
const args = fc.dictionary(fc.oneof(fc.constantFrom(...ARGUMENTS), fc.string({ maxLength: 5 })), value, {
  maxKeys: 5,
});
const params = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      name: fc.oneof(fc.constantFrom(...TOOLS), value),
      arguments: fc.oneof(args, value),
    }),
  },
  { weight: 1, arbitrary: value },
);
const message = fc.record({
  jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant("2.0") }, { weight: 1, arbitrary: value }),
  id: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 1000 }) }, { weight: 2, arbitrary: value }),
  method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, { weight: 1, arbitrary: value }),
  params,
}, { requiredKeys: [] });
const line = fc.oneof(
  { weight: 6, arbitrary: message.map((message) => JSON.stringify(message)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((batch) => JSON.stringify(batch)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " ")) },
  {
    weight: 2,
    arbitrary: fc.tuple(message, fc.double({ min: 0, max: 1, noNaN: true })).map(([message, share]) => {
      const text = JSON.stringify(message);
      return text.slice(0, Math.floor(text.length * share));
    }),
  },
).map((text) => new TextEncoder().encode(`${text}\n`));
const garbage = fc.oneof(
  { weight: 8, arbitrary: line },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.of(...bytes, 0x0a)) },
);

attack("a server answers and continues whatever a client sends", async (start) => {
  await using arena = await indexedArena(start, { "tea.md": "green tea\n" });
  await using pipe = await openPipe(arena);
  let id = 1_000_000;
  await assertFuzzed(
    fc.asyncProperty(fc.array(garbage, { minLength: 1, maxLength: 8 }), async (lines) => {
      for (const line of lines) await pipe.send(line);
      await pipe.send(ping(++id));
      const answers = await pipe.receiveUntil(id);
      equal(answers.at(-1).error, undefined);
      ok(JSON.stringify(answers).length < 2_000_000);
    }),
    150,
  );
  await pipe.send(search(++id, "green"));
  const [{ result }] = (await pipe.receiveUntil(id)).slice(-1);
  equal(result.structuredContent.data.file_info[0].file_name, "tea.md");
  const { code, stderr } = await pipe.end();
  equal(code, 0);
  equal(stderr.includes("internal"), false, stderr);
});
