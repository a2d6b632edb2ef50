/**
 * The form of the messages on the pipe to an extractor process, for both ends.
 * Below it: the limits of time, memory and size for one document.
 *
 * Messages on a byte stream. Layout, little-endian:
 *
 * ```text
 * u32 length of the header | u32 length of the body | header, JSON in UTF-8 | body
 * ```
 */

/** Header of the first message of a process, sent after its modules are loaded and its permissions revoked. */
export const READY = "ready";

const PREFIX = 8;
const utf8 = new TextEncoder();

interface Frame {
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

/** Time limit for a document of any size, in milliseconds. */
const BASE_MS = 60_000;
/**
 * Additional time per million bytes, in milliseconds. A PDF of one million bytes takes about 3 s on an otherwise idle
 * machine.
 */
const MS_A_MEGABYTE = 5_000;
/** Longest time limit, in milliseconds. */
const MOST_MS = 600_000;

/** Memory limit of an extractor process in bytes. The process itself takes about 75 MB. */
const MAX_MEMORY = 1_500_000_000;
/** Interval of the memory checks in milliseconds. A process that fills memory takes about 1 MB per millisecond. */
export const MEMORY_LOOK_MS = 50;
/** Longest text of a document, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 400_000_000;
/** Longest message in bytes. A document of more than half this size is not sent to a process. */
export const MAX_FRAME_BYTES = 1_000_000_000;

/** Limits for reading one document. */
export interface ExtractLimits {
  /** Returns the time limit in milliseconds for a document of so many bytes. */
  readonly time: (bytes: number) => number;
  /** Memory limit for the whole process, in bytes. */
  readonly memory: number;
}

export const LIMITS: ExtractLimits = {
  time: (bytes) => Math.min(MOST_MS, BASE_MS + Math.ceil(bytes / 1_000_000) * MS_A_MEGABYTE),
  memory: MAX_MEMORY,
};
