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
import * as z from "zod";
import { HASH_BYTES, quantizeRow } from "#engine/index/mod.ts";
import { MAX_DIMENSIONS } from "#foundation/constants.ts";
import { type ContentVector, isPathInside, vectorOf } from "#library/store/mod.ts";

const MAGIC = new TextEncoder().encode("muxue_rag export 1\n");
/** Bytes of a frame before and after its content. */
const FRONT = 5, BACK = 4;

/** Kinds of frames in the order of a stream, with the most bytes that their content may have. */
const FRAMES = {
  /** JSON: the program, and bytes of the index. */
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

type FrameKind = keyof typeof FRAMES;

const SHA256 = z.string().regex(/^[0-9a-f]{64}$/);
const NUMBER = z.int().min(0);
const FAILED = z.enum(["too_complex", "unreadable"]);
const PICTURE = z.object({ sha256: SHA256, text: z.string().optional(), failed: FAILED.optional() });

/** The forms of the contents that are JSON. */
const FORMS = {
  header: z.object({ format: z.literal(1), program: z.string().max(100), bytes: z.number().min(0) }),
  model: z.object({ id: z.string().min(1).max(1000), dimensions: z.int().min(1).max(MAX_DIMENSIONS) }),
  recognised: z.object({
    key: z.string().regex(/^[0-9a-f]{64}(-picture)?$/),
    texts: z.array(z.tuple([NUMBER, z.string()])),
    failed: z.array(z.tuple([NUMBER, FAILED])).optional(),
    pictures: z.array(z.tuple([NUMBER, PICTURE])).optional(),
    left: NUMBER.optional(),
    isComplete: z.boolean(),
    languages: z.string(),
  }),
  generated: z.object({ key: SHA256, value: z.unknown() }),
  evaluation: z.object({ name: z.string().regex(/^\d{4}[0-9A-Za-z-]{1,60}$/), text: z.string() }),
  removed: z.array(z.string().refine(isPathInside)),
};

const KINDS = new Map<number, FrameKind>(
  Object.entries(FRAMES).map(([kind, { code }]) => [code, kind as FrameKind]),
);

/** A piece of a stream. */
export interface Frame {
  readonly kind: FrameKind;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The stream is damaged, was cut off, or is not an export. `problem` says in English what is wrong. */
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
    throw new TransferError("it does not begin as an export does");
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

  /** Returns the next bytes; `undefined` if there are fewer. A wrong length takes no memory: that is taken when the bytes are there. */
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

/** Returns a content that is JSON. Throws {@linkcode TransferError}, or a `ZodError` if it has another form. */
export function jsonIn<Kind extends keyof typeof FORMS>(
  kind: Kind,
  content: Uint8Array,
): z.infer<typeof FORMS[Kind]> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(content));
  } catch {
    throw new TransferError("a part that is not JSON");
  }
  return FORMS[kind].parse(value) as z.infer<typeof FORMS[Kind]>;
}

/** Returns the content of a frame of vectors: for each its content hash, its scale, and its numbers. */
export function vectorRecords(entries: readonly ContentVector[], dimensions: number): Uint8Array {
  const size = HASH_BYTES + 4 + dimensions;
  const bytes = new Uint8Array(entries.length * size);
  const view = new DataView(bytes.buffer), numbers = new Int8Array(bytes.buffer);
  for (const [i, { hash, vector }] of entries.entries()) {
    const at = i * size;
    bytes.set(hash.subarray(0, HASH_BYTES), at);
    view.setFloat32(at + HASH_BYTES, quantizeRow(vector, numbers, at + HASH_BYTES + 4), true);
  }
  return bytes;
}

/** Reads what {@linkcode vectorRecords} wrote. Throws {@linkcode TransferError}. */
export function vectorsIn(bytes: Uint8Array<ArrayBuffer>, dimensions: number): ContentVector[] {
  const size = HASH_BYTES + 4 + dimensions;
  if (bytes.length % size !== 0) throw new TransferError("length of vectors");
  const view = new DataView(bytes.buffer), numbers = new Int8Array(bytes.buffer);
  return Array.from({ length: bytes.length / size }, (_, i) => {
    const at = i * size, from = at + HASH_BYTES + 4;
    const scale = view.getFloat32(at + HASH_BYTES, true);
    // The greatest number of a vector of length 1 is at most 1.
    if (!(scale >= 0 && scale <= 1 / 126)) throw new TransferError("scale of a vector");
    return {
      hash: bytes.subarray(at, at + HASH_BYTES),
      vector: vectorOf(numbers.subarray(from, from + dimensions), scale),
    };
  });
}

/** The numbers of things that were moved. */
export interface TransferCounts {
  readonly files: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly recognised: number;
  readonly generated: number;
  readonly evaluations: number;
  readonly removed: number;
  /** Of the stream. */
  readonly bytes: number;
}

export type MovedCounts = { -readonly [Name in keyof TransferCounts]: number };

export const NOTHING_MOVED: MovedCounts = {
  ...{ files: 0, chunks: 0, vectors: 0, recognised: 0, generated: 0, evaluations: 0, removed: 0, bytes: 0 },
};

/** How far a transfer is: bytes so far, and about how many there will be, where that is known. */
export interface TransferProgress {
  readonly bytes: number;
  readonly of?: number;
}
