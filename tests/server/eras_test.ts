import assert from "node:assert/strict";
import { fakeLibrary, META, NOTHING_FOUND, startSession } from "./_session.ts";

const UNSUPPORTED = {
  code: -32022,
  message: "Unsupported protocol version: 2027-01-01",
  data: { supported: ["2026-07-28"], requested: "2027-01-01" },
};

Deno.test("each request is served in the protocol that it names itself", async () => {
  await using session = await startSession({ raw: true });
  const modern = () => session.request("tools/list", { _meta: META });
  const first = await modern();
  assert.deepEqual([first.result.resultType, first.result.ttlMs, first.result.cacheScope], [
    "complete",
    300_000,
    "private",
  ]);
  const initialized = await session.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "old", version: "0" },
  });
  assert.equal(initialized.result.protocolVersion, "2025-06-18");
  const old = await session.request("tools/list");
  assert.deepEqual(Object.keys(old.result), ["tools"]);
  assert.deepEqual((await modern()).result.ttlMs, 300_000);
  assert.deepEqual((await session.request("ping")).result, {});
});

Deno.test("a revision that the program does not speak is refused in every request that names it", async () => {
  await using session = await startSession({ raw: true });
  const unknown = { ...META, "io.modelcontextprotocol/protocolVersion": "2027-01-01" };
  assert.deepEqual((await session.request("server/discover", { _meta: unknown })).error, UNSUPPORTED);
  assert.deepEqual((await session.request("server/discover", { _meta: META })).result.supportedVersions, [
    "2026-07-28",
  ]);
  assert.deepEqual((await session.request("tools/list", { _meta: unknown })).error, UNSUPPORTED);
  const incomplete = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  assert.equal((await session.request("tools/list", { _meta: incomplete })).error.code, -32602);
});

Deno.test("a cancellation reaches the request of either protocol", async () => {
  const aborted: string[] = [];
  const library = fakeLibrary({
    search: ({ query }, signal) =>
      new Promise((resolve) => {
        if (query === "quick") return resolve(NOTHING_FOUND);
        signal!.addEventListener("abort", () => aborted.push(query));
      }),
  });
  await using session = await startSession({ library });
  const call = (id: string, keyword: string, meta?: object) =>
    session.send({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "search_rag", arguments: { keyword }, ...(meta && { _meta: meta }) },
    });
  await call("m", "modern", META);
  await call("l", "legacy");
  await session.request("tools/call", { name: "search_rag", arguments: { keyword: "quick" } });
  for (const requestId of ["m", "l"]) {
    await session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  }
  await session.request("ping");
  assert.deepEqual(aborted.sort(), ["legacy", "modern"]);
});

Deno.test("a cancellation reaches a request that has the id of a cancelled one of the other protocol", async () => {
  const aborted: string[] = [];
  let begun = Promise.withResolvers<void>();
  const library = fakeLibrary({
    search({ query }, signal) {
      begun.resolve();
      return new Promise(() => signal!.addEventListener("abort", () => aborted.push(query)));
    },
  });
  await using session = await startSession({ library });
  for (const [keyword, meta] of [["modern", META], ["legacy", undefined], ["modern again", META]] as const) {
    const params = { name: "search_rag", arguments: { keyword }, ...(meta && { _meta: meta }) };
    await session.send({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
    await begun.promise;
    begun = Promise.withResolvers();
    await session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    await session.request("ping");
  }
  assert.deepEqual(aborted, ["modern", "legacy", "modern again"]);
});

Deno.test("wrong parameters are named in a plain sentence, with the code for them", async () => {
  await using session = await startSession();
  const problem = async (method: string, params?: Record<string, unknown>) =>
    (await session.request(method, params)).error;
  assert.deepEqual(await problem("tools/call", { name: 3, arguments: [] }), {
    code: -32602,
    message: "Invalid parameters of tools/call: name must be text; arguments must be an object",
  });
  assert.deepEqual(await problem("tools/call"), {
    code: -32602,
    message: "Invalid parameters of tools/call: name is required",
  });
  assert.deepEqual(await problem("tools/list", { cursor: 7, _meta: META }), {
    code: -32602,
    message: "Invalid parameters of tools/list: cursor must be text",
  });
  assert.deepEqual(await problem("initialize", {}), {
    code: -32602,
    message:
      "Invalid parameters of initialize: protocolVersion is required; capabilities is required; clientInfo is required",
  });
});
