/** Files of vectors by content, in blocks with checksums that are only appended. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { MAX_DIMENSIONS } from "#foundation/constants.ts";
import {
  fileError,
  fillSync,
  isMissing,
  type OwnFolder,
  type ReadableFile,
} from "#foundation/boundary/mod.ts";
import { HASH_BYTES, type IndexKey, quantizeRow, sealOf } from "#engine/index/mod.ts";
import type { ContentVector } from "../store.ts";

const MAGIC = "MUXUENEU";
/** Changes whenever the layout does. */
const VERSION = 1;
/** Bytes before the first block. */
export const HEADER_BYTES = 64;
/** Bytes of the header that its code covers. */
const SEALED_BYTES = 48;
/** Bytes of each code: the first half of an HMAC-SHA-256. */
const CODE_BYTES = 16;
/** Most records of a block. */
export const BLOCK_RECORDS = 256;

/** The records of a sound block. */
interface VectorBlock {
  readonly count: number;
  /** Bytes of the block in the file. */
  readonly bytes: number;
  /** The content hash of a record. */
  hash(record: number): Uint8Array;
  /** The factor that turns the int8 numbers of a record into those of the vector. */
  scale(record: number): number;
  /** The int8 numbers of a record. */
  row(record: number): Int8Array;
}

/**
 * The layout of a file of int8 vectors by content hash:
 *
 * ```
 * 0   header, 64 bytes: magic "MUXUENEU", u32 version, u32 dimensions, SHA-256 of the model's id, 16 bytes of the HMAC
 *     of these 48
 * 64  blocks: u32 number of records (1 to 256); the records, each 16 bytes of the content hash, a float32 scale and one int8 for
 *     each dimension; 16 bytes of the HMAC of number and records, by a key that is the whole HMAC of the header
 * ```
 * The codes are made with the key of the installation, as in an index. Numbers are little-endian.
 */
export class VectorBlocks {
  readonly header: Uint8Array<ArrayBuffer>;
  /** Bytes of a record. */
  readonly recordBytes: number;
  readonly #key: Uint8Array;

  constructor(readonly dimensions: number, model: string, key: IndexKey) {
    this.recordBytes = HASH_BYTES + 4 + dimensions;
    this.header = new Uint8Array(HEADER_BYTES);
    const view = new DataView(this.header.buffer);
    new TextEncoder().encodeInto(MAGIC, this.header);
    view.setUint32(8, VERSION, true);
    view.setUint32(12, dimensions, true);
    this.header.set(createHash("sha256").update(model).digest(), 16);
    const sealed = this.header.subarray(0, SEALED_BYTES);
    this.#key = sealOf(key, "vector records", sealed);
    this.header.set(sealOf(key, "vectors", sealed).subarray(0, CODE_BYTES), SEALED_BYTES);
  }

  /** Returns whether a file that begins with `header` has this layout, model and key. */
  isHeader(header: Uint8Array): boolean {
    return header.length === HEADER_BYTES && header.every((byte, at) => byte === this.header[at]);
  }

  /** Bytes of a block of so many records. */
  bytesOf(count: number): number {
    return 4 + count * this.recordBytes + CODE_BYTES;
  }

  /** Encodes one block. Throws `RangeError` for too many entries, a short hash or a vector of another length. */
  encode(entries: readonly ContentVector[]): Uint8Array<ArrayBuffer> {
    if (entries.length === 0 || entries.length > BLOCK_RECORDS) throw new RangeError("number of entries");
    return this.#block(entries, ({ hash, vector }, numbers, at) => {
      if (hash.length < HASH_BYTES || vector.length !== this.dimensions) {
        throw new RangeError("the entry does not fit this file");
      }
      return { hash: hash.subarray(0, HASH_BYTES), scale: quantizeRow(vector, numbers, at) };
    });
  }

  /** Returns the block at the start of `bytes`, or `undefined` if there is no whole and sound block. */
  read(bytes: Uint8Array): VectorBlock | undefined {
    if (bytes.length < 4) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = view.getUint32(0, true);
    if (count === 0 || count > BLOCK_RECORDS) return undefined;
    const size = this.bytesOf(count);
    if (bytes.length < size) return undefined;
    const end = size - CODE_BYTES;
    if (!timingSafeEqual(bytes.subarray(end, size), this.#codeOf(bytes.subarray(0, end)))) return undefined;
    const at = (record: number) => 4 + record * this.recordBytes;
    return {
      count,
      bytes: size,
      hash: (record) => bytes.subarray(at(record), at(record) + HASH_BYTES),
      scale: (record) => view.getFloat32(at(record) + HASH_BYTES, true),
      row: (record) =>
        new Int8Array(bytes.buffer, bytes.byteOffset + at(record) + HASH_BYTES + 4, this.dimensions),
    };
  }

  /** Encodes a block of some records of a sound block. */
  copy({ hash, scale, row }: VectorBlock, records: readonly number[]): Uint8Array<ArrayBuffer> {
    return this.#block(records, (record, numbers, at) => {
      numbers.set(row(record), at);
      return { hash: hash(record), scale: scale(record) };
    });
  }

  /** `put` writes the numbers of a record at an offset of the block, and returns the rest of it. */
  #block<T>(
    records: readonly T[],
    put: (record: T, numbers: Int8Array, at: number) => { readonly hash: Uint8Array; readonly scale: number },
  ): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.bytesOf(records.length));
    const view = new DataView(bytes.buffer);
    const numbers = new Int8Array(bytes.buffer);
    view.setUint32(0, records.length, true);
    for (const [i, record] of records.entries()) {
      const at = 4 + i * this.recordBytes;
      const { hash, scale } = put(record, numbers, at + HASH_BYTES + 4);
      bytes.set(hash, at);
      view.setFloat32(at + HASH_BYTES, scale, true);
    }
    const end = bytes.length - CODE_BYTES;
    bytes.set(this.#codeOf(bytes.subarray(0, end)), end);
    return bytes;
  }

  #codeOf(content: Uint8Array): Uint8Array {
    return createHmac("sha256", this.#key).update(content).digest().subarray(0, CODE_BYTES);
  }
}

/** Returns the name of the file with the vectors of a model. Those of a server have names of their own: they were paid for. */
export function vectorFileName(model: string): string {
  const kind = model.startsWith("local") ? "neural" : "server";
  return `${kind}-${createHash("sha256").update(model).digest("hex").slice(0, 16)}.vec`;
}

/** End of the name of a file that is to take the place of another. */
export const NEW_END = ".new";

/** Whether a name is that of a file with vectors of a local model, finished or not. */
export function isLocalVectorFile(name: string): boolean {
  return /^neural-[0-9a-f]{16}\.vec(\.new)?$/.test(name);
}

/**
 * Opens the file of a model. Returns `undefined` if there is none, or one of another layout, model or key. Throws
 * `data_folder_unsafe`, and the errors of the system.
 */
export function openBlocks(
  folder: OwnFolder,
  name: string,
  layout: VectorBlocks,
  access: "read" | "write",
): ReadableFile | undefined {
  const { file, header } = openHeader(folder, name, access) ?? {};
  if (file === undefined || layout.isHeader(header!)) return file;
  file.close();
  return undefined;
}

/** Returns the dimensions in the header of a file, if it is a header of the layout that `layoutOf` makes for them. */
export function dimensionsIn(
  folder: OwnFolder,
  name: string,
  layoutOf: (dimensions: number) => VectorBlocks,
): number | undefined {
  const { file, header } = openHeader(folder, name, "read") ?? {};
  file?.close();
  const dimensions = header === undefined ? 0 : new DataView(header.buffer).getUint32(12, true);
  if (dimensions < 1 || dimensions > MAX_DIMENSIONS) return undefined;
  return layoutOf(dimensions).isHeader(header!) ? dimensions : undefined;
}

/** Opens a file, if there is one, and reads its header, which is zeros where the file is too short. */
function openHeader(
  folder: OwnFolder,
  name: string,
  access: "read" | "write",
): { readonly file: ReadableFile; readonly header: Uint8Array<ArrayBuffer> } | undefined {
  let file: ReadableFile | undefined;
  try {
    if (!folder.exists() || folder.look(name) === undefined) return undefined;
    file = folder.open(name, access);
    const header = new Uint8Array(HEADER_BYTES);
    fillSync(file, header);
    return { file, header };
  } catch (error) {
    file?.close();
    if (isMissing(error)) return undefined;
    throw fileError(error, folder.at(name));
  }
}

/** Bytes read at once. */
const PIECE_BYTES = 1 << 20;

/** Calls `take` with each sound block of a file from the offset `from` on. Returns the offset after the last of them. */
export function readBlocks(
  file: ReadableFile,
  layout: VectorBlocks,
  from: number,
  take: (block: VectorBlock) => void,
): number {
  const piece = new Uint8Array(Math.max(PIECE_BYTES, layout.bytesOf(BLOCK_RECORDS)));
  let at = from;
  for (;;) {
    file.seekSync(at, Deno.SeekMode.Start);
    const filled = piece.subarray(0, fillSync(file, piece));
    let used = 0;
    for (;;) {
      const block = layout.read(filled.subarray(used));
      if (block === undefined) break;
      take(block);
      used += block.bytes;
    }
    at += used;
    if (used === 0 || filled.length < piece.length) return at;
  }
}
