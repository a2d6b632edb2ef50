import assert from "node:assert/strict";
import type { SearchAnswer } from "#library/search/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { serveMcp } from "#server/mod.ts";
import { CONFIG, fakeLibrary, hit, type Message, NOTHING_FOUND, searched, startSession } from "./_session.ts";
import fc from "fast-check";
import { LINE_TOO_LONG, readLines } from "#server/stdio.ts";
import { assertFuzzed } from "../_fuzz.ts";

const search = (id: number | string, keyword = "x") => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "search_rag", arguments: { keyword } },
});

/** The answer to a message without an id that can be read. */
const refused = (code: number, message: string) => ({ jsonrpc: "2.0", id: null, error: { code, message } });

const parseError = refused(-32700, "Parse error: a line must hold one JSON value in UTF-8");
const invalidRequest = refused(-32600, "Invalid request: not a JSON-RPC 2.0 message");

const cancellation = (requestId: number) => ({
  ...{ jsonrpc: "2.0", method: "notifications/cancelled" },
  params: { requestId },
});

/** A search that waits until it is released or aborted. */
function slowSearch() {
  const calls: { query: string; signal: AbortSignal; release: (answer: SearchAnswer) => void }[] = [];
  const library = fakeLibrary({
    search: ({ query }, signal) =>
      new Promise((resolve, reject) => {
        calls.push({ query, signal: signal!, release: resolve });
        signal!.addEventListener("abort", () => reject(signal!.reason));
      }),
  });
  return { calls, library };
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("invalid lines are answered with errors, and the server keeps running", async () => {
  await using session = await startSession();
  const cases: [string | Uint8Array, object][] = [
    ["hello\n", parseError],
    ['{"jsonrpc":"2.0","id":1\n', parseError],
    [Uint8Array.of(0x22, 0xff, 0xfe, 0x22, 0x0a), parseError],
    ["42\n", invalidRequest],
    ["null\n", invalidRequest],
    ["[]\n", invalidRequest],
    ["{}\n", invalidRequest],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}\n', invalidRequest],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}\n', invalidRequest],
  ];
  for (const [line, answer] of cases) {
    await session.send(line);
    assert.deepEqual(await session.receive(), answer);
  }
  assert.deepEqual((await session.request("ping")).result, {});
});

Deno.test("empty lines, carriage returns, a byte order mark and unexpected answers are accepted without an answer", async () => {
  await using session = await startSession();
  await session.send('\n\r\n  \n{"jsonrpc":"2.0","id":77,"result":{}}\n');
  await session.send('{"jsonrpc":"2.0","method":"notifications/unknown"}\n');
  await session.send('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n');
  assert.deepEqual(await session.receive(), { jsonrpc: "2.0", id: 1, result: {} });
});

Deno.test("a message may arrive in pieces that split a character", async () => {
  const { requests, library } = searched();
  await using session = await startSession({ library });
  for (const byte of new TextEncoder().encode(JSON.stringify(search(1, "木雪🍵")) + "\n")) {
    await session.send(Uint8Array.of(byte));
  }
  assert.equal((await session.receive()).id, 1);
  assert.deepEqual(requests, [{ query: "木雪🍵" }]);
});

Deno.test("a batch is answered message by message", async () => {
  await using session = await startSession();
  await session.send(JSON.stringify([search(1), { jsonrpc: "2.0", id: 2, method: "ping" }, 3]) + "\n");
  const answers = [await session.receive(), await session.receive(), await session.receive()];
  assert.deepEqual(answers.map((answer) => answer.id).sort(), [1, 2, null]);
});

Deno.test("a line over 16 MB is answered with a parse error and skipped to its end", async () => {
  await using session = await startSession();
  const megabyte = new Uint8Array(1 << 20).fill(0x20);
  for (let i = 0; i < 17; i++) await session.send(megabyte);
  assert.deepEqual(await session.receive(), refused(-32700, "Parse error: line over 16777216 bytes"));
  await session.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
  assert.equal((await session.receive()).id, 2);
});

Deno.test("an answer of more than 10 MB, which ends the session of an official client, is replaced by an error", async () => {
  const hits = [hit({ section: ["x".repeat(5_200_000)] })];
  await using session = await startSession(searched({ hits }));
  await session.send(search(1));
  const answer = refused(-32603, "The answer is too large for one message. Ask for a smaller part");
  assert.deepEqual(await session.receive(), { ...answer, id: 1 });
  assert.deepEqual((await session.request("ping")).result, {});
});

Deno.test("each of ten concurrent searches gets its answer", async () => {
  await using session = await startSession({
    library: fakeLibrary({
      search: async ({ query }) => {
        await tick();
        return { ...NOTHING_FOUND, hits: [hit({ content: `about ${query}` })] };
      },
    }),
  });
  const answers = await Promise.all(Array.from({ length: 10 }, async (_, i) => {
    await session.send(search(i, `q${i}`));
    return await session.receive();
  }));
  assert.deepEqual(
    answers.map(({ id, result }) => [id, result.structuredContent.data.match_content[0].content])
      .sort(([a], [b]) => a - b),
    Array.from({ length: 10 }, (_, i) => [i, `about q${i}`]),
  );
});

Deno.test("a flood of 10,000 requests is answered completely, with at most 64 in progress", async () => {
  let running = 0;
  let most = 0;
  await using session = await startSession({
    library: fakeLibrary({
      search: async () => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        return NOTHING_FOUND;
      },
    }),
  });
  const lines = Array.from({ length: 10_000 }, (_, id) => JSON.stringify(search(id)) + "\n").join("");
  void session.send(lines);
  const ids = new Set<number>();
  while (ids.size < 10_000) ids.add((await session.receive()).id);
  assert.ok(most <= 64, `${most} at once`);
});

Deno.test("if the client does not read, at most 64 searches or two reads are started", async () => {
  const CALLS = [["search_rag", { keyword: "x" }, 64], ["read_raw_file", { file_path: "x" }, 2]] as const;
  for (const [tool, args, limit] of CALLS) {
    let started = 0;
    const count = () => {
      started++;
      return Promise.reject(new Error("enough"));
    };
    await using session = await startSession({ library: fakeLibrary({ search: count, readRawFile: count }) });
    for (let id = 0; id < 200; id++) {
      await session.send({ ...search(id), params: { name: tool, arguments: args } });
    }
    for (let i = 0; i < 50; i++) await tick();
    assert.ok(started <= limit + 1, `${started} ${tool} started`);
    for (let i = 0; i < 200; i++) await session.receive();
    assert.equal(started, 200);
  }
});

Deno.test("a cancelled search is aborted and not answered", async () => {
  const { calls, library } = slowSearch();
  await using session = await startSession({ library });
  await session.send(search(1));
  while (calls.length === 0) await tick();
  await session.send(cancellation(1));
  assert.deepEqual((await session.request("ping")).result, {});
  assert.equal(calls[0]!.signal.aborted, true);
});

Deno.test("a cancellation frees capacity, and reaches requests that wait for it", async () => {
  const { calls, library } = slowSearch();
  await using session = await startSession({ library });
  for (let id = 0; id < 66; id++) await session.send(search(id, `q${id}`));
  while (calls.length < 64) await tick();
  await session.send(cancellation(64));
  await session.send(cancellation(0));
  while (calls.length < 65) await tick();
  assert.equal(calls[64]!.query, "q65");
  calls[64]!.release(NOTHING_FOUND);
  assert.equal((await session.receive()).id, 65);
});

Deno.test("requests sent before stdin was closed are still answered", async () => {
  const session = await startSession();
  for (let id = 0; id < 100; id++) await session.send(search(id));
  assert.equal((await session.end()).length, 100);
});

Deno.test("closing stdin aborts a search that hangs, and ends the server", async () => {
  const { calls, library } = slowSearch();
  const session = await startSession({ library });
  for (let id = 0; id < 100; id++) await session.send(search(id));
  assert.deepEqual(await session.end(), []);
  assert.equal(calls.length, 64);
  assert.ok(calls.every(({ signal }) => signal.aborted));
});

Deno.test("an incomplete line at the end of stdin is ignored", async () => {
  const session = await startSession();
  await session.send('{"jsonrpc":"2.0","id":1,"meth');
  assert.deepEqual(await session.end(), []);
});

Deno.test("the server ends without an error when the client closes its output", async () => {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const writer = input.writable.getWriter();
  const nothing = () => {};
  let writes = 0;
  const served = serveMcp({
    config: CONFIG,
    language: "en",
    library: fakeLibrary(),
    log: NO_LOG,
    version: "0",
    input: input.readable,
    output: new WritableStream({
      write: () => {
        writes++;
        return Promise.reject(new Deno.errors.BrokenPipe("Broken pipe (os error 32)"));
      },
    }),
  });
  const message: Message = { jsonrpc: "2.0", id: 1, method: "ping" };
  writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n")).catch(nothing);
  await served;
  await writer.closed.catch(nothing);
  assert.equal(writes, 1);
});

async function linesOf(pieces: readonly string[], maxBytes: number): Promise<string[]> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const stream = ReadableStream.from(pieces.map((piece) => encoder.encode(piece)));
  const lines: string[] = [];
  for await (const line of readLines(stream.getReader(), maxBytes)) {
    lines.push(line === LINE_TOO_LONG ? "too long" : decoder.decode(line));
  }
  return lines;
}

Deno.test("readLines() yields the same lines wherever the stream is split", async () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 8 });
  await assertFuzzed(
    fc.asyncProperty(fc.array(piece), fc.integer({ min: 1, max: 6 }), async (pieces, max) => {
      const expected = pieces.join("").split("\n");
      const unfinished = expected.pop()!;
      const lines = expected.map((line) => line.length > max ? "too long" : line);
      if (unfinished.length > max) lines.push("too long");
      assert.deepEqual(await linesOf(pieces, max), lines);
    }),
    100,
  );
});

Deno.test("readLines() reports a line that is too long once, before the line ends", async () => {
  assert.deepEqual(await linesOf(["abc", "def", "ghi\nx", "\ny"], 5), ["too long", "x"]);
});
