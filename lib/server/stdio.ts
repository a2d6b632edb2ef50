/**
 * The server on stdin and stdout: one JSON-RPC message a line, within limits, ended in order under load.
 * A connection speaks the revisions with `initialize` and the one without, each message by itself.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import {
  classifyInboundRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  ProtocolErrorCode,
  type Transport,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import { relayChanges, relayNotes } from "./connected_client.ts";
import { createServer, offerTools } from "./create_server.ts";
import type { ConnectionStart, MessageReader, ServeOptions } from "./first_answer.ts";
import { idOfRefused, limitError, RequestGate, type RequestKey } from "./guard_connection.ts";
import { shapeProblem, textProblem } from "./message_limits.ts";
import { CAPACITY, requestCost } from "./tools/mod.ts";

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** The official clients close the connection when 10 MiB lie in their buffer. They read at most 64 KiB at once. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024 - 128 * 1024;

/** Milliseconds for requests in progress after the input ended: clients kill at 2 s, and updates need 300 ms to stop. */
const GRACE_MS = 1200;

/** Subscriptions of one client. The list of tools never changes, so a client gains nothing by more. */
const MAX_SUBSCRIPTIONS = 16;

/** Serves a connection that {@linkcode startConnection} has begun, see `serveMcp`. */
export async function serveConnection(options: ServeOptions, start: ConnectionStart): Promise<void> {
  using _console = consoleToStderr();
  const transport = new StdioTransport(start, options.output, {
    maxLineBytes: MAX_LINE_BYTES,
    capacity: CAPACITY,
    maxWaitingBytes: MAX_WAITING_BYTES,
    maxAnswerBytes: maxAnswerBytes(options.config.original_mb),
    graceMs: GRACE_MS,
    cost: requestCost,
  });
  const eras = splitRevisions(transport);
  const tools = offerTools(options);
  const serve = (era: keyof typeof eras) =>
    serveStdio(() => {
      const server = createServer(options, tools);
      if (options.changes !== undefined) relayChanges(server, options.changes, era);
      if (options.notes !== undefined && era === "legacy") relayNotes(server, options.notes);
      return server;
    }, {
      transport: eras[era],
      legacy: era === "legacy" ? "serve" : "reject",
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      onerror: (error) => options.log.debug("mcp_error", { error: error.message }),
    });
  const connections = [serve("legacy"), serve("modern")];
  const stop = () => connections.forEach((connection) => void connection.close());
  options.signal?.addEventListener("abort", stop);
  if (options.signal?.aborted) stop();
  await transport.ended;
  options.signal?.removeEventListener("abort", stop);
}

/** A user who allows larger files to `get_document_original` has a client that takes longer lines. Base64 adds a third. */
function maxAnswerBytes(originalMb: number): number {
  return Math.max(MAX_ANSWER_BYTES, Math.ceil(originalMb * 1_000_000 / 3) * 4 + 64 * 1024);
}

const CANCELLED = "notifications/cancelled";

/** The revision without connections that the program speaks. */
const STATELESS_REVISION = "2026-07-28";

/**
 * One connection as two: `legacy` for requests of the revisions with `initialize`, `modern` for those that name their revision
 * in `_meta`. The SDK decides once for a whole connection, so that the first message of an old client would keep all later
 * ones from the new protocol, and it checks the revision of the first request only.
 */
function splitRevisions(wire: Transport): { readonly legacy: Transport; readonly modern: Transport } {
  const modernIds = new Set<JSONRPCRequest["id"]>();
  let hasLegacy = false;
  let opened: Promise<void> | undefined;
  const close = () => wire.close();
  const open = () => opened ??= wire.start();
  const legacy = new Channel(open, close, (message) => wire.send(message));
  const modern = new Channel(open, close, async (message) => {
    try {
      await wire.send(message);
    } finally {
      if ("id" in message && !("method" in message)) modernIds.delete(message.id!);
    }
  });
  wire.onclose = () => {
    legacy.onclose?.();
    modern.onclose?.();
  };
  wire.onerror = (error) => (legacy.onerror ?? modern.onerror)?.(error);
  wire.onmessage = (message) => {
    if (isJSONRPCRequest(message)) {
      const route = routeOf(message);
      if (route.era === "none") {
        return void wire.send({ jsonrpc: "2.0", id: message.id, error: route.error }).catch(() => {});
      }
      if (route.era === "modern") {
        modernIds.add(message.id);
        return modern.onmessage?.(message);
      }
      hasLegacy = true;
      // A cancelled request has no answer, so its id may still be there.
      modernIds.delete(message.id);
      return legacy.onmessage?.(message);
    }
    if (isJSONRPCNotification(message) && isModern(message, modernIds)) {
      if (message.method === CANCELLED) modernIds.delete(idOfCancelled(message));
      return modern.onmessage?.(message);
    }
    // Without a request before, the message would open a connection of its own.
    if (hasLegacy) legacy.onmessage?.(message);
  };
  return { legacy, modern };
}

interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

type Route = { readonly era: "legacy" | "modern" } | { readonly era: "none"; readonly error: WireError };

function routeOf(request: JSONRPCRequest): Route {
  const outcome = classifyInboundRequest({ httpMethod: "POST", body: request });
  if (outcome.kind === "legacy") return { era: "legacy" };
  if (outcome.kind === "reject") {
    const { code, message, data } = outcome;
    return { era: "none", error: { code, message, ...(data !== undefined && { data }) } };
  }
  const { revision } = outcome.classification;
  if (revision === STATELESS_REVISION) return { era: "modern" };
  const { code, message, data } = new UnsupportedProtocolVersionError({
    supported: [STATELESS_REVISION],
    requested: revision ?? "",
  });
  return { era: "none", error: { code, message, data } };
}

/** Whether a notification belongs to the era without connections. A cancellation belongs where its request went. */
function isModern(message: JSONRPCNotification, modernIds: ReadonlySet<JSONRPCRequest["id"]>): boolean {
  if (message.method === CANCELLED) return modernIds.has(idOfCancelled(message));
  return classifyInboundRequest({ httpMethod: "POST", body: message }).kind === "modern";
}

function idOfCancelled({ params }: JSONRPCNotification): JSONRPCRequest["id"] {
  return params?.requestId as JSONRPCRequest["id"];
}

class Channel implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly send: (message: JSONRPCMessage) => Promise<void>;

  constructor(start: Channel["start"], close: Channel["close"], send: Channel["send"]) {
    this.start = start;
    this.close = close;
    this.send = send;
  }
}

interface StdioLimits {
  /** Maximum length of a line in bytes. A longer line is skipped and answered with a parse error. */
  readonly maxLineBytes: number;
  /**
   * Maximum sum of the {@linkcode StdioLimits.cost | costs} of the requests in progress, until their answers are written.
   */
  readonly capacity: number;
  /** Maximum bytes of requests that were read but not started. Above it, the transport stops reading stdin. */
  readonly maxWaitingBytes: number;
  /** Maximum length of an answer in bytes, its line end included. A longer one is replaced by an error. */
  readonly maxAnswerBytes: number;
  /** Milliseconds that requests in progress may still take after the client closed stdin. */
  readonly graceMs: number;
  /** The cost of a request, from 0 to `capacity`. */
  readonly cost: (request: JSONRPCRequest) => number;
}

type Outgoing = JSONRPCMessage | {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: WireError;
};

/**
 * The stdio transport of MCP: one JSON-RPC message per line. The transport of the SDK drops invalid lines without an answer,
 * fails on a long line, joins chunks in quadratic time, and starts every request at once. This one answers or skips invalid
 * lines and limits the requests in progress and the bytes waiting, so that neither a flood of requests nor a client that
 * stops reading fills the memory.
 *
 * It reads ahead of the running requests, so that it notices a cancellation or the end of stdin while requests wait.
 *
 *     stdin -> readLines -> RequestGate -> onmessage (SDK, tool) -> send -> stdout
 *                               ^                                    |
 *                               +--------------- settle -------------+
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  /** Resolves when the connection has ended, from either side. */
  readonly ended: Promise<void>;

  readonly #reader: MessageReader;
  /** The request whose answer was sent before, until the SDK, which sees the request, answers it again. */
  #answered: JSONRPCRequest["id"] | undefined;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #limits: StdioLimits;
  readonly #gate: RequestGate;
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });
  readonly #encoder = new TextEncoder();
  #closed = false;
  #end!: () => void;

  constructor(
    { reader, answered }: ConnectionStart,
    output: WritableStream<Uint8Array>,
    limits: StdioLimits,
  ) {
    this.#reader = reader;
    this.#answered = answered;
    this.#writer = output.getWriter();
    // A failed write rejects its own promise. This handles the rejection of the stream's promise as well.
    this.#writer.closed.catch(() => void this.close());
    this.#limits = limits;
    this.#gate = new RequestGate(limits.capacity, limits.maxWaitingBytes);
    this.ended = new Promise((resolve) => this.#end = resolve);
  }

  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  /** Writes one message; resolves when the stream has accepted it. Does nothing after the connection has ended. */
  async send(message: JSONRPCMessage): Promise<void> {
    try {
      if (this.#isSent(message)) this.#answered = undefined;
      else await this.#write(message);
    } finally {
      if (!("method" in message) && message.id !== undefined) this.#gate.settle(message.id);
    }
  }

  #isSent(message: JSONRPCMessage): boolean {
    return "result" in message && message.id === this.#answered && "serverInfo" in message.result;
  }

  /** Ends the connection: cancels the input and releases the output. */
  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#gate.clear();
      // Not awaited: a pending read of a terminal or pipe may not end before the process does.
      this.#reader.cancel().catch(() => {});
      this.#writer.releaseLock();
      this.onclose?.();
      this.#end();
    }
    return Promise.resolve();
  }

  async #read(): Promise<void> {
    try {
      for await (const line of readLines(this.#reader, this.#limits.maxLineBytes)) {
        if (this.#closed) return;
        this.#take(line);
        await this.#gate.roomy();
      }
      await this.#finish();
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    await this.close();
  }

  /** Waits for the last answers after stdin was closed, as in `printf '…' | muxue_rag serve`, but not for long. */
  async #finish(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const grace = new Promise<void>((resolve) => timer = setTimeout(resolve, this.#limits.graceMs));
    await Promise.race([this.#gate.idle(), grace, this.ended]);
    clearTimeout(timer);
  }

  #take(line: Uint8Array | typeof LINE_TOO_LONG): void {
    const { ParseError } = ProtocolErrorCode;
    if (line === LINE_TOO_LONG) {
      return this.#refuse(ParseError, `Parse error: line over ${this.#limits.maxLineBytes} bytes`);
    }
    let value: unknown;
    let problem: string | undefined;
    try {
      const text = this.#utf8.decode(line);
      if (text.trim() === "") return;
      problem = shapeProblem(text);
      value = JSON.parse(text);
    } catch {
      return this.#refuse(ParseError, "Parse error: a line must hold one JSON value in UTF-8");
    }
    if (problem !== undefined) return this.#refuseLimit(problem, value);
    // Revision 2025-03-26 has batches. An empty batch is an invalid request (JSON-RPC 2.0, section 6).
    const messages = Array.isArray(value) && value.length > 0 ? value : [value];
    for (const message of messages) this.#dispatch(message, line.length / messages.length);
  }

  #dispatch(message: unknown, bytes: number): void {
    const problem = textProblem(message);
    if (problem !== undefined) return this.#refuseLimit(problem, message);
    if (isJSONRPCRequest(message)) {
      const cost = this.#limits.cost(message);
      if (cost === 0) return this.onmessage?.(message);
      this.#gate.add({ key: message.id, cost, bytes, start: () => this.onmessage?.(message) });
    } else if (isJSONRPCNotification(message)) {
      // Handled before the waiting requests: a cancellation after them would be too late.
      if (message.method === "notifications/cancelled") this.#cancel(message.params?.requestId);
      this.onmessage?.(message);
    } else if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      this.onmessage?.(message);
    } else {
      this.#refuse(ProtocolErrorCode.InvalidRequest, "Invalid request: not a JSON-RPC 2.0 message");
    }
  }

  /** Frees the capacity of a cancelled request. It gets no answer, so `send()` will not free it. */
  #cancel(id: unknown): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    if (!this.#gate.withdraw(id)) queueMicrotask(() => this.#gate.settle(id));
  }

  #refuseLimit(problem: string, message: unknown): void {
    const { code, message: text } = limitError(problem);
    this.#refuse(code, text, idOfRefused(message));
  }

  /** Answers an invalid line. The answer goes through the gate like a request: a flood of them must not fill the output. */
  #refuse(code: number, text: string, id: string | number | null = null): void {
    const key: RequestKey = Symbol();
    this.#gate.add({
      key,
      cost: 1,
      bytes: text.length,
      start: () =>
        void this.#write({ jsonrpc: "2.0", id, error: { code, message: text } })
          .finally(() => this.#gate.settle(key)),
    });
  }

  async #write(message: Outgoing): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#writer.write(this.#encode(message));
    } catch {
      // The client has exited (EPIPE) or closed the stream.
      await this.close();
    }
  }

  #encode(message: Outgoing): Uint8Array {
    const line = this.#encoder.encode(serialize(message) + "\n");
    if (line.length <= this.#limits.maxAnswerBytes || !("id" in message)) return line;
    return this.#encoder.encode(JSON.stringify(tooLarge(message)) + "\n");
  }
}

function serialize(message: Outgoing): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    // V8 strings have at most 2^29 - 24 characters. The request must be answered nevertheless.
    if (!(error instanceof RangeError) || !("id" in message)) throw error;
    return JSON.stringify(tooLarge(message));
  }
}

function tooLarge({ id }: Outgoing & { readonly id?: unknown }) {
  const text = "The answer is too large for one message. Ask for a smaller part";
  return { jsonrpc: "2.0", id, error: { code: ProtocolErrorCode.InternalError, message: text } };
}

/** Stands for a line that was longer than allowed and was dropped. */
export const LINE_TOO_LONG = Symbol("line too long");

const NEWLINE = 10;

/**
 * Splits a byte stream at newlines. Yields each complete line without its newline, and {@linkcode LINE_TOO_LONG} once for a
 * line of more than `maxBytes`; the rest of that line is read and dropped. Bytes after the last newline are an incomplete
 * message and are dropped. The time is linear in the number of bytes, because the chunks of a line are joined once, at its
 * end.
 */
export async function* readLines(
  reader: MessageReader,
  maxBytes: number,
): AsyncGenerator<Uint8Array | typeof LINE_TOO_LONG, void, void> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let skipping = false;
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    let start = 0;
    while (start < value.length) {
      const newline = value.indexOf(NEWLINE, start);
      const end = newline < 0 ? value.length : newline;
      if (!skipping) {
        length += end - start;
        if (length > maxBytes) {
          skipping = true;
          pieces = [];
          yield LINE_TOO_LONG;
        } else if (end > start) {
          pieces.push(value.subarray(start, end));
        }
      }
      if (newline < 0) break;
      if (!skipping) yield join(pieces, length);
      pieces = [];
      length = 0;
      skipping = false;
      start = newline + 1;
    }
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

const STDOUT_METHODS = [
  ...["log", "info", "debug", "dir", "dirxml", "table", "group", "groupCollapsed"] as const,
  ...["count", "countReset", "time", "timeLog", "timeEnd"] as const,
];

/**
 * Redirects the console's output from stdout to stderr until the result is disposed. Output of a library on stdout would
 * break the protocol.
 *
 * ```ts
 * using _console = consoleToStderr();
 * ```
 */
export function consoleToStderr(): Disposable {
  const target: Record<string, unknown> = globalThis.console as unknown as Record<string, unknown>;
  const toStderr = target.error;
  const kept = STDOUT_METHODS.map((name) => [name, target[name]] as const);
  for (const name of STDOUT_METHODS) target[name] = toStderr;
  return {
    [Symbol.dispose]() {
      for (const [name, method] of kept) target[name] = method;
    },
  };
}
