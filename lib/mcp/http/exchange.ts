import type { HttpReply, HttpRequest } from "../../sandbox/mod.ts";
import type { HttpLimits } from "./limits.ts";

/** Bytes that are written at once. The next ones follow when the client has read these. */
const PIECE = 64 * 1024;

/** The body of a request is longer than allowed. */
export const TOO_LARGE = Symbol("too large");

/** Reads the body of a request. Rejects where the client goes away. */
export async function readBody(
  request: HttpRequest,
  maxBytes: number,
): Promise<Uint8Array | typeof TOO_LARGE> {
  if (Number(request.headers["content-length"]) > maxBytes) return TOO_LARGE;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > maxBytes) return TOO_LARGE;
    pieces.push(piece);
  }
  const body = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    body.set(piece, offset);
    offset += piece.length;
  }
  return body;
}

/** An answer that waits for its client. */
interface Unread {
  bytes: number;
  readonly close: () => void;
}

/** Writes answers to clients, as fast as these read them. */
export class AnswerWriter {
  readonly #limits: Pick<HttpLimits, "readMs" | "unreadBytes">;
  readonly #onUnread: () => void;
  /** In the order in which they began to wait. */
  readonly #unread = new Set<Unread>();
  #unreadBytes = 0;

  /** `onUnread` is called for each connection that is closed because its client does not read. */
  constructor(limits: Pick<HttpLimits, "readMs" | "unreadBytes">, onUnread: () => void) {
    this.#limits = limits;
    this.#onUnread = onUnread;
  }

  /** Bytes of answers that clients have not read yet. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  /** Writes a response of the SDK. Resolves when it is written or the connection has ended. Never rejects. */
  async write(to: HttpReply, { status, headers, body }: Response): Promise<void> {
    if (to.destroyed) return void await body?.cancel().catch(() => {});
    const all = Object.fromEntries(headers);
    // The runtime's server says itself whether the connection stays open.
    delete all.connection;
    to.writeHead(status, all);
    if (body === null) return void to.end();
    // A stream may have nothing to say for long.
    to.flushHeaders();
    const reader = body.getReader();
    const onClose = () => void reader.cancel().catch(() => {});
    to.on("close", onClose);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (!await this.#writeBytes(to, value)) return;
      }
      to.end();
    } catch {
      to.destroy();
    } finally {
      to.off("close", onClose);
      reader.cancel().catch(() => {});
    }
  }

  /** Whether the client has read the bytes, up to what the system keeps for it. */
  async #writeBytes(to: HttpReply, bytes: Uint8Array): Promise<boolean> {
    const unread: Unread = { bytes: bytes.length, close: () => this.#giveUp(to) };
    this.#add(unread);
    try {
      for (let at = 0; at < bytes.length; at += PIECE) {
        if (to.destroyed) return false;
        const piece = bytes.subarray(at, at + PIECE);
        if (!to.write(piece) && !await this.#drained(to)) return false;
        unread.bytes -= piece.length;
        this.#unreadBytes -= piece.length;
      }
      return !to.destroyed;
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
    to.destroy();
  }

  #drained(to: HttpReply): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (drained: boolean) => {
        clearTimeout(timer);
        to.off("drain", onDrain);
        to.off("close", onClose);
        resolve(drained);
      };
      const onDrain = () => end(true);
      const onClose = () => end(false);
      const timer = setTimeout(() => {
        this.#giveUp(to);
        end(false);
      }, this.#limits.readMs);
      to.on("drain", onDrain);
      to.on("close", onClose);
    });
  }
}
