import { crc32 } from "node:zlib";
import { HASH_BYTES, MAX_DIMENSIONS } from "../index/mod.ts";

const MAGIC = "MUXUEVEC";
/** Changes whenever the layout does. */
const VERSION = 1;
/** Bytes before the first record. */
export const HEADER_BYTES = 64;
/** Bytes of the header that its checksum is of. */
const CHECKED_BYTES = 48;
const CRC_BYTES = 4;

/** A content hash of {@linkcode HASH_BYTES} bytes or more (what follows is left out), and its vector. */
export interface CacheEntry {
  readonly hash: Uint8Array;
  readonly vector: Float32Array;
}

/**
 * The layout of a file of vectors:
 *
 * ```
 * 0   header, 64 bytes: magic "MUXUEVEC", u32 version, u32 dimensions, SHA-256 of the provider's id, u32 CRC-32 of these 48
 *     bytes, zeros
 * 64  records: 16 bytes of the content hash, the vector in float32, u32 CRC-32 of both
 * ```
 * Numbers are little-endian, as is every machine that the program runs on.
 */
export class VectorRecords {
  /** Bytes of a record. */
  readonly size: number;

  /** `dimensions`: numbers in a vector. */
  constructor(readonly dimensions: number) {
    this.size = HASH_BYTES + dimensions * 4 + CRC_BYTES;
  }

  /**
   * The layout of a file that begins with `header`, {@linkcode HEADER_BYTES} bytes; `undefined` if it is not one of the
   * provider's. `provider`: SHA-256 of its id.
   */
  static of(header: Uint8Array, provider: Uint8Array): VectorRecords | undefined {
    const dimensions = new DataView(header.buffer, header.byteOffset).getUint32(12, true);
    if (dimensions < 1 || dimensions > MAX_DIMENSIONS) return undefined;
    const records = new VectorRecords(dimensions);
    const expected = records.header(provider);
    return header.every((byte, at) => byte === expected[at]) ? records : undefined;
  }

  /** The header of a provider's file. */
  header(provider: Uint8Array): Uint8Array<ArrayBuffer> {
    const header = new Uint8Array(HEADER_BYTES);
    const view = new DataView(header.buffer);
    new TextEncoder().encodeInto(MAGIC, header);
    view.setUint32(8, VERSION, true);
    view.setUint32(12, this.dimensions, true);
    header.set(provider, 16);
    view.setUint32(CHECKED_BYTES, crc32(header.subarray(0, CHECKED_BYTES)), true);
    return header;
  }

  /** Where a record begins, by its number, and where its vector does. */
  offsetOf(record: number): { readonly start: number; readonly vector: number } {
    const start = HEADER_BYTES + record * this.size;
    return { start, vector: start + HASH_BYTES };
  }

  /** The records of entries, one after another. Throws `RangeError` for a hash too short or a vector of another length. */
  encode(entries: readonly CacheEntry[]): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(entries.length * this.size);
    const view = new DataView(bytes.buffer);
    for (const [i, { hash, vector }] of entries.entries()) {
      if (hash.length < HASH_BYTES || vector.length !== this.dimensions) {
        throw new RangeError("no entry of this cache");
      }
      const start = i * this.size;
      const end = start + this.size - CRC_BYTES;
      bytes.set(hash.subarray(0, HASH_BYTES), start);
      bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), start + HASH_BYTES);
      view.setUint32(end, crc32(bytes.subarray(start, end)), true);
    }
    return bytes;
  }

  /** The content hashes of the records in `bytes`, whose last may be cut off; `undefined` for each that is not sound. */
  *hashesIn(bytes: Uint8Array): Generator<Uint8Array | undefined> {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (let at = 0; at + this.size <= bytes.length; at += this.size) {
      const end = at + this.size - CRC_BYTES;
      const isSound = crc32(bytes.subarray(at, end)) === view.getUint32(end, true);
      yield isSound ? bytes.subarray(at, at + HASH_BYTES) : undefined;
    }
  }
}
