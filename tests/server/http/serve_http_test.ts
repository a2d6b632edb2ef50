import assert, { deepEqual } from "node:assert/strict";
import { AUTHORITY, SELF_SIGNED } from "../../models/embedding/_self_signed.ts";
import type { OriginalFile, SearchAnswer } from "#library/search/mod.ts";
import { fakeLibrary, hit, type Message, META, NOTHING_FOUND, ROOT, searched } from "../_session.ts";
import { answerOf, get, type HttpSession, INITIALIZE, startHttpSession } from "./_http_session.ts";
import { InMemoryServerEventBus } from "@modelcontextprotocol/server";
import { Notes } from "#server/mod.ts";
import { file, libraryOf } from "../resources/_documents.ts";

const FOUND = searched({ hits: [hit()] }).library;

const CALL = { name: "search_rag", arguments: { keyword: "tea" } };

async function begin(session: HttpSession): Promise<Record<string, string>> {
  const response = await session.post(INITIALIZE);
  const headers = { "Mcp-Session-Id": response.headers.get("mcp-session-id")! };
  await response.text();
  const initialized = await session.post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers);
  assert.deepEqual([initialized.status, await initialized.text()], [202, ""]);
  return headers;
}

Deno.test("a client with a session and one without get the same answer from one server", async () => {
  await using session = await startHttpSession({ library: FOUND });
  const headers = await begin(session);
  const call = { jsonrpc: "2.0", id: "a", method: "tools/call", params: CALL };
  const old = await answerOf(await session.post(call, headers));
  assert.equal(old.id, "a");
  const { result } = await session.request("tools/call", CALL);
  assert.deepEqual([result.structuredContent, result.content], [
    old.result.structuredContent,
    old.result.content,
  ]);
  assert.equal(result.structuredContent.data.file_info[0].file_path, `${ROOT}/tea.md`);
});

Deno.test("a session ends with DELETE, and its id is unknown then", async () => {
  await using session = await startHttpSession();
  const headers = await begin(session);
  const deleted = await fetch(session.url, { method: "DELETE", headers });
  assert.deepEqual([deleted.status, await deleted.text()], [200, ""]);
  const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };
  const gone = await session.post(list, headers);
  assert.deepEqual([gone.status, await gone.json()], [404, {
    jsonrpc: "2.0",
    error: { code: -32001, message: "Session not found: send initialize to begin a new one" },
    id: 7,
  }]);
  const without = await session.post(list);
  assert.deepEqual([without.status, (await without.json()).id], [400, 7]);
});

Deno.test("a session refuses a request with the id of one that has no answer yet", async () => {
  const { promise: found, resolve } = Promise.withResolvers<SearchAnswer>();
  await using session = await startHttpSession({ library: fakeLibrary({ search: () => found }) });
  const headers = await begin(session);
  const call = { jsonrpc: "2.0", id: "a", method: "tools/call", params: CALL };
  const first = await session.post(call, headers);
  const error = {
    code: -32600,
    message: "Invalid request: another request with the same id has no answer yet",
  };
  const ping = { jsonrpc: "2.0", id: "b", method: "ping" };
  const bodies = [[call, "a"], [{ ...call, params: {} }, "a"], [[ping, call], null], [[ping, ping], null]];
  for (const [body, id] of bodies) {
    const second = await session.post(body, headers);
    assert.deepEqual([second.status, await second.json()], [400, { jsonrpc: "2.0", error, id }]);
  }
  resolve({ hits: [hit()], seconds: 0.002, notices: [] });
  assert.equal((await answerOf(first)).id, "a");
  assert.equal((await answerOf(await session.post(call, headers))).id, "a");
});

/** Requests that wait, according to `/metrics`. */
async function waiting(session: HttpSession): Promise<number> {
  const [, text] = await get(new URL("/metrics", session.url).href);
  return Number(/^muxue_rag_waiting_requests (\d+)$/m.exec(text)![1]);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!await isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("a storm of cancelled requests stops their work, and frees the server for others", async () => {
  let running = 0;
  let most = 0;
  const library = fakeLibrary({
    search: ({ query }, signal) =>
      query === "tea" ? Promise.resolve(NOTHING_FOUND) : new Promise((_, reject) => {
        most = Math.max(most, ++running);
        signal!.addEventListener("abort", () => {
          running--;
          reject(signal!.reason);
        });
      }),
  });
  await using session = await startHttpSession({ library });
  const endless = { ...CALL, arguments: { keyword: "endless" } };
  for (let round = 0; round < 5; round++) {
    const gone = new AbortController();
    const searches = Array.from(
      { length: 100 },
      () => assert.rejects(session.request("tools/call", endless, gone.signal), { name: "AbortError" }),
    );
    await until(async () => running + await waiting(session) === 100);
    assert.equal(running, 64);
    gone.abort();
    await Promise.all(searches);
    const { result } = await session.request("tools/call", CALL);
    assert.equal(result.structuredContent.code, 200);
    await until(() => running === 0);
    await until(async () => await waiting(session) === 0);
  }
  assert.equal(most, 64);
});

Deno.test("a cancelled request keeps its capacity until its work has ended", async () => {
  const signals: AbortSignal[] = [];
  const { promise: read, resolve } = Promise.withResolvers<OriginalFile>();
  const library = fakeLibrary({
    readOriginal(_path, _maxBytes, signal) {
      signals.push(signal!);
      return read;
    },
  });
  await using session = await startHttpSession({ library });
  const headers = await begin(session);
  const params = { name: "get_document_original", arguments: { file_path: "a.pdf" } };
  const call = (id: number) => session.post({ jsonrpc: "2.0", id, method: "tools/call", params }, headers);
  // Two reads use the whole capacity. One is cancelled by a notification, the other by the end of its connection.
  const first = await call(1);
  const gone = new AbortController();
  const second = session.request("tools/call", params, gone.signal).catch(() => {});
  await until(() => signals.length === 2);
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  await (await session.post(cancelled, headers)).text();
  gone.abort();
  await until(() => signals.every(({ aborted }) => aborted));
  const third = await call(3);
  await until(async () => signals.length > 2 || await waiting(session) === 1);
  assert.equal(signals.length, 2);
  const file = { path: `${ROOT}/a.pdf`, name: "a.pdf", size: 1, modified: new Date(0) };
  resolve({ ...file, bytes: Uint8Array.of(1) });
  assert.equal((await answerOf(third)).result.structuredContent.code, 200);
  await Promise.all([second, first.body!.cancel()]);
});

Deno.test("a busy server counts the requests that it refuses, and takes what frees capacity", async () => {
  await using session = await startHttpSession({
    library: fakeLibrary({ readOriginal: () => new Promise(() => {}) }),
    limits: { waiting: 1 },
  });
  const headers = await begin(session);
  const params = { name: "get_document_original", arguments: { file_path: "a.pdf" } };
  const call = (id: number) => session.post({ jsonrpc: "2.0", id, method: "tools/call", params }, headers);
  // Two reads use the whole capacity, and the third one waits.
  const calls = [await call(1), await call(2), await call(3)];
  const refused = await call(4);
  assert.deepEqual([refused.status, (await refused.json()).id], [503, 4]);
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } };
  assert.equal((await session.post(cancelled, headers)).status, 202);
  const waits = await call(5);
  assert.equal((await fetch(session.url, { method: "DELETE", headers })).status, 200);
  const [, text] = await get(new URL("/metrics", session.url).href);
  assert.match(text, /^muxue_rag_refused_total\{reason="busy"\} 1$/m);
  assert.match(text, /^muxue_rag_waiting_requests 0$/m);
  await Promise.all([...calls, waits].map(({ body }) => body!.cancel()));
});

/** The status of the answer to a ping. */
async function statusOf(session: HttpSession, headers: Record<string, string>): Promise<number> {
  const response = await session.post({ jsonrpc: "2.0", id: 1, method: "ping" }, headers);
  await response.text();
  return response.status;
}

Deno.test("above the number of sessions, the one that was idle longest ends", async () => {
  await using session = await startHttpSession({ limits: { sessions: 2 } });
  const begun = [await begin(session), await begin(session), await begin(session)];
  const statuses = [];
  for (const headers of begun) statuses.push(await statusOf(session, headers));
  assert.deepEqual(statuses, [404, 200, 200]);
});

Deno.test("of clients that begin sessions at the same time, no more stay than allowed", async () => {
  await using session = await startHttpSession({ limits: { sessions: 2 } });
  const begun = await Promise.all(Array.from({ length: 10 }, async () => {
    const response = await session.post(INITIALIZE);
    await response.text();
    return response.headers.get("mcp-session-id")!;
  }));
  const statuses = await Promise.all(begun.map((id) => statusOf(session, { "Mcp-Session-Id": id })));
  assert.equal(statuses.filter((status) => status === 200).length, 2);
});

Deno.test("every error has the id of its request, and a malformed body none", async () => {
  await using session = await startHttpSession();
  const unknown = { ...META, "io.modelcontextprotocol/protocolVersion": "2027-01-01" };
  const cases: [unknown, Record<string, string>, [number, number, string | number | null]][] = [
    ["{", {}, [400, -32700, null]],
    ["\ud800", {}, [400, -32700, null]],
    ["[]", {}, [400, -32600, null]],
    ["3", {}, [400, -32600, null]],
    [{ jsonrpc: "2.0", id: 5, method: "tools/list" }, {}, [400, -32000, 5]],
    [{ jsonrpc: "2.0", id: 6, method: "tools/list", params: { _meta: unknown } }, {}, [400, -32022, 6]],
    [
      { jsonrpc: "2.0", id: 8, method: "tools/list", params: { _meta: META } },
      { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call" },
      [400, -32020, 8],
    ],
    ["{}", { "Content-Type": "text/plain" }, [415, -32000, null]],
    [`"${"x".repeat(1100)}"`, {}, [413, -32000, null]],
  ];
  await using small = await startHttpSession({ limits: { bodyBytes: 1000 } });
  for (const [body, headers, expected] of cases) {
    const target = typeof body === "string" && body.length > 1000 ? small : session;
    const response = await target.post(body, headers);
    const { error, id } = await response.json();
    assert.deepEqual([response.status, error.code, id], expected, JSON.stringify(body).slice(0, 80));
  }
});

Deno.test("wrong parameters are named in a sentence in both protocols", async () => {
  await using session = await startHttpSession();
  const headers = await begin(session);
  const old = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 3 } };
  const expected = { code: -32602, message: "Invalid parameters of tools/call: name must be text" };
  assert.deepEqual((await answerOf(await session.post(old, headers))).error, expected);
  assert.deepEqual((await session.request("tools/list", { cursor: 3 })).error, {
    code: -32602,
    message: "Invalid parameters of tools/list: cursor must be text",
  });
});

Deno.test("other paths and methods are refused, and no page of another origin may read answers", async () => {
  await using session = await startHttpSession();
  const { origin } = new URL(session.url);
  assert.equal((await get(`${origin}/`))[0], 404);
  const put = await fetch(session.url, { method: "PUT", body: "{}" });
  await put.text();
  assert.deepEqual([put.status, put.headers.get("allow")], [405, "GET, POST, DELETE"]);
  for (const [page, status] of [[origin, 405], ["http://localhost:1", 403]] as const) {
    const asked = await fetch(session.url, { method: "OPTIONS", headers: { Origin: page } });
    await asked.text();
    assert.deepEqual([asked.status, asked.headers.get("access-control-allow-origin")], [status, null]);
  }
});

Deno.test("/healthz answers, and /metrics has numbers but no content", async () => {
  await using session = await startHttpSession({ library: FOUND });
  const { origin } = new URL(session.url);
  assert.deepEqual(await get(`${origin}/healthz`), [200, "ok\n"]);
  await session.request("tools/call", { ...CALL, arguments: { keyword: "secret words" } });
  await session.request('no"such method');
  const [status, text] = await get(`${origin}/metrics`);
  assert.equal(status, 200);
  assert.match(text, /^muxue_rag_requests_seconds_count\{method="tools\/call",outcome="answered"\} 1$/m);
  assert.match(text, /^muxue_rag_http_responses_total\{status="404"\} 1$/m);
  assert.match(text, /^muxue_rag_connections \d+$/m);
  assert.doesNotMatch(text, /secret|tea|such/);
});

Deno.test("a server with a certificate is reached by HTTPS", async () => {
  await using session = await startHttpSession({ library: FOUND, address: { tls: SELF_SIGNED } });
  assert.match(session.url, /^https:/);
  using client = Deno.createHttpClient({ caCerts: [AUTHORITY] });
  const response = await fetch(session.url.replace("127.0.0.1", "localhost"), {
    client,
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(INITIALIZE),
  });
  assert.equal((await answerOf(response)).result.serverInfo.name, "muxue_rag");
});

Deno.test("a port that is taken is named", async () => {
  await using session = await startHttpSession();
  await assert.rejects(startHttpSession({ address: { port: session.port } }), {
    key: "http_port_taken",
    params: { address: `127.0.0.1:${session.port}` },
  });
});

/** The notifications of a session that has sent these requests. */
async function listen(server: HttpSession, requests: readonly (readonly [method: string, params: object])[]) {
  const headers = { ...await begin(server), "MCP-Protocol-Version": "2025-11-25" };
  for (const [id, [method, params]] of requests.entries()) {
    await (await server.post({ jsonrpc: "2.0", id: id + 2, method, params }, headers)).text();
  }
  const stream = await fetch(server.url, { headers: { ...headers, "Accept": "text/event-stream" } });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    /** The next notification of the session. */
    async next(): Promise<Message> {
      for (;;) {
        const event = /^data: (\{.*\})\n/m.exec(text);
        if (event !== null) {
          text = text.slice(event.index + event[0].length);
          return JSON.parse(event[1]!);
        }
        const { value, done } = await reader.read();
        if (done) throw new Error("the stream has ended");
        text += value;
      }
    },
    close: () => reader.cancel(),
  };
}

Deno.test("each session receives the messages of its level, and hears of the documents to which it has subscribed", async () => {
  const [notes, changes] = [new Notes(), new InMemoryServerEventBus()];
  const library = libraryOf({ [ROOT]: [file("a.md"), file("b.md")] });
  await using server = await startHttpSession({ library, notes, changes });
  const [a, b] = ["muxue://notes/a.md", "muxue://notes/b.md"];
  const asking = (level: string, uri: string) =>
    listen(server, [["logging/setLevel", { level }], ["resources/subscribe", { uri }]]);
  const [quiet, loud] = [await asking("error", a), await asking("info", b)];
  notes.publish({ level: "info", text: "index changed" });
  for (const uri of [a, b]) changes.publish({ kind: "resource_updated", uri });
  const heard = async ({ next }: typeof quiet) => {
    const { method, params } = await next();
    return [method, params];
  };
  deepEqual(await heard(quiet), ["notifications/resources/updated", { uri: a }]);
  const told = { level: "info", logger: "muxue_rag", data: "index changed" };
  deepEqual(await heard(loud), ["notifications/message", told]);
  deepEqual(await heard(loud), ["notifications/resources/updated", { uri: b }]);
  await quiet.close();
  await loud.close();
});
