/**
 * One HTTP exchange: reading the body and writing the answer within limits.
 */
import type { HttpReply } from "#foundation/boundary/http_listener.ts";

/** Bytes that are written at once. The next ones follow when the client has read these. */
const PIECE = 64 * 1024;

const NOTHING = new Uint8Array();

interface Unread {
  bytes: number;
  readonly close: () => void;
}

/** Writes answers to clients, as fast as these read them. */
export class AnswerWriter {
  readonly #limits: Pick<HttpLimits, "unreadBytes">;
  readonly #onUnread: () => void;
  /** In the order in which they began to wait. */
  readonly #unread = new Set<Unread>();
  #unreadBytes = 0;

  /** `onUnread` is called for each connection that is closed because its client does not read. */
  constructor(limits: Pick<HttpLimits, "unreadBytes">, onUnread: () => void) {
    this.#limits = limits;
    this.#onUnread = onUnread;
  }

  /** Bytes of answers that clients have not read yet. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** Writes a response of the SDK. Resolves when it is written or the connection has ended. Never rejects. */
  async write(to: HttpReply, signal: AbortSignal, { status, headers, body }: Response): Promise<void> {
    if (to.isClosed) return void await body?.cancel().catch(() => {});
    const reader = body?.getReader();
    const onGone = () => void reader?.cancel().catch(() => {});
    signal.addEventListener("abort", onGone);
    try {
      const isStream = /^(?:text\/event-stream|application\/x-ndjson)/.test(
        headers.get("content-type") ?? "",
      );
      const first = isStream || reader === undefined ? NOTHING : await rest(reader);
      to.begin(status, headers, isStream ? undefined : first.length);
      // A stream may have nothing to say for long.
      if (isStream) await to.flush();
      await this.#writeBytes(to, first);
      for (;;) {
        const { done = true, value } = await reader?.read() ?? {};
        if (done) return;
        await this.#writeBytes(to, value!);
      }
    } catch {
      to.close();
    } finally {
      signal.removeEventListener("abort", onGone);
      onGone();
    }
  }

  /** Resolves when the client has read the bytes, up to what the system keeps for it. */
  async #writeBytes(to: HttpReply, bytes: Uint8Array): Promise<void> {
    const unread: Unread = { bytes: bytes.length, close: () => this.#giveUp(to) };
    this.#add(unread);
    try {
      for (let at = 0; at < bytes.length; at += PIECE) {
        const piece = bytes.subarray(at, at + PIECE);
        await to.write(piece);
        unread.bytes -= piece.length;
        this.#unreadBytes -= piece.length;
      }
    } finally {
      this.#unread.delete(unread);
      this.#unreadBytes -= unread.bytes;
    }
  }

  #add(unread: Unread): void {
    this.#unread.add(unread);
    this.#unreadBytes += unread.bytes;
    for (const oldest of this.#unread) {
      if (this.#unreadBytes <= this.#limits.unreadBytes || oldest === unread) return;
      this.#unread.delete(oldest);
      this.#unreadBytes -= oldest.bytes;
      oldest.bytes = 0;
      oldest.close();
    }
  }

  #giveUp(to: HttpReply): void {
    this.#onUnread();
    to.close();
  }
}

async function rest(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.length === 1 ? parts[0]! : new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
  }
}

/** An HTTP response with a JSON-RPC error. `id`: that of the request; null where it is not known. */
export function errorResponse(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status, headers });
}

/** The id of the one request that a body holds; null where it holds none, or several. */
export function requestIdOf(body: unknown): string | number | null {
  if (body === null || typeof body !== "object" || !("id" in body) || !("method" in body)) return null;
  const { id } = body;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** The response, with the id of its request in an error that lacks it. */
export async function withRequestId(response: Response, id: string | number | null): Promise<Response> {
  const isError = response.status >= 400 && response.headers.get("content-type") === "application/json";
  if (id === null || !isError) return response;
  const answer = await response.json();
  const { status, headers } = response;
  return Response.json({ ...answer, id: answer.id ?? id }, { status, headers });
}

/** So many requests per second, and so many at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Limits of the HTTP server, against clients that are broken or hostile. */
export const HTTP_LIMITS = {
  /** Connections at the same time, half of them for clients that may use the server. Unused ones make room for new ones. */
  connections: 256,
  /** Connections of one address that have sent no request that the server accepts, such as one with the token. */
  connectionsOfAddress: 64,
  /** Milliseconds for the headers of a request to arrive, and for the whole request. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** Milliseconds that a connection may be idle between two requests. */
  idleMs: 60_000,
  /** Milliseconds that a client may take to read the next 64 KiB of an answer. */
  readMs: 30_000,
  /** Bytes of the body of a request. */
  bodyBytes: 1024 * 1024,
  /** Bytes of answers that clients have not read yet. Above it, the connection that waits longest is closed. */
  unreadBytes: 64 * 1024 * 1024,
  /**
   * Requests per second of one connection, or of one address that is not this machine, in the long run and at once. Those of an
   * address with the token are counted apart from those without. Programs of this machine cannot be told apart by their
   * address, and a proxy passes on the requests of many.
   */
  rate: { local: { perSecond: 1000, burst: 2000 }, remote: { perSecond: 100, burst: 400 } },
  /** Sessions of the protocol with sessions. Above it, the one that was idle longest ends. */
  sessions: 200,
  /** Milliseconds after which an unused session ends. */
  sessionMs: 60 * 60 * 1000,
  /** Streams of notifications without an end. */
  streams: 64,
  /** Requests that wait for capacity. Above it, requests are refused. */
  waiting: 512,
  /** Milliseconds between two signs of life in a stream. */
  keepAliveMs: 15_000,
};

/** See {@linkcode HTTP_LIMITS}. */
export type HttpLimits = Readonly<typeof HTTP_LIMITS>;
