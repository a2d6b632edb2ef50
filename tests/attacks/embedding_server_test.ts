import { deepEqual, equal, match } from "node:assert/strict";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { constants, createGzip } from "node:zlib";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { spawnIn } from "../e2e/_program.ts";
import { type Arena, attackOnLinux, makeArena } from "./_arena.ts";

const KEY = "sk-swordfish-4711";
/**
 * Most memory of a run. The program, and an answer of 64 MB both in parts and joined, need less than 700 MB on an idle
 * machine; on a busy one the garbage collection comes late. Without a limit the answers, of 10 GB or without end, would take
 * all memory.
 */
const MAX_MEMORY_KB = 2_000_000;

/** Starts a server that calls `answer` with each connection after its request has arrived. */
async function rawServer(answer: (socket: Socket) => void): Promise<{ url: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let asked = "";
    socket.on("data", (bytes) => {
      asked += bytes;
      if (!/\r\n\r\n\{.*\}$/s.test(asked)) return;
      asked = "";
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Writes the results of `next` until the other side closes the connection. */
function pour(socket: Socket, next: () => Uint8Array): void {
  const more = () => {
    while (!socket.destroyed && socket.write(next()));
  };
  socket.on("drain", more);
  more();
}

/** An arena whose embedding server is at `url`. */
function arenaWith(url: string, timeout = "60"): Promise<Arena> {
  return makeArena({ "tea.md": "green tea\n" }, {
    env: {
      "MUXUE_RAG_LANGUAGE": "en",
      "MUXUE_RAG_EMBEDDING_PROVIDER": "openai-compatible",
      "MUXUE_RAG_EMBEDDING_BASE_URL": url,
      "MUXUE_RAG_EMBEDDING_MODEL": "test-embed",
      "MUXUE_RAG_EMBEDDING_API_KEY": KEY,
      "MUXUE_RAG_EMBEDDING_MAX_RETRIES": "0",
      "MUXUE_RAG_EMBEDDING_TIMEOUT_SECONDS": timeout,
    },
  });
}

/** Peak memory of a running process in KB; 0 after its end. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Indexes the arena's folder. Returns the result, the server's part of the warning, and the peak memory in KB. */
async function indexing(arena: Arena): Promise<{ code: number; said: string; peak: number }> {
  const child = spawnIn(arena, arena.start(["--dir", arena.folder]), "null");
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 20);
  child.status.then(() => clearInterval(watch));
  const { code, stderr } = await child.output();
  const last = new TextDecoder().decode(stderr).trimEnd().split("\n").at(-1)!;
  const said = last.replace(/^Note: .* has not given all vectors \(0 of \d+\): (.*)\. Until then, .*$/, "$1");
  return { code, said, peak };
}

attackOnLinux("redirects of the embedding server are not followed, and the key is not sent on", async () => {
  await using thief = await EmbeddingServer.start();
  const { origin } = new URL(thief.url);
  await Promise.all([301, 302, 303, 307, 308].map(async (status) => {
    await using server = await EmbeddingServer.start();
    server.rule = () => ({ status, headers: { location: `${thief.url}/embeddings` } });
    await using arena = await arenaWith(server.url);
    const { code, said } = await indexing(arena);
    const told =
      `${server.url} redirects to ${origin}. The redirect is not followed, because the key would go with it. ` +
      "Set embedding.base_url to the final address";
    deepEqual([code, said, server.requests.length], [0, told, 1]);
  }));
  deepEqual(thief.requests, []);
});

const OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const MEGABYTE = new Uint8Array(1 << 20).fill(0x20);

/** Blocks of a gzip stream that each decompress to 64 MB of spaces, 1,000 times their size. */
async function gzipBlocks(): Promise<{ head: Uint8Array; block: Uint8Array }> {
  const gzip = createGzip();
  const parts: Uint8Array[] = [];
  gzip.on("data", (part: Uint8Array) => parts.push(part));
  const flush = () => new Promise<void>((resolve) => gzip.flush(constants.Z_FULL_FLUSH, resolve));
  const taken = () => new Uint8Array(parts.splice(0).flatMap((part) => [...part]));
  gzip.write(" ");
  await flush();
  const head = taken();
  for (let i = 0; i < 64; i++) gzip.write(MEGABYTE);
  await flush();
  const block = taken();
  gzip.destroy();
  return { head, block };
}

const TOO_LARGE = /^One answer of \S+ is larger than 64 MB\. Lower embedding\.batch_size$/;
const UNREACHABLE = /^Cannot reach \S+ \(message head is too large\)\. Check /;
const UNLIKE = /^The answer of \S+ does not have the form of the embeddings API: /;

/** Behaviours of the server, with the message for each. */
const answers = (gzip: Awaited<ReturnType<typeof gzipBlocks>>): Record<
  string,
  readonly [answer: (socket: Socket) => void, said: RegExp]
> => ({
  "an answer of 10 GB": [(socket) => {
    socket.write(`${OK}Content-Length: 10000000000\r\n\r\n`);
    pour(socket, () => MEGABYTE);
  }, TOO_LARGE],
  "an answer without end": [(socket) => {
    socket.write(`${OK}\r\n`);
    pour(socket, () => MEGABYTE);
  }, TOO_LARGE],
  "an error without end": [(socket) => {
    socket.write("HTTP/1.1 400 Bad\r\nContent-Type: text/plain\r\n\r\n");
    pour(socket, () => MEGABYTE);
  }, /^\S+ rejected the request \(HTTP 400\): HTTP 400$/],
  "a small answer that unfolds to one without end": [(socket) => {
    socket.write(`${OK}Content-Encoding: gzip\r\n\r\n`);
    socket.write(gzip.head);
    pour(socket, () => gzip.block);
  }, TOO_LARGE],
  "headers without end": [(socket) => {
    socket.write(OK);
    pour(socket, () => new TextEncoder().encode(`X-More: ${"a".repeat(1000)}\r\n`.repeat(100)));
  }, UNREACHABLE],
  "one header without end": [(socket) => {
    socket.write(`${OK}X-More: `);
    pour(socket, () => MEGABYTE);
  }, UNREACHABLE],
  "headers that come too slowly": [(socket) => {
    socket.write(OK);
    const more = setInterval(() => socket.write("X-More: a\r\n"), 50);
    socket.on("close", () => clearInterval(more));
  }, /^\S+ did not answer within 1 s\. /],
  "something else than HTTP": [
    (socket) => pour(socket, () => MEGABYTE),
    /^\S+ closed the connection \(invalid HTTP/,
  ],
  "lists in lists": [(socket) => void socket.end(`${OK}\r\n{"data": ${"[".repeat(30_000_000)}`), UNLIKE],
  "too many vectors": [
    (socket) => void socket.end(`${OK}\r\n{"data": [${'{"embedding": [1]},'.repeat(2_000_000)}0]}`),
    UNLIKE,
  ],
  "a vector of too many numbers": [
    (socket) => void socket.end(`${OK}\r\n{"data": [{"embedding": [${"1,".repeat(10_000_000)}1]}]}`),
    /: 10000001 dimensions$/,
  ],
});

attackOnLinux(
  "an answer of the embedding server that is too large is refused before it fills the memory",
  async (context) => {
    for (const [name, [answer, said]] of Object.entries(answers(await gzipBlocks()))) {
      await context.step(name, async () => {
        await using server = await rawServer(answer);
        await using arena = await arenaWith(server.url, name.includes("slowly") ? "1" : undefined);
        const { code, peak, said: found } = await indexing(arena);
        deepEqual([code, peak > 0, peak < MAX_MEMORY_KB], [0, true, true], `${found} ${peak}`);
        match(found, said);
      });
    }
  },
);

attackOnLinux("searches go on, with a note, when the embedding server gives bad answers", async () => {
  await using server = await EmbeddingServer.start();
  await using arena = await arenaWith(server.url);
  equal((await indexing(arena)).code, 0);
  server.rule = () => "endless";
  const { code, stdout, stderr } = await arena.run`search green --dir ${arena.folder}`;
  deepEqual([code, stdout.includes("tea.md")], [0, true], stderr);
  // a slow machine reads for two seconds without reaching the limit
  match(
    stderr,
    /^Note: The embedding server did not answer, so keywords and the built-in word vectors were searched: (One answer of|the embedding server did not answer within) /m,
  );
});
