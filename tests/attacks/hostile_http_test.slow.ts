import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { posixTest } from "../_posix.ts";
import {
  callBody,
  headersFor,
  type HttpProgram,
  META,
  searchOverHttp,
  startHttpProgram,
} from "../e2e/_http_program.ts";
import { AUTHORITY, SELF_SIGNED } from "../models/embedding/_self_signed.ts";
import { isBefore28 } from "#foundation/runtime.ts";
import {
  fromSources,
  makeSandbox,
  program,
  type SandboxOptions,
  type Start,
  writeFiles,
} from "../e2e/_program.ts";

const encoder = new TextEncoder();

/** Requests of the flood: FLOOD_REQUESTS=100000 takes minutes. Memory that is kept for each one shows at this number. */
const FLOOD = Number(Deno.env.get("FLOOD_REQUESTS") ?? 6000);

/** A connection of its own that sends `text`, and what the server has answered when it closes the connection. */
class Socket implements Disposable {
  readonly #connection: Deno.Conn;

  private constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  static async open({ port }: Pick<HttpProgram, "port">, text: string | Uint8Array = ""): Promise<Socket> {
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

function post(body: string, headers = "", tool = "search_rag"): string {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
    `Accept: */*\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ${tool}\r\n${headers}` +
    `Content-Length: ${encoder.encode(body).length}\r\n\r\n${body}`;
}

const SEARCH_TEA = callBody("search_rag", { keyword: "tea" });
const TEA = { "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n" };

/** Searches on a new connection. */
async function isServed({ url }: { readonly url: URL }, certificates?: string[]): Promise<void> {
  using client = Deno.createHttpClient({
    poolMaxIdlePerHost: 0,
    ...(certificates && { caCerts: certificates }),
  });
  const response = await searchOverHttp(url, "tea", { client, signal: AbortSignal.timeout(30_000) });
  match(await response.text(), /"structuredContent":\{"code":200,/);
}

/** Runs a test on the program with the limits that people have, when it has indexed its folder. */
async function withServer(
  test: (server: HttpProgram) => Promise<void>,
  files: Record<string, string> = TEA,
  flags: readonly string[] = [],
  options?: SandboxOptions,
): Promise<void> {
  await using sandbox = await makeSandbox(files, options);
  await using server = await startHttpProgram(sandbox, ...flags);
  while (!/已更新|Updated/.test(server.stderr())) await pause(50);
  await test(server);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A server, and how it is reached. */
interface Reached {
  readonly url: URL;
  readonly client?: Deno.HttpClient;
}

/** The value of a line of `/metrics`. */
async function metric({ url, client }: Reached, line: string): Promise<number> {
  const text = await metrics(url, client && { client });
  return Number(
    text.split("\n").find((each) => each.startsWith(`muxue_rag_${line} `))?.split(" ").at(-1) ?? 0,
  );
}

async function metrics(url: URL, how?: RequestInit & Pick<Reached, "client">): Promise<string> {
  return await (await fetch(new URL("/metrics", url), how)).text();
}

/** Waits until a number of `/metrics` is as expected. */
async function until(server: Reached, line: string, expected: number): Promise<void> {
  while (await metric(server, line) !== expected) await pause(20);
}

function closeAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket[Symbol.dispose]();
}

Deno.test("connections that send nothing or a part of a request are closed after a time, and others are served meanwhile", () =>
  withServer(async (server) => {
    const parts: readonly [text: string, seconds: number][] = [
      ["", 10],
      ["P", 10],
      ["POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: ", 10],
      [post(SEARCH_TEA).slice(0, -5), 30],
    ];
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const [part, seconds] = parts[i % parts.length]!;
        const began = performance.now();
        using socket = await Socket.open(server, part);
        doesNotMatch(await socket.rest(), /200 OK/);
        const passed = (performance.now() - began) / 1000;
        ok(passed > seconds - 1, `${JSON.stringify(part)} was closed after ${passed} s`);
      }).concat(isServed(server)),
    );
    equal(await metric(server, 'refused_total{reason="timeout"}'), 40);
    await isServed(server);
  }));

for (const start of new Set([program, fromSources])) {
  const of = start === fromSources ? "sources" : "executable";
  Deno.test(`connections that do not finish the handshake of TLS are closed, and others are served beside them (${of})`, async () => {
    await using sandbox = await makeSandbox(TEA, { start });
    await writeFiles(sandbox.cwd, { "cert.pem": SELF_SIGNED.cert, "key.pem": SELF_SIGNED.key });
    await using server = await startHttpProgram(sandbox, "--tls-cert", "cert.pem", "--tls-key", "key.pem");
    while (!/已更新|Updated/.test(server.stderr())) await pause(50);
    const url = new URL(server.url.href.replace("127.0.0.1", "localhost"));
    const parts = ["", "\u0016\u0003\u0001", "GET / HTTP/1.1\r\n\r\n"];
    const sockets = await Promise.all(
      Array.from({ length: 60 }, (_, i) => Socket.open(server, parts[i % 3])),
    );
    for (let i = 0; i < 3; i++) await isServed({ url }, [AUTHORITY]);
    using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0, caCerts: [AUTHORITY] });
    const late = 'refused_total{reason="timeout"}';
    // A runtime before 2.8 cannot end a handshake (SECURITY.md): it ends when its client goes.
    const { deno } = JSON.parse((await sandbox.run`--version --json`).stdout);
    if (isBefore28(deno)) await until({ url, client }, late, 40);
    else for (const socket of sockets) doesNotMatch(await socket.rest(), /HTTP/);
    // Two of three never finish, and count when their time is over. The third sends what is no handshake.
    equal(await metric({ url, client }, late), 40);
    equal(await metric({ url, client }, 'refused_total{reason="malformed"}'), 20);
    closeAll(sockets);
    await isServed({ url }, [AUTHORITY]);
    equal(await server.end(), 130);
  });
}

Deno.test("the oldest of 256 connections that are not used is closed for a new one, which is served", () =>
  withServer(async (server) => {
    const sockets: Socket[] = [];
    for (let i = 0; i < 256; i++) sockets.push(await Socket.open(server));
    const oldest = sockets[0]!.rest();
    // None makes room in its first second.
    using tooMany = await Socket.open(server);
    equal(await Promise.race([oldest.then(() => "the oldest is closed"), tooMany.rest()]), "");
    await pause(1100);
    await isServed(server);
    equal(await oldest, "");
    closeAll(sockets);
  }));

Deno.test("clients that do not read 200 MB of answers lose their connections, and others are served", () =>
  withServer(async (server) => {
    const original = callBody("get_document_original", { file_path: "long.txt" });
    const request = post(original, "", "get_document_original");
    const sockets: Socket[] = [];
    for (let i = 0; i < 25; i++) sockets.push(await Socket.open(server, request));
    while (await metric(server, 'refused_total{reason="unread"}') < 4) await isServed(server);
    ok(await metric(server, "unread_bytes") <= 64 * 1024 * 1024);
    closeAll(sockets);
    await until(server, "unread_bytes", 0);
    await isServed(server);
  }, { ...TEA, "long.txt": "green tea wants 80 degrees\n".repeat(220_000) }));

Deno.test("a storm of cancelled searches leaves nothing waiting, and the server serves others", () =>
  withServer(async (server) => {
    for (let round = 0; round < 5; round++) {
      closeAll(await Promise.all(Array.from({ length: 100 }, () => Socket.open(server, post(SEARCH_TEA)))));
      await isServed(server);
    }
    await until(server, "waiting_requests", 0);
  }));

Deno.test("a request in thousands of chunks of one byte is answered as one in one piece", () =>
  withServer(async (server) => {
    const chunks = [...SEARCH_TEA.padEnd(5000)].map((byte) => `1\r\n${byte}\r\n`);
    const head = post("", "Connection: close\r\nTransfer-Encoding: chunked\r\n")
      .replace("Content-Length: 0\r\n", "");
    using socket = await Socket.open(server, `${head}${chunks.join("")}0\r\n\r\n`);
    match(await socket.rest(), /^HTTP\/1.1 200 [^]*Green tea wants 80 degrees/);
  }));

Deno.test("a name that was rebound to this machine, smuggled requests and garbage get no answer from the tools", () =>
  withServer(async (server) => {
    const good = post(SEARCH_TEA);
    const close = "Connection: close\r\n";
    const evil = (request: string, name = "Host: evil.example") => request.replace("Host: localhost", name);
    const hostile: (string | Uint8Array)[] = [
      evil(post(SEARCH_TEA, close)),
      evil(post(SEARCH_TEA, close), "Host: evil.example\r\nHost: localhost"),
      post(SEARCH_TEA, `${close}Origin: http://evil.example\r\n`),
      post(SEARCH_TEA, `${close}Transfer-Encoding: chunked\r\n`),
      good.replace("Content-Length: ", "Content-Length: 0\r\nContent-Length: "),
      evil(good.replace("POST /mcp", "POST http://evil.example/mcp")),
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
      doesNotMatch(await socket.rest(), /^HTTP\/1.1 200/, String(bytes).slice(0, 60));
    }));
    doesNotMatch(await metrics(server.url), /search_rag/);
    await isServed(server);
  }));

const TOKEN = { Authorization: "Bearer correct-horse-battery" };
const TOKEN_ENV = { MUXUE_TEST_TOKEN: "correct-horse-battery" };

/** Whether a server with a token answers on a new connection. */
async function answers(url: URL): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: META } });
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const response = await fetch(url, {
    ...{ client, method: "POST", headers: { ...headersFor("tools/list"), ...TOKEN }, body },
    signal: AbortSignal.timeout(10_000),
  });
  return response.status === 200 && (await response.text()).includes('"search_rag"');
}

Deno.test("a client without the token that holds all connections it can get keeps no one with the token from being answered", async () => {
  await using sandbox = await makeSandbox(TEA, { env: TOKEN_ENV });
  await using server = await startHttpProgram(sandbox, "--token-env", "MUXUE_TEST_TOKEN");
  ok(await answers(server.url));
  const parts = [
    "",
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\n",
    "GET /mcp HTTP/1.1\r\n\r\n",
    post("{}").slice(0, -1),
  ];
  const sockets: Socket[] = [];
  for (let i = 0; i < 800; i++) {
    sockets.push(await Socket.open(server, parts[i % parts.length]));
    if (i % 100 === 0) ok(await answers(server.url), `after ${i} connections`);
  }
  ok(await answers(server.url));
  const open = Number(
    /^muxue_rag_connections (\d+)$/m.exec(await metrics(server.url, { headers: TOKEN }))![1],
  );
  ok(open <= 70, `${open} connections are open`);
  closeAll(sockets);
});

/** Starts the program with so many handles. */
function withHandles(count: number): Start {
  return (args) => {
    const { cmd, args: all } = program(args);
    return { cmd: "bash", args: ["-c", `ulimit -n ${count}; exec "$@"`, "bash", cmd, ...all] };
  };
}

posixTest("a server without a free handle waits until one is free, and does not end", () =>
  withServer(
    async (server) => {
      // The runtime itself needs handles while the server starts its threads.
      await pause(500);
      ok(await answers(server.url));
      const sockets: Socket[] = [];
      for (let i = 0; i < 200; i++) sockets.push(await Socket.open(server));
      await pause(1500);
      closeAll(sockets);
      ok(await answers(server.url));
      equal(await server.end(), 130);
    },
    TEA,
    ["--token-env", "MUXUE_TEST_TOKEN"],
    { env: TOKEN_ENV, start: withHandles(72) },
  ));

Deno.test("a flood of requests leaves the real server's memory flat, and it ends when it is asked to", async () => {
  await using sandbox = await makeSandbox(TEA);
  await using server = await startHttpProgram(sandbox);
  const CLIENT = { name: "test", version: "0" };
  const JSON_TYPE = { "Content-Type": "application/json", "Accept": "*/*" };
  const initialize = (params?: unknown) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const requests: readonly [status: number, headers: Record<string, string>, body: string][] = [
    [200, headersFor("tools/call", "search_rag"), SEARCH_TEA],
    [400, JSON_TYPE, "{"],
    [400, JSON_TYPE, "[]"],
    [400, JSON_TYPE, initialize()],
    [200, JSON_TYPE, initialize({ protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT })],
    [415, { "Content-Type": "text/plain" }, "{}"],
  ];
  const flood = async (count: number) => {
    const wrong = new Map<string, number>();
    let next = 0;
    await Promise.all(Array.from({ length: 10 }, async () => {
      while (next < count) {
        const [status, headers, body] = requests[next++ % requests.length]!;
        const response = await fetch(server.url, { method: "POST", headers, body });
        await response.body?.cancel();
        if (response.status === status) continue;
        const key = `${response.status} for ${body}`;
        wrong.set(key, (wrong.get(key) ?? 0) + 1);
      }
    }));
    deepEqual(wrong, new Map());
  };
  const memory = async () => {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(await Deno.readTextFile(`/proc/${server.pid}/status`))!;
    return Number(kilobytes) / 1024;
  };
  await flood(FLOOD / 4);
  const before = Deno.build.os === "linux" ? await memory() : 0;
  await flood(FLOOD);
  const after = Deno.build.os === "linux" ? await memory() : 0;
  ok(after - before < 80, `${before} MB, and ${after} MB after ${FLOOD} requests more`);
  ok(await metric(server, "sessions") <= 200);
  equal(await server.end(), 130);
});
