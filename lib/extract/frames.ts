/**
 * Messages on a byte stream. Layout, little-endian:
 *
 * ```text
 * u32 length of the header | u32 length of the body | header, JSON in UTF-8 | body
 * ```
 * @module
 */

/** Header of the first message of a process, sent after its modules are loaded and its permissions revoked. */
export const READY = "ready";

const PREFIX = 8;
const utf8 = new TextEncoder();

export interface Frame {
  readonly header: unknown;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Encodes a header and a body as one message. */
export function encodeFrame(header: unknown, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const json = utf8.encode(JSON.stringify(header));
  const bytes = new Uint8Array(PREFIX + json.length + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, json.length, true);
  view.setUint32(4, body.length, true);
  bytes.set(json, PREFIX);
  bytes.set(body, PREFIX + json.length);
  return bytes;
}

/** Assembles the messages of a byte stream from its pieces. Takes time and memory linear in the bytes. */
export class FrameDecoder {
  readonly #maxBytes: number;
  #prefix = new Uint8Array(PREFIX);
  #message: Uint8Array<ArrayBuffer> | undefined;
  #headerLength = 0;
  #filled = 0;

  /** `maxBytes`: a longer message is rejected before memory is allocated for it. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Yields the messages that `piece` completes. Throws `RangeError` for a message that is too long, and `SyntaxError` for a
   * broken header.
   */
  *push(piece: Uint8Array): Generator<Frame> {
    for (let at = 0; at < piece.length;) {
      const target = this.#message ?? this.#prefix;
      const count = Math.min(target.length - this.#filled, piece.length - at);
      target.set(piece.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled < target.length) return;
      this.#filled = 0;
      if (this.#message === undefined) this.#begin();
      if (this.#message?.length === 0 || target === this.#message) yield this.#finish();
    }
  }

  #begin(): void {
    const view = new DataView(this.#prefix.buffer);
    this.#headerLength = view.getUint32(0, true);
    const length = this.#headerLength + view.getUint32(4, true);
    if (length > this.#maxBytes) throw new RangeError(`a message of ${length} bytes`);
    this.#message = new Uint8Array(length);
  }

  #finish(): Frame {
    const message = this.#message!;
    this.#message = undefined;
    const header = JSON.parse(new TextDecoder().decode(message.subarray(0, this.#headerLength)));
    return { header, body: message.slice(this.#headerLength) };
  }
}
