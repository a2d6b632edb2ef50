import type { HttpReply } from "../../sandbox/mod.ts";
import type { HttpLimits } from "./limits.ts";

/** Bytes that are written at once. The next ones follow when the client has read these. */
const PIECE = 64 * 1024;

const NOTHING = new Uint8Array();

/** An answer that waits for its client. */
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
      const isStream = headers.get("content-type")?.startsWith("text/event-stream");
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

/** All that a body has left. */
async function rest(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.length === 1 ? parts[0]! : new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
  }
}
