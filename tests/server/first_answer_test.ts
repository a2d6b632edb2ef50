import { deepEqual } from "node:assert/strict";
import fc from "fast-check";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { REVISIONS } from "#server/first_answer.ts";
import { type Message, startSession } from "./_session.ts";

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
