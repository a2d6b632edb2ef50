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
import { LINE_TOO_LONG, readLines } from "./_read_lines.ts";
import { RequestGate, type RequestKey } from "./_request_gate.ts";

/** Bounds of one connection. */
export interface StdioLimits {
  /** Longest line taken, in bytes; a longer one is answered with a parse error and skipped. */
  readonly maxLineBytes: number;
  /** Sum of the {@linkcode StdioLimits.cost | costs} of the requests in hand, from their start until their answer is written. */
  readonly capacity: number;
  /** Bytes of requests read ahead and not started; beyond that stdin is left unread. */
  readonly maxWaitingBytes: number;
  /** After the client closed stdin, how long answers to requests in hand may still take, in milliseconds. */
  readonly graceMs: number;
  /** What a request weighs, 0 … capacity. */
  readonly cost: (request: JSONRPCRequest) => number;
}

type Outgoing = JSONRPCMessage | {
  readonly jsonrpc: "2.0";
  readonly id: null;
  readonly error: { readonly code: number; readonly message: string };
};

/**
 * MCP's stdio transport, one JSON-RPC message a line. The SDK's own one drops garbage without an answer, dies of a
 * long line, joins chunks in quadratic time, and starts as many requests as the client can write; this one
 * answers or skips what is not a message, and holds the number of requests in hand and of bytes waiting down,
 * so that neither a flood nor a client that stopped reading fills the memory.
 *
 * It reads ahead of the work, so that a cancellation or the end of stdin is noticed while requests wait.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  /** Resolves when the connection is over, whoever ended it. */
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
    // A failed write is reported by its own promise; without this the stream's would go unhandled too.
    this.#writer.closed.catch(() => void this.close());
    this.#limits = limits;
    this.#gate = new RequestGate(limits.capacity, limits.maxWaitingBytes);
    this.ended = new Promise((resolve) => this.#end = resolve);
  }

  /** Begins to read. */
  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  /** Writes one message; resolves when the stream has taken it. Nothing happens once the connection is over. */
  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#write(message);
    } finally {
      if (!("method" in message) && message.id !== undefined) this.#gate.settle(message.id);
    }
  }

  /** Ends the connection: the input is cancelled, the output given back. */
  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      this.#gate.clear();
      // Not awaited: a pending read of a terminal or pipe may not give way until the process ends.
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

  /** Stdin is closed: `printf '…' | muxue_rag serve` still gets its answers, but soon. */
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
    try {
      const text = this.#utf8.decode(line);
      if (text.trim() === "") return;
      value = JSON.parse(text);
    } catch {
      return this.#refuse(
        ProtocolErrorCode.ParseError,
        "Parse error: a line must hold one JSON value in UTF-8",
      );
    }
    // Revision 2025-03-26 has batches. An empty one is an invalid request (JSON-RPC 2.0, section 6).
    const messages = Array.isArray(value) && value.length > 0 ? value : [value];
    for (const message of messages) this.#dispatch(message, line.length / messages.length);
  }

  #dispatch(message: unknown, bytes: number): void {
    if (isJSONRPCRequest(message)) {
      const cost = this.#limits.cost(message);
      if (cost === 0) return this.onmessage?.(message);
      this.#gate.add({ key: message.id, cost, bytes, start: () => this.onmessage?.(message) });
    } else if (isJSONRPCNotification(message)) {
      // Ahead of the requests that wait: a cancellation behind them would come too late.
      if (message.method === "notifications/cancelled") this.#cancel(message.params?.requestId);
      this.onmessage?.(message);
    } else if (isAnswer(message)) {
      this.onmessage?.(message);
    } else {
      this.#refuse(ProtocolErrorCode.InvalidRequest, "Invalid request: not a JSON-RPC 2.0 message");
    }
  }

  /** A cancelled request gets no answer, so nothing else would free its place. */
  #cancel(id: unknown): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    if (!this.#gate.withdraw(id)) queueMicrotask(() => this.#gate.settle(id));
  }

  /** Errors without a request wait their turn like requests: a flood of garbage must not fill the output. */
  #refuse(code: number, text: string): void {
    const key: RequestKey = Symbol();
    this.#gate.add({
      key,
      cost: 1,
      bytes: text.length,
      start: () =>
        void this.#write({ jsonrpc: "2.0", id: null, error: { code, message: text } })
          .finally(() => this.#gate.settle(key)),
    });
  }

  async #write(message: Outgoing): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#writer.write(this.#encoder.encode(serialize(message) + "\n"));
    } catch {
      // The client is gone (EPIPE) or the stream was shut: nobody is left to be told.
      await this.close();
    }
  }
}

function isAnswer(message: unknown): message is JSONRPCResponse {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

function serialize(message: Outgoing): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    // V8 has no string over 2^29 - 24 characters. The request must have an answer all the same.
    if (!(error instanceof RangeError) || !("id" in message)) throw error;
    const tooLarge = {
      code: ProtocolErrorCode.InternalError,
      message: "The answer is too large for one message",
    };
    return JSON.stringify({ jsonrpc: "2.0", id: message.id, error: tooLarge });
  }
}
