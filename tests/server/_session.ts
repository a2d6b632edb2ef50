import type { Config } from "#foundation/configuration/mod.ts";
import type { Log } from "#foundation/log.ts";
import { serveMcp, type ServeOptions, type Upkeep } from "#server/mod.ts";
import type { Language } from "#foundation/messages/mod.ts";
import type { Hit, Library, SearchAnswer, SearchRequest } from "#library/search/mod.ts";
import { servedCollections } from "#library/search/types.ts";

/** A JSON-RPC message, untyped. */
// deno-lint-ignore no-explicit-any
export type Message = any;

/** `_meta` of requests of the revision without sessions. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** One event of the log in memory. */
export type LogEntry = [level: string, event: string, properties: Record<string, unknown> | undefined];

/** A server with a given library and in-memory streams. */
export interface Session extends AsyncDisposable {
  /** Sends bytes or text unchanged, or a message as one line. */
  send(what: Uint8Array | string | Record<string, unknown>): Promise<void>;
  /** Returns the next message that the server writes. */
  receive(): Promise<Message>;
  /** Sends a request and returns the answer with its id. */
  request(method: string, params?: Record<string, unknown>): Promise<Message>;
  /** Calls a tool and returns its result. */
  call(name: string, args: Record<string, unknown>): Promise<Message>;
  /** Method and parameters of the notifications that come before the answer to a ping. */
  heard(): Promise<[method: string, params: Message][]>;
  /** Closes the server's input, waits for its end, and returns all messages not yet received. */
  end(): Promise<Message[]>;
  readonly log: LogEntry[];
  readonly served: Promise<void>;
}

/** The section `mcp` of a configuration with every tool and long answers. */
export const CONFIG: Config["mcp"] = {
  "document_chars": 20_000,
  "max_read_chars": 200_000,
  "original_mb": 7,
  answer: "auto",
  "max_tokens": 1_000_000,
  tools: "all",
  access: null,
  tokens: [],
};

export const ROOT = Deno.build.os === "windows" ? "C:\\notes" : "/notes";

/** A complete hit; `changes` replaces fields. */
export function hit(changes: Partial<Hit> = {}): Hit {
  return {
    filePath: `${ROOT}/tea.md`,
    chunkId: "0123456789abcdef",
    score: 2.5,
    degree: "high",
    content: "Green tea wants 80 °C.",
    startLine: 3,
    endLine: 4,
    totalLines: 9,
    section: ["Tea", "Green"],
    ...changes,
  };
}

export const NOTHING_FOUND: SearchAnswer = { hits: [], seconds: 0.002, notices: [] };

/** A library whose searches give this answer or fail so, and the requests that reach it. */
export function searched(answer: Partial<SearchAnswer> | Error = {}) {
  const requests: SearchRequest[] = [];
  const library = fakeLibrary({
    search({ marks: _, ...request }) {
      requests.push(request);
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ ...NOTHING_FOUND, ...answer });
    },
  });
  return { library, requests };
}

/** A library that finds nothing and has no files; `parts` replaces methods. */
export function fakeLibrary(parts: Partial<Library> = {}): Library {
  return {
    roots: [ROOT],
    collections: servedCollections(parts.roots ?? [ROOT], { collections: {} }),
    search: () => Promise.resolve(NOTHING_FOUND),
    readRawFile: () => Promise.reject(new Error("no files")),
    readDocument: () => Promise.reject(new Error("no files")),
    readPictures: () => Promise.reject(new Error("no files")),
    readOriginal: () => Promise.reject(new Error("no files")),
    catalog: () => Promise.reject(new Error("no files")),
    whyNot: () => Promise.reject(new Error("no files")),
    checkSupport: () => Promise.resolve({ sentences: [], notices: [] }),
    close: () => {},
    ...parts,
  };
}

/** Options of {@linkcode startSession}. */
export interface SessionOptions {
  readonly library?: Library;
  readonly upkeep?: Upkeep;
  readonly answering?: ServeOptions["answering"];
  /** Default: English. */
  readonly language?: Language;
  readonly signal?: AbortSignal;
  /** Settings of the section `mcp`. */
  readonly config?: Partial<ServeOptions["config"]>;
  /** Changes and messages that the server passes on to its clients. Default: none. */
  readonly changes?: ServeOptions["changes"];
  readonly notes?: ServeOptions["notes"];
  /** The client's name. Default: `test`. */
  readonly client?: string;
  /** Leave out `initialize`. */
  readonly raw?: boolean;
}

/** Starts a server and, unless `raw`, initializes it. */
export async function startSession(options: SessionOptions = {}): Promise<Session> {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const writer = input.writable.getWriter();
  const log: LogEntry[] = [];
  const keep = (level: string) => (event: string, properties?: Record<string, unknown>) =>
    void log.push([level, event, properties]);
  const logger: Log = {
    level: "info",
    debug: keep("debug"),
    info: keep("info"),
    warning: keep("warning"),
    error: keep("error"),
    close: () => Promise.resolve(),
  };
  const served = serveMcp({
    library: options.library ?? fakeLibrary(),
    upkeep: options.upkeep,
    answering: options.answering,
    language: options.language ?? "en",
    log: logger,
    version: "1.2.3",
    config: { ...CONFIG, ...options.config },
    input: input.readable,
    output: output.writable,
    ...(options.signal && { signal: options.signal }),
    ...(options.changes && { changes: options.changes }),
    ...(options.notes && { notes: options.notes }),
  });
  const reader = output.readable.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  let rest = "";
  const inbox: Message[] = [];
  const take = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    if (done) return false;
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    for (const line of lines) inbox.push(JSON.parse(line));
    return true;
  };
  const receive = async (): Promise<Message> => {
    while (inbox.length === 0) if (!await take()) throw new Error("the server is done");
    return inbox.shift();
  };
  const encoder = new TextEncoder();
  const send: Session["send"] = (what) => {
    const bytes = what instanceof Uint8Array
      ? what
      : encoder.encode(typeof what === "string" ? what : JSON.stringify(what) + "\n");
    return writer.write(bytes);
  };
  let lastId = 0;
  const request: Session["request"] = async (method, params) => {
    const id = `r${++lastId}`;
    await send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    while (true) {
      const found = inbox.findIndex((message) => message.id === id);
      if (found >= 0) return inbox.splice(found, 1)[0];
      if (!await take()) throw new Error("the server is done");
    }
  };
  const heard: Session["heard"] = async () => {
    const id = crypto.randomUUID();
    await send({ jsonrpc: "2.0", id, method: "ping" });
    const all: [string, Message][] = [];
    for (let message = await receive(); message.id !== id; message = await receive()) {
      all.push([message.method, message.params]);
    }
    return all;
  };
  let ended = false;
  const end = async (): Promise<Message[]> => {
    ended = true;
    writer.close().catch(() => {});
    void served.then(() => output.writable.close().catch(() => {}));
    while (await take());
    await served;
    return inbox.splice(0);
  };
  if (!options.raw) {
    await request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: options.client ?? "test", version: "0" },
    });
    await send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }
  return {
    send,
    receive,
    request,
    heard,
    call: async (name, args) => (await request("tools/call", { name, arguments: args })).result,
    end,
    log,
    served,
    async [Symbol.asyncDispose]() {
      if (!ended) await end();
    },
  };
}

/** The answer of a server of its own to one call of a tool. */
export async function callOnce(
  name: string,
  args: Record<string, unknown>,
  options?: SessionOptions,
): Promise<Message> {
  await using session = await startSession(options);
  return await session.call(name, args);
}

/** The answers to a call of a tool and to those that go on with its cursor. */
export async function allAnswers(
  session: Session,
  name: string,
  args: Record<string, unknown>,
): Promise<Message[]> {
  const answers: Message[] = [];
  let cursor: string | undefined;
  do {
    answers.push(await session.call(name, { ...args, ...(cursor !== undefined && { cursor }) }));
    cursor = answers.at(-1).structuredContent.data.next_cursor;
  } while (cursor !== undefined);
  return answers;
}
