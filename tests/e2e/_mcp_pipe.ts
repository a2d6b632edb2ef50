import assert from "node:assert/strict";
import { type Sandbox, spawnIn } from "./_program.ts";

/**
 * Milliseconds after which a process that should end is killed; its exit code shows this. It is more than a loaded machine
 * needs.
 */
export const PATIENCE_MS = 60_000;

/** A JSON-RPC message, loosely. */
// deno-lint-ignore no-explicit-any
export type Message = any;

/** The command `serve`, connected by three pipes. */
export interface Pipe extends AsyncDisposable {
  /** Id of the server's process. */
  readonly pid: number;
  /** Sends bytes, a text, or messages, one per line. */
  send(...what: (Uint8Array | string | Record<string, unknown>)[]): Promise<void>;
  /** Receives messages up to the one with this id, and returns all of them. */
  receiveUntil(id: number): Promise<Message[]>;
  /** Receives this many answers, and passes over notifications. */
  receive(count: number): Promise<Message[]>;
  /** Sends a request and returns its answer; messages before it are passed over. */
  ask(method: string, params?: unknown): Promise<Message>;
  /** {@linkcode ask} for a tool call. */
  call(name: string, args: Record<string, unknown>): Promise<Message>;
  /** {@linkcode ask} for a search. */
  search(keyword: string): Promise<Message>;
  /** Searches until the text of an answer is as `wanted`. Returns that text. */
  searchUntil(keyword: string, wanted: (text: string) => boolean): Promise<string>;
  /** Stops reading the server's output, like a client that died. */
  closeOutput(): Promise<void>;
  /** Closes the server's stdin by default, and waits until the server ends. Kills it if that takes too long. */
  end(options?: { keepStdin?: boolean }): Promise<
    { code: number; stderr: string; rest: Message[] }
  >;
}

/**
 * Starts `serve` and initializes it for a protocol revision, unless that is null. Checks that every line of its output is a
 * JSON-RPC message.
 */
export async function openPipe(
  sandbox: Sandbox,
  dirs = ["--dir", sandbox.folder],
  revision: string | null = "2025-11-25",
): Promise<Pipe> {
  const child = spawnIn(sandbox, sandbox.start(["serve", ...dirs]));
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  const stderr = new Response(child.stderr).text();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const encoder = new TextEncoder();
  const inbox: Message[] = [];
  let rest = "";
  const take = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    if (done) {
      assert.equal(rest, "");
      return false;
    }
    rest += decoder.decode(value, { stream: true });
    // A long line comes in many parts, which are joined once.
    if (!value.includes(10)) return true;
    const lines = rest.split("\n");
    rest = lines.pop()!;
    for (const line of lines) inbox.push(parseMessage(line));
    return true;
  };
  let over = false;
  let id = 1_000_000_000;
  const pipe: Pipe = {
    pid: child.pid,
    async send(...what) {
      for (const part of what) {
        const isMessage = typeof part !== "string" && !(part instanceof Uint8Array);
        const bytes = isMessage ? JSON.stringify(part) + "\n" : part;
        await writer.write(typeof bytes === "string" ? encoder.encode(bytes) : bytes);
      }
    },
    async receiveUntil(id) {
      while (true) {
        const at = inbox.findIndex((message) => message.id === id);
        if (at >= 0) return inbox.splice(0, at + 1);
        assert.ok(await take(), "the server ended too soon");
      }
    },
    async receive(count) {
      const answers: Message[] = [];
      while (answers.length < count) {
        const message = inbox.shift();
        if (message === undefined) assert.ok(await take(), "the server ended too soon");
        else if ("id" in message) answers.push(message);
      }
      return answers;
    },
    async ask(method, params = {}) {
      await pipe.send({ jsonrpc: "2.0", id: ++id, method, params });
      return (await pipe.receiveUntil(id)).at(-1);
    },
    call: (name, args) => pipe.ask("tools/call", { name, arguments: args }),
    search: (keyword) => pipe.call("search_rag", { keyword }),
    async searchUntil(keyword, wanted) {
      for (;;) {
        const { result } = await pipe.search(keyword);
        const [{ text }] = result.content;
        if (wanted(text)) return text;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    closeOutput: () => reader.cancel(),
    async end({ keepStdin = false } = {}) {
      over = true;
      const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      if (!keepStdin) writer.close().catch(() => {});
      while (await take());
      const { code } = await child.status;
      clearTimeout(timer);
      if (keepStdin) await writer.close().catch(() => {});
      return { code, stderr: await stderr, rest: inbox.splice(0) };
    },
    async [Symbol.asyncDispose]() {
      if (!over) await pipe.end();
    },
  };
  if (revision === null) return pipe;
  await pipe.send({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "pipe", version: "0" } },
  }, { jsonrpc: "2.0", method: "notifications/initialized" });
  await pipe.receiveUntil(0);
  return pipe;
}

function parseMessage(line: string): Message {
  const message = JSON.parse(line);
  assert.equal(message.jsonrpc, "2.0", line);
  assert.ok("method" in message || ("id" in message && ("result" in message) !== ("error" in message)), line);
  return message;
}

/** Returns a `ping` request. */
export function ping(id: number) {
  return { jsonrpc: "2.0", id, method: "ping" };
}

/** Returns a request for a search. */
export function search(id: number, keyword: string) {
  return call(id, "search_rag", { keyword });
}

/** Returns a request for a tool call. */
export function call(id: number, name: string, args: Record<string, unknown>) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

export function finds(passage: string): (text: string) => boolean {
  return (text) => text.includes(passage);
}

export function findsNot(passage: string): (text: string) => boolean {
  return (text) => !text.includes(passage);
}
