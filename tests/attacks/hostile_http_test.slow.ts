import assert from "node:assert/strict";
import { join } from "node:path";
import { type HttpProgram, startHttpProgram } from "../e2e/_http_program.ts";
import { AUTHORITY, SELF_SIGNED } from "../models/embedding/_self_signed.ts";
import { isBefore28 } from "#foundation/runtime.ts";
import { makeSandbox, program, type Start } from "../e2e/_program.ts";
import { fakeLibrary, META, NOTHING_FOUND } from "../server/_session.ts";
import { get, type HttpSession, INITIALIZE, startHttpSession } from "../server/http/_http_session.ts";

const encoder = new TextEncoder();

/** Requests of the flood: FLOOD_REQUESTS=100000 takes minutes. Memory that is kept for each one shows at this number. */
const FLOOD = Number(Deno.env.get("FLOOD_REQUESTS") ?? 6000);

/** A connection of its own that sends `text`, and what the server has answered when it closes the connection. */
class Socket implements Disposable {
  readonly #connection: Deno.Conn;

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  static async open({ port }: Pick<HttpSession, "port">, text: string | Uint8Array = ""): Promise<Socket> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const bytes = typeof text === "string"
      ? encoder.encode(text.replaceAll("Host: localhost\r\n", `Host: localhost:${port}\r\n`))
      : text;
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    return new Socket(connection);
  }

  /** All that the server sends until it closes the connection. */
  async rest(): Promise<string> {
    const buffer = new Uint8Array(64 * 1024);
    const decoder = new TextDecoder();
    let text = "";
    try {
      for (let count; (count = await this.#connection.read(buffer)) !== null;) {
        text += decoder.decode(buffer.subarray(0, count), { stream: true });
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
    }
    return text;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

function post(body: string, headers = ""): string {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
    `Accept: */*\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: search_rag\r\n${headers}` +
    `Content-Length: ${encoder.encode(body).length}\r\n\r\n${body}`;
}

function call(name: string, args: Record<string, unknown>): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args, _meta: META },
  });
}

const TEA = { "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n" };

/** Searches on a new connection. */
async function isServed({ url }: { readonly url: string | URL }, certificates?: string[]): Promise<void> {
  using client = Deno.createHttpClient({
    poolMaxIdlePerHost: 0,
    ...(certificates && { caCerts: certificates }),
  });
  const response = await fetch(url, {
    client,
    method: "POST",
    headers: {
      ...{ "Content-Type": "application/json", "Accept": "*/*", "MCP-Protocol-Version": "2026-07-28" },
      ...{ "Mcp-Method": "tools/call", "Mcp-Name": "search_rag" },
    },
    body: call("search_rag", { keyword: "tea" }),
    signal: AbortSignal.timeout(30_000),
  });
  assert.match(await response.text(), /"structuredContent":\{"code":200,/);
}

/** The program with the limits that people have. */
async function startServer(
  files: Record<string, string>,
  ...flags: string[]
): Promise<HttpProgram & { readonly port: number }> {
  const sandbox = await makeSandbox(files);
  try {
    const server = await startHttpProgram(sandbox, ...flags);
    await untilIndexed(server);
    const end = server[Symbol.asyncDispose];
    return {
      ...server,
      port: Number(server.url.port),
      async [Symbol.asyncDispose]() {
        await end();
        await sandbox[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await sandbox[Symbol.asyncDispose]();
    throw error;
  }
}

async function untilIndexed(server: HttpProgram): Promise<void> {
  while (!/已更新|Updated/.test(server.stderr())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The value of a line of `/metrics`. */
async function metric({ url }: { readonly url: string | URL }, line: string): Promise<number> {
  const [, text] = await get(new URL("/metrics", url).href);
  return Number(
    text.split("\n").find((each) => each.startsWith(`muxue_rag_${line} `))?.split(" ").at(-1) ?? 0,
  );
}

/** Waits until a number of `/metrics` is as expected. */
async function until(session: { readonly url: string | URL }, line: string, expected: number): Promise<void> {
  while (await metric(session, line) !== expected) await new Promise((resolve) => setTimeout(resolve, 20));
}

Deno.test("connections that send nothing or a part of a request are closed, and others are served meanwhile", async () => {
  await using session = await startHttpSession({ limits: { headersMs: 500, requestMs: 500 } });
  const parts = [
    "",
    "P",
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: ",
    post(call("search_rag", {})).slice(0, -5),
  ];
  const sockets = await Promise.all(
    Array.from({ length: 60 }, (_, i) => Socket.open(session, parts[i % parts.length]!)),
  );
  await isServed(session);
  for (const socket of sockets) {
    assert.doesNotMatch(await socket.rest(), /200 OK/);
    socket[Symbol.dispose]();
  }
  await isServed(session);
});

Deno.test("the program closes connections that send nothing or a part of a request, after its own times", async () => {
  await using server = await startServer(TEA);
  const parts: readonly [text: string, seconds: number][] = [
    ["", 10],
    ["P", 10],
    ["POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: ", 10],
    [post(call("search_rag", {})).slice(0, -5), 30],
  ];
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const [part, seconds] = parts[i % parts.length]!;
      const began = performance.now();
      using socket = await Socket.open(server, part);
      assert.doesNotMatch(await socket.rest(), /200 OK/);
      const passed = (performance.now() - began) / 1000;
      assert.ok(passed > seconds - 1, `${JSON.stringify(part)} was closed after ${passed} s`);
    }).concat(isServed(server)),
  );
  assert.equal(await metric(server, 'refused_total{reason="timeout"}'), 40);
  await isServed(server);
});

Deno.test("connections that do not finish the handshake of TLS are closed", async () => {
  await using session = await startHttpSession({ limits: { headersMs: 500 }, address: { tls: SELF_SIGNED } });
  for (const part of ["", "\u0016\u0003\u0001"]) {
    using socket = await Socket.open(session, part);
    assert.equal(await socket.rest(), "");
  }
  using client = Deno.createHttpClient({ caCerts: [AUTHORITY] });
  const url = new URL("/metrics", session.url.replace("127.0.0.1", "localhost"));
  const numbers = await (await fetch(url, { client })).text();
  assert.match(numbers, /^muxue_rag_refused_total\{reason="timeout"\} 2$/m);
});

Deno.test("the program serves others over TLS beside connections that do not finish the handshake", async () => {
  await using sandbox = await makeSandbox(TEA);
  const files = { cert: join(sandbox.cwd, "cert.pem"), key: join(sandbox.cwd, "key.pem") };
  await Deno.writeTextFile(files.cert, SELF_SIGNED.cert);
  await Deno.writeTextFile(files.key, SELF_SIGNED.key);
  await using server = await startHttpProgram(sandbox, "--tls-cert", files.cert, "--tls-key", files.key);
  await untilIndexed(server);
  const url = new URL(server.url.href.replace("127.0.0.1", "localhost"));
  const port = Number(server.url.port);
  const parts = ["", "\u0016\u0003\u0001", "GET / HTTP/1.1\r\n\r\n"];
  const sockets = await Promise.all(
    Array.from({ length: 60 }, (_, i) => Socket.open({ port }, parts[i % 3])),
  );
  for (let i = 0; i < 3; i++) await isServed({ url }, [AUTHORITY]);
  // A runtime before 2.8 cannot end a handshake (SECURITY.md): it ends when its client goes.
  const { deno } = JSON.parse((await sandbox.run("--version", "--json")).stdout);
  if (!isBefore28(deno)) { for (const socket of sockets) assert.doesNotMatch(await socket.rest(), /HTTP/); }
  for (const socket of sockets) socket[Symbol.dispose]();
  await isServed({ url }, [AUTHORITY]);
  assert.equal(await server.end(), 130);
});

Deno.test("a new connection takes the place of the oldest one that is not used, and is served", async () => {
  await using session = await startHttpSession({ limits: { connections: 10 } });
  const sockets = await Promise.all(Array.from({ length: 10 }, () => Socket.open(session)));
  using tooMany = await Socket.open(session);
  assert.equal(await tooMany.rest(), "");
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await isServed(session);
  assert.equal(await sockets[0]!.rest(), "");
  for (const socket of sockets) socket[Symbol.dispose]();
});

Deno.test("the program closes the oldest of 256 connections that are not used for a new one", async () => {
  await using server = await startServer(TEA);
  const sockets: Socket[] = [];
  for (let i = 0; i < 256; i++) sockets.push(await Socket.open(server));
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await isServed(server);
  assert.equal(await sockets[0]!.rest(), "");
  for (const socket of sockets) socket[Symbol.dispose]();
});

Deno.test("clients that do not read their answers lose their connections, and others are served", async () => {
  const library = fakeLibrary({
    search: () => Promise.resolve(NOTHING_FOUND),
    readOriginal: (path) =>
      Promise.resolve(
        {
          path,
          name: "x.bin",
          size: 6_000_000,
          modified: new Date(0),
          bytes: new Uint8Array(6_000_000),
        } as never,
      ),
  });
  await using session = await startHttpSession({
    library,
    limits: { unreadBytes: 16_000_000, readMs: 60_000 },
  });
  const body = call("get_document_original", { file_path: "/notes/x.bin" });
  const request = post(body).replace("Mcp-Name: search_rag", "Mcp-Name: get_document_original");
  const sockets: Socket[] = [];
  for (let i = 0; i < 8; i++) sockets.push(await Socket.open(session, request));
  while (await metric(session, 'refused_total{reason="unread"}') < 4) await isServed(session);
  assert.ok(await metric(session, "unread_bytes") <= 16_000_000);
  for (const socket of sockets) socket[Symbol.dispose]();
  await until(session, "unread_bytes", 0);
  await isServed(session);
});

Deno.test("the program cuts off clients that do not read 200 MB of answers, and serves others", async () => {
  await using server = await startServer({
    ...TEA,
    "long.txt": "green tea wants 80 degrees\n".repeat(220_000),
  });
  const body = call("get_document_original", { file_path: "long.txt" });
  const request = post(body).replace("Mcp-Name: search_rag", "Mcp-Name: get_document_original");
  const sockets: Socket[] = [];
  for (let i = 0; i < 25; i++) sockets.push(await Socket.open(server, request));
  while (await metric(server, 'refused_total{reason="unread"}') < 1) await isServed(server);
  assert.ok(await metric(server, "unread_bytes") <= 64 * 1024 * 1024);
  for (const socket of sockets) socket[Symbol.dispose]();
  await until(server, "unread_bytes", 0);
  await isServed(server);
});

Deno.test("a storm of cancelled requests stops their work, and frees the server for others", async () => {
  let running = 0;
  const library = fakeLibrary({
    search: ({ query }, signal) =>
      query === "tea" ? Promise.resolve(NOTHING_FOUND) : new Promise((_, reject) => {
        running++;
        signal!.addEventListener("abort", () => {
          running--;
          reject(signal!.reason);
        });
      }),
  });
  await using session = await startHttpSession({ library });
  for (let round = 0; round < 5; round++) {
    const sockets = await Promise.all(
      Array.from(
        { length: 100 },
        () => Socket.open(session, post(call("search_rag", { keyword: "endless" }))),
      ),
    );
    while (running < 60) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(running <= 64, `${running} searches at once`);
    for (const socket of sockets) socket[Symbol.dispose]();
    await isServed(session);
  }
  await until(session, "waiting_requests", 0);
  while (running > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

Deno.test("a storm of cancelled searches leaves nothing waiting in the program", async () => {
  await using server = await startServer(TEA);
  for (let round = 0; round < 5; round++) {
    const sockets = await Promise.all(
      Array.from({ length: 100 }, () => Socket.open(server, post(call("search_rag", { keyword: "tea" })))),
    );
    for (const socket of sockets) socket[Symbol.dispose]();
    await isServed(server);
  }
  await until(server, "waiting_requests", 0);
});

Deno.test("a request in thousands of chunks of one byte is answered as one in one piece", async () => {
  await using server = await startServer(TEA);
  const chunks = [...call("search_rag", { keyword: "tea" }).padEnd(5000)].map((byte) => `1\r\n${byte}\r\n`);
  const head = post("", "Connection: close\r\nTransfer-Encoding: chunked\r\n").replace(
    "Content-Length: 0\r\n",
    "",
  );
  using socket = await Socket.open(server, `${head}${chunks.join("")}0\r\n\r\n`);
  assert.match(await socket.rest(), /^HTTP\/1.1 200 [^]*Green tea wants 80 degrees/);
});

Deno.test("a name that was rebound to this machine, smuggled requests and garbage get no answer from the tools", async () => {
  await using server = await startServer(TEA);
  const body = call("search_rag", { keyword: "tea" });
  const good = post(body);
  const close = "Connection: close\r\n";
  const hostile: (string | Uint8Array)[] = [
    post(body, close).replace("Host: localhost", "Host: evil.example"),
    post(body, close).replace("Host: localhost", "Host: evil.example\r\nHost: localhost"),
    post(body, `${close}Origin: http://evil.example\r\n`),
    post(body, `${close}Transfer-Encoding: chunked\r\n`),
    good.replace("Content-Length: ", "Content-Length: 0\r\nContent-Length: "),
    good.replace("POST /mcp", "POST http://evil.example/mcp").replace(
      "Host: localhost",
      "Host: evil.example",
    ),
    good.replace("HTTP/1.1", "HTTP/9.9"),
    good.replace("Content-Length: ", "Content-Length: -"),
    `GET /mcp HTTP/1.1\r\nHost: localhost\r\n${"X-A: b\r\n".repeat(20_000)}\r\n`,
    `GET ${"/x".repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    crypto.getRandomValues(new Uint8Array(10_000)),
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
  ];
  await Promise.all(hostile.map(async (bytes) => {
    using socket = await Socket.open(server, bytes).catch(() => undefined) ??
      { rest: () => "", [Symbol.dispose]() {} };
    assert.doesNotMatch(await socket.rest(), /^HTTP\/1.1 200/, String(bytes).slice(0, 60));
  }));
  const [, numbers] = await get(new URL("/metrics", server.url).href);
  assert.doesNotMatch(numbers, /search_rag/);
  await isServed(server);
});

const TOKEN = "correct-horse-battery";
const TOKEN_ENV = { MUXUE_TEST_TOKEN: TOKEN };

/** Whether the real server answers on a new connection. */
async function answers(url: URL): Promise<boolean> {
  const headers = {
    ...{ "Content-Type": "application/json", "Accept": "*/*", "Authorization": `Bearer ${TOKEN}` },
    ...{ "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: META } });
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const response = await fetch(url, {
    ...{ client, method: "POST", headers, body },
    signal: AbortSignal.timeout(10_000),
  });
  return response.status === 200 && (await response.text()).includes('"search_rag"');
}

Deno.test("a client without the token that holds all connections it can get keeps no one with the token from being answered", async () => {
  await using sandbox = await makeSandbox(TEA);
  const env = { ...sandbox.env, ...TOKEN_ENV };
  await using server = await startHttpProgram({ ...sandbox, env }, "--token-env", "MUXUE_TEST_TOKEN");
  const port = Number(server.url.port);
  assert.ok(await answers(server.url));
  const parts = [
    "",
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\n",
    "GET /mcp HTTP/1.1\r\n\r\n",
    post("{}").slice(0, -1),
  ];
  const sockets: Socket[] = [];
  for (let i = 0; i < 800; i++) {
    sockets.push(await Socket.open({ port }, parts[i % parts.length]));
    if (i % 100 === 0) assert.ok(await answers(server.url), `after ${i} connections`);
  }
  assert.ok(await answers(server.url));
  const numbers = await fetch(new URL("/metrics", server.url), {
    headers: { "Authorization": `Bearer ${TOKEN}` },
  });
  const open = Number(/^muxue_rag_connections (\d+)$/m.exec(await numbers.text())![1]);
  assert.ok(open <= 70, `${open} connections are open`);
  for (const socket of sockets) socket[Symbol.dispose]();
});

/** Starts the program with so many handles. */
function withHandles(count: number): Start {
  return (args) => {
    const { cmd, args: all } = program(args);
    return { cmd: "bash", args: ["-c", `ulimit -n ${count}; exec "$@"`, "bash", cmd, ...all] };
  };
}

Deno.test("a server without a free handle waits until one is free, and does not end", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using sandbox = await makeSandbox(TEA, withHandles(72));
  const env = { ...sandbox.env, ...TOKEN_ENV };
  await using server = await startHttpProgram({ ...sandbox, env }, "--token-env", "MUXUE_TEST_TOKEN");
  // The runtime itself needs handles while the server starts its threads.
  await untilIndexed(server);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.ok(await answers(server.url));
  const port = Number(server.url.port);
  const sockets: Socket[] = [];
  for (let i = 0; i < 200; i++) sockets.push(await Socket.open({ port }));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  for (const socket of sockets) socket[Symbol.dispose]();
  assert.ok(await answers(server.url));
  assert.equal(await server.end(), 130);
});

Deno.test("a flood of requests leaves the real server's memory flat, and it ends when it is asked to", async () => {
  await using sandbox = await makeSandbox(TEA);
  await using server = await startHttpProgram(sandbox);
  const session = { port: Number(server.url.port), url: server.url.href };
  const JSON_TYPE = { "Content-Type": "application/json", "Accept": "*/*" };
  const stateless = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "search_rag",
  };
  const initialize = (params?: unknown) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const requests: readonly [status: number, headers: Record<string, string>, body: string][] = [
    [200, { ...JSON_TYPE, ...stateless }, call("search_rag", { keyword: "tea" })],
    [400, JSON_TYPE, "{"],
    [400, JSON_TYPE, "[]"],
    [400, JSON_TYPE, initialize()],
    [200, JSON_TYPE, initialize(INITIALIZE.params)],
    [415, { "Content-Type": "text/plain" }, "{}"],
  ];
  const flood = async (count: number) => {
    const wrong = new Map<string, number>();
    let next = 0;
    await Promise.all(Array.from({ length: 10 }, async () => {
      while (next < count) {
        const [status, headers, body] = requests[next++ % requests.length]!;
        const response = await fetch(session.url, { method: "POST", headers, body });
        await response.body?.cancel();
        if (response.status === status) continue;
        const key = `${response.status} for ${body}`;
        wrong.set(key, (wrong.get(key) ?? 0) + 1);
      }
    }));
    assert.deepEqual(wrong, new Map());
  };
  const memory = async () => {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(await Deno.readTextFile(`/proc/${server.pid}/status`))!;
    return Number(kilobytes) / 1024;
  };
  await flood(FLOOD / 4);
  const before = Deno.build.os === "linux" ? await memory() : 0;
  await flood(FLOOD);
  const after = Deno.build.os === "linux" ? await memory() : 0;
  assert.ok(after - before < 80, `${before} MB, and ${after} MB after ${FLOOD} requests more`);
  assert.ok(await metric(session, "sessions") <= 200);
  assert.equal(await server.end(), 130);
});
