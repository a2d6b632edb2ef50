import { createHmac, timingSafeEqual } from "node:crypto";
import { HASH_BYTES, type IndexKey, sealOf } from "../index/mod.ts";
import { MAX_DIMENSIONS } from "../limits.ts";

const MAGIC = "MUXUEVEC";
/** Changes whenever the layout does. */
const VERSION = 2;
/** Bytes before the first record. */
export const HEADER_BYTES = 64;
/** Bytes of the header that its code covers. */
const SEALED_BYTES = 48;
/** Bytes of each code: the first half of an HMAC-SHA-256. */
const CODE_BYTES = 16;

/** A vector with its content hash, of which the first {@linkcode HASH_BYTES} bytes are used. */
export interface CacheEntry {
  readonly hash: Uint8Array;
  readonly vector: Float32Array;
}

/**
 * The layout of a file of vectors:
 *
 * ```
 * 0   header, 64 bytes: magic "MUXUEVEC", u32 version, u32 dimensions, SHA-256 of the provider's id, 16 bytes of the HMAC
 *     of these 48
 * 64  records: 16 bytes of the content hash, the vector in float32, 16 bytes of the HMAC of both, by a key
 *     that is the whole HMAC of the header
 * ```
 * The codes are made with the key of the installation, as in an index: vectors that came with a folder are not trusted.
 * Numbers are little-endian, as on every machine that the program runs on.
 */
export class VectorRecords {
  /** Bytes of a record. */
  readonly size: number;
  /** The header of the file. */
  readonly header: Uint8Array<ArrayBuffer>;
  /** The key of the records, derived from the header. */
  readonly #key: Uint8Array;

  /** `dimensions`: numbers in a vector. `provider`: SHA-256 of its id. */
  constructor(readonly dimensions: number, provider: Uint8Array, key: IndexKey) {
    this.size = HASH_BYTES + dimensions * 4 + CODE_BYTES;
    this.header = new Uint8Array(HEADER_BYTES);
    const view = new DataView(this.header.buffer);
    new TextEncoder().encodeInto(MAGIC, this.header);
    view.setUint32(8, VERSION, true);
    view.setUint32(12, dimensions, true);
    this.header.set(provider, 16);
    this.#key = sealOf(key, "vector records", this.header.subarray(0, SEALED_BYTES));
    const code = sealOf(key, "vectors", this.header.subarray(0, SEALED_BYTES));
    this.header.set(code.subarray(0, CODE_BYTES), SEALED_BYTES);
  }

  /**
   * The layout of a file that begins with `header`, {@linkcode HEADER_BYTES} bytes; `undefined` if it is not one of the
   * provider's, or was not written with the key.
   */
  static of(header: Uint8Array, provider: Uint8Array, key: IndexKey): VectorRecords | undefined {
    const dimensions = new DataView(header.buffer, header.byteOffset).getUint32(12, true);
    if (dimensions < 1 || dimensions > MAX_DIMENSIONS) return undefined;
    const records = new VectorRecords(dimensions, provider, key);
    return header.every((byte, at) => byte === records.header[at]) ? records : undefined;
  }

  /** Returns the offset of a record by its number. */
  offsetOf(record: number): number {
    return HEADER_BYTES + record * this.size;
  }

  /**
   * Encodes entries as records, one after another. Throws `RangeError` for a hash too short or a vector of another length.
   */
  encode(entries: readonly CacheEntry[]): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(entries.length * this.size);
    for (const [i, { hash, vector }] of entries.entries()) {
      if (hash.length < HASH_BYTES || vector.length !== this.dimensions) {
        throw new RangeError("the entry does not fit this cache");
      }
      const start = i * this.size;
      const end = start + this.size - CODE_BYTES;
      bytes.set(hash.subarray(0, HASH_BYTES), start);
      bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), start + HASH_BYTES);
      bytes.set(this.#codeOf(bytes.subarray(start, end)), end);
    }
    return bytes;
  }

  /** The content hashes of the records in `bytes`, whose last may be cut off; `undefined` for each that is not sound. */
  *hashesIn(bytes: Uint8Array): Generator<Uint8Array | undefined> {
    for (let at = 0; at + this.size <= bytes.length; at += this.size) {
      const record = bytes.subarray(at, at + this.size);
      yield this.isSound(record) ? record.subarray(0, HASH_BYTES) : undefined;
    }
  }

  /** The vector of a record, which must be sound. */
  vectorOf(record: Uint8Array): Float32Array<ArrayBuffer> {
    return new Float32Array(record.slice(HASH_BYTES, this.size - CODE_BYTES).buffer);
  }

  /** Whether a record is one that was written with the key. */
  isSound(record: Uint8Array): boolean {
    const end = this.size - CODE_BYTES;
    return timingSafeEqual(record.subarray(end), this.#codeOf(record.subarray(0, end)));
  }

  #codeOf(content: Uint8Array): Uint8Array {
    return createHmac("sha256", this.#key).update(content).digest().subarray(0, CODE_BYTES);
  }
}
