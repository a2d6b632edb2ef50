/**
 * The stream of bytes in which a collection moves from one store to another. It is written and read in one pass, in pieces, so that a
 * pipe between two machines suffices:
 *
 * ```
 * "muxue_rag export 1\n"
 * frames: one byte of its kind, u32 length of the content, the content, CRC-32 of all of that
 * ```
 * The last frame has the SHA-256 of all bytes before it, so that a stream that was cut off or changed is noticed. Numbers are
 * little-endian.
 */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

const MAGIC = new TextEncoder().encode("muxue_rag export 1\n");
/** Bytes of a frame before and after its content. */
const FRONT = 5, BACK = 4;

/** Kinds of frames in the order of a stream, with the most bytes that their content may have. */
export const FRAMES = {
  /** JSON about the whole: see `TransferHeader`. */
  header: { code: 1, most: 1 << 20 },
  /** The next bytes of the index, from the end of its header on. */
  index: { code: 2, most: 4 << 20 },
  /** The header of the index, which ends it: a blob is written with its header last. */
  indexHeader: { code: 3, most: 1 << 16 },
  /** JSON: the neural model of the vectors that follow. */
  model: { code: 4, most: 1 << 16 },
  /** Records: content hash, float32 scale, int8 numbers. */
  vectors: { code: 5, most: 64 << 20 },
  /** JSON: the recognised texts of a document or a picture. */
  recognised: { code: 6, most: 200_000_000 },
  /** JSON: a result of a language model. */
  generated: { code: 7, most: 1 << 20 },
  /** JSON: a run of an evaluation. */
  evaluation: { code: 8, most: 64 << 20 },
  /** JSON: the paths of files that were taken out of the index. */
  removed: { code: 9, most: 64 << 20 },
  /** SHA-256 of everything before. */
  end: { code: 10, most: 32 },
} as const;

export type FrameKind = keyof typeof FRAMES;

const KINDS = new Map<number, FrameKind>(
  Object.entries(FRAMES).map(([kind, { code }]) => [code, kind as FrameKind]),
);

/** A piece of a stream. */
export interface Frame {
  readonly kind: FrameKind;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The stream is damaged, was cut off, or is none. `problem` says in English what is wrong. */
export class TransferError extends Error {
  constructor(readonly problem: string) {
    super(problem);
  }
}

/** Writes a stream. `write` takes all bytes. */
export class FrameWriter {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #hash = createHash("sha256");
  /** Bytes so far. */
  size = 0;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
    this.#put(MAGIC);
  }

  frame(kind: FrameKind, content: Uint8Array): void {
    const front = new Uint8Array(FRONT), back = new Uint8Array(BACK);
    front[0] = FRAMES[kind].code;
    new DataView(front.buffer).setUint32(1, content.length, true);
    new DataView(back.buffer).setUint32(0, crc32(content, crc32(front)), true);
    for (const bytes of [front, content, back]) this.#put(bytes);
  }

  json(kind: FrameKind, value: unknown): void {
    this.frame(kind, new TextEncoder().encode(JSON.stringify(value)));
  }

  end(): void {
    this.frame("end", this.#hash.copy().digest());
  }

  #put(bytes: Uint8Array): void {
    this.#write(bytes);
    this.#hash.update(bytes);
    this.size += bytes.length;
  }
}

/** Reads the frames of a stream until its end. Throws {@linkcode TransferError}. Holds one frame at a time. */
export async function* readFrames(input: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const hash = createHash("sha256");
  const pieces = new Pieces(input);
  const next = async (length: number) => {
    const bytes = await pieces.take(length);
    if (bytes === undefined) throw new TransferError("it ends too early");
    return bytes;
  };
  const magic = await pieces.take(MAGIC.length);
  if (magic === undefined || !magic.every((byte, i) => byte === MAGIC[i])) {
    throw new TransferError("it is no export");
  }
  hash.update(magic);
  for (;;) {
    const whole = hash.copy();
    const front = await next(FRONT);
    const kind = KINDS.get(front[0]!);
    const length = new DataView(front.buffer).getUint32(1, true);
    if (kind === undefined || length > FRAMES[kind].most) throw new TransferError("an unknown part");
    const content = await next(length);
    const back = await next(BACK);
    if (crc32(content, crc32(front)) !== new DataView(back.buffer).getUint32(0, true)) {
      throw new TransferError(`checksum of a part (${kind})`);
    }
    for (const bytes of [front, content, back]) hash.update(bytes);
    if (kind !== "end") {
      yield { kind, content };
      continue;
    }
    if (!whole.digest().every((byte, i) => byte === content[i])) {
      throw new TransferError("checksum of all parts");
    }
    if (await pieces.take(1) !== undefined) throw new TransferError("more after its end");
    return;
  }
}

/** Takes runs of bytes from pieces of any length. */
class Pieces {
  readonly #input: AsyncIterator<Uint8Array>;
  #piece = new Uint8Array();
  #at = 0;

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#input = input[Symbol.asyncIterator]();
  }

  /** Returns the next bytes; `undefined` if there are fewer. Memory is taken as bytes come, whatever a length claims. */
  async take(length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#at === this.#piece.length) {
        const { done, value } = await this.#input.next();
        if (done) return undefined;
        [this.#piece, this.#at] = [new Uint8Array(value), 0];
        continue;
      }
      const part = this.#piece.subarray(this.#at, this.#at + missing);
      parts.push(part);
      this.#at += part.length;
      missing -= part.length;
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
