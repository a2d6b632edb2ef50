import { deepEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { NO_LOG } from "#foundation/log.ts";
import { REVISIONS, startConnection } from "#server/first_answer.ts";
import { CONFIG, fakeLibrary, type Message, startSession } from "./_session.ts";

/** The first message of a server that gets a line, in one piece or in two, and its answer to a ping after it. */
async function answersTo(line: string, isWhole: boolean): Promise<Message[]> {
  await using session = await startSession({ raw: true });
  const pieces = isWhole ? [line + "\n"] : [line.slice(0, -1), line.slice(-1) + "\n"];
  for (const piece of pieces) await session.send(piece);
  const first = await session.receive();
  const { jsonrpc, result } = await session.request("ping");
  return [first, { jsonrpc, result }];
}

/** Without a whole line at once, the SDK answers. */
async function isAnsweredAlike(message: unknown): Promise<void> {
  const line = JSON.stringify(message);
  deepEqual(await answersTo(line, true), await answersTo(line, false), line);
}

const CLIENTS = [
  { capabilities: {}, clientInfo: { name: "test", version: "0" } },
  {
    capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
    clientInfo: { name: "a", version: "1", title: "A", websiteUrl: "no url", description: "…" },
  },
  {
    capabilities: { experimental: { x: {} }, tasks: {}, tools: true },
    clientInfo: { name: "a", version: "1", icons: [{ src: "data:," }] },
  },
];

Deno.test("a plain initialize in one piece is answered before the SDK is loaded, and other beginnings are not", async () => {
  const line = (client: unknown, method = "initialize") =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method,
      params: { protocolVersion: "1.0", ...client as object },
    });
  const [plain, detailed, experimental] = CLIENTS;
  const beginnings = [
    `${line(plain)}\n`,
    `${line(detailed)}\n`,
    `${line(experimental)}\n`,
    line(plain),
    `${line(plain, "ping")}\n`,
    "no JSON\n",
  ];
  const answered = await Promise.all(beginnings.map(async (text) => {
    const input = ReadableStream.from([new TextEncoder().encode(text)]);
    const output = new WritableStream<Uint8Array>();
    const options = {
      library: fakeLibrary(),
      language: "en",
      log: NO_LOG,
      version: "1.2.3",
      config: CONFIG,
    } as const;
    return (await startConnection({ ...options, input, output })).answered;
  }));
  deepEqual(answered, [7, 7, undefined, undefined, undefined, undefined]);
});

Deno.test("the answer that is sent before the SDK is loaded is the SDK's answer", async () => {
  for (const protocolVersion of [...REVISIONS, "2026-07-28", "1.0"]) {
    for (const client of CLIENTS) {
      await isAnsweredAlike({
        jsonrpc: "2.0",
        id: 7,
        method: "initialize",
        params: { protocolVersion, ...client },
      });
    }
  }
});

Deno.test("revisions with initialize are those of the SDK", () => {
  deepEqual([...REVISIONS], SUPPORTED_PROTOCOL_VERSIONS);
});

Deno.test("an initialize that is wrong or odd gets the SDK's answer", async () => {
  const odd = fc.constantFrom<unknown>(undefined, null, {}, [], "x", 1, true, { x: {} }, "x".repeat(2000));
  const or = (right: unknown) => fc.oneof({ weight: 6, arbitrary: fc.constant(right) }, odd);
  const record = (keys: Record<string, fc.Arbitrary<unknown>>) => fc.record(keys);
  const capability = fc.oneof(
    record({ listChanged: or(true), form: or(undefined), url: or({}), context: or({}) }),
    or({}),
  );
  const params = record({
    protocolVersion: or("2025-06-18"),
    capabilities: fc.oneof(
      record({
        roots: capability,
        sampling: capability,
        elicitation: capability,
        experimental: or(undefined),
        other: or(undefined),
      }),
      or({}),
    ),
    clientInfo: fc.oneof(
      record({ name: or("n"), version: or("v"), title: or("t"), description: or("d"), other: or(undefined) }),
      odd,
    ),
    _meta: or(undefined),
  });
  const message = record({
    jsonrpc: or("2.0"),
    id: fc.constantFrom<unknown>(1, "a", 0, -1, 1.5),
    method: fc.constant("initialize"),
    params: fc.oneof({ weight: 9, arbitrary: params }, odd),
    other: or(undefined),
  });
  await fc.assert(fc.asyncProperty(message, isAnsweredAlike), { numRuns: 150 });
});

Deno.test("a second initialize with the id of the first is answered, too", async () => {
  const line = JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", ...CLIENTS[0] },
  }) + "\n";
  for (const pieces of [[line + line], [line, line]]) {
    await using session = await startSession({ raw: true });
    for (const piece of pieces) await session.send(piece);
    deepEqual(await session.receive(), await session.receive());
    deepEqual(await session.end(), []);
  }
});

const ODD_FIRST = {
  "a line end of Windows": (line: string) => line.replace("\n", "\r\n"),
  "a byte order mark": (line: string) => `\ufeff${line}`,
  "an empty line before it": (line: string) => `\n${line}`,
  "text that is no JSON before it": (line: string) => `Hello\n${line}`,
  "a ping before it": (line: string) => `{"jsonrpc":"2.0","id":"p","method":"ping"}\n${line}`,
  "a list around it": (line: string) => `[${line.trim()}]\n`,
  "a key twice": (line: string) => line.replace("{", '{"id":6,'),
};

for (const [what, odd] of Object.entries(ODD_FIRST)) {
  Deno.test(`a first initialize with ${what} gets the answers that it gets in pieces`, async () => {
    const line = JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", ...CLIENTS[0] },
    });
    const bytes = new TextEncoder().encode(odd(`${line}\n`));
    const answers = [];
    for (const size of [bytes.length, 1]) {
      await using session = await startSession({ raw: true });
      for (let at = 0; at < bytes.length; at += size) await session.send(bytes.subarray(at, at + size));
      answers.push(await session.end());
    }
    deepEqual(answers[0], answers[1]);
  });
}

Deno.test("a client that says all at once, and closes its input, gets every answer once, that of initialize first", async () => {
  await using session = await startSession({ raw: true });
  const params = { protocolVersion: "2025-11-25", ...CLIENTS[0] };
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
    { jsonrpc: "2.0", id: "1", method: "ping" },
  ];
  await session.send(messages.map((message) => JSON.stringify(message) + "\n").join(""));
  const answers = await session.end();
  deepEqual(answers.map(({ id }) => id).toSorted(), [1, 2, "1"].toSorted());
  equal(answers[0].id, 1);
});
