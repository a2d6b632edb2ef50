/**
 * MCP over stdin and stdout: lines with a limit, and exit under load.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  ProtocolErrorCode,
  type Transport,
} from "@modelcontextprotocol/server";
import { idOfRefused, limitError, shapeProblem, textProblem } from "./message_limits.ts";
import { RequestGate, type RequestKey } from "./guard_connection.ts";

/** Limits of one connection. */
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
  readonly error: { readonly code: number; readonly message: string };
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

  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #limits: StdioLimits;
  readonly #gate: RequestGate;
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });
  readonly #encoder = new TextEncoder();
  #closed = false;
  #end!: () => void;

  constructor(input: ReadableStream<Uint8Array>, output: WritableStream<Uint8Array>, limits: StdioLimits) {
    this.#reader = input.getReader();
    this.#writer = output.getWriter();
    // A failed write rejects its own promise. This handles the rejection of the stream's promise as well.
    this.#writer.closed.catch(() => void this.close());
    this.#limits = limits;
    this.#gate = new RequestGate(limits.capacity, limits.maxWaitingBytes);
    this.ended = new Promise((resolve) => this.#end = resolve);
  }

  /** Starts reading. */
  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  /** Writes one message; resolves when the stream has accepted it. Does nothing after the connection has ended. */
  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#write(message);
    } finally {
      if (!("method" in message) && message.id !== undefined) this.#gate.settle(message.id);
    }
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
    if (line === LINE_TOO_LONG) {
      return this.#refuse(
        ProtocolErrorCode.ParseError,
        `Parse error: line over ${this.#limits.maxLineBytes} bytes`,
      );
    }
    let value: unknown;
    let problem: string | undefined;
    try {
      const text = this.#utf8.decode(line);
      if (text.trim() === "") return;
      problem = shapeProblem(text);
      value = JSON.parse(text);
    } catch {
      return this.#refuse(
        ProtocolErrorCode.ParseError,
        "Parse error: a line must hold one JSON value in UTF-8",
      );
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
    } else if (isAnswer(message)) {
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

function isAnswer(message: unknown): message is JSONRPCResponse {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
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
  reader: ReadableStreamDefaultReader<Uint8Array>,
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

/** Console methods that write to stdout. */
const STDOUT_METHODS = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "group",
  "groupCollapsed",
  "count",
  "countReset",
  "time",
  "timeLog",
  "timeEnd",
] as const;

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
