/**
 * The blob: one file that holds an index.
 *
 * ```
 * byte 0       4096                                                           tableAt      size
 *      ┌────────┬───────────┬──────────────┬───────────────┬─────┬────────────┬────────────┐
 *      │ header │ texts     │ postings     │ list.offsets  │ ... │ meta       │ block table│
 *      └────────┴───────────┴──────────────┴───────────────┴─────┴────────────┴────────────┘
 *        HMAC ──────────────── SHA-256 of the block table ────────────────────▶ │
 *               ◀──── blocks of 4 KiB, groups of 64 KiB ────  a hash of each ── ┘
 * ```
 *
 * Header, 4096 bytes:
 *
 * | byte | content |
 * |---|---|
 * | 0 | magic "MUXUERAG" |
 * | 8 | u32 format version |
 * | 12 | u32 CRC-32 of the header with these four bytes 0: tells damage from a header that another key sealed |
 * | 16 | f64 length of the file |
 * | 24 | f64 offset of the block table |
 * | 32 | u32 number of sections, u32 unused |
 * | 64 | SHA-256 of the block table |
 * | 96 | HMAC-SHA-256 of the header with these 32 bytes and the CRC-32 0 (`seal.ts`) |
 * | 128 | 32 bytes for each section: name (16 bytes, NUL-padded ASCII), f64 offset, f64 length |
 *
 * Sections begin at multiples of 64 bytes. The block table holds the first 16 bytes of the SHA-256 of every block from byte
 * 4096 on, then the same of every group of GROUP_BLOCKS blocks. Magic and format version stay in their places in every
 * format. Numbers are little-endian, as on every machine that the program runs on. Texts are the first section, because
 * they are written as they come. A reader ignores sections that it does not know.
 *
 * All bytes are checked before they are used: the header by its HMAC, the block table by the header, and everything else
 * by the table, in blocks, each time it is read from the disk. Opening an index therefore costs nothing that grows with
 * texts or postings, and bytes that change on the disk under an open blob are found when they are read.
 *
 * An index may lack the sections for vectors: `vector.meta` (JSON), `vectors` (int8, one row for each chunk, padded to a
 * multiple of 16), `vector.scales` (float32) and `vector.exact` (float32 rows, not padded). `words` holds what an embedding
 * stores for each chunk beside its vector, `word.offsets` (float64) the offsets in it.
 */
export const MAGIC = "MUXUERAG";
/** Changes whenever the layout does. */
export const FORMAT_VERSION = 2;
export const HEADER_BYTES = 4096;
/** Offsets of the fields of the header. */
export const AT = {
  version: 8,
  crc: 12,
  size: 16,
  table: 24,
  count: 32,
  tableHash: 64,
  seal: 96,
  entries: 128,
};
export const ENTRY_BYTES = 32;
export const ALIGNMENT = 64;
export const MAX_SECTIONS = Math.floor((HEADER_BYTES - AT.entries) / ENTRY_BYTES);

/**
 * Unit of checking for small readings: a text, a short list. A SHA-256 of 4 KiB takes 4.4 µs (935 MB/s), of 64 KiB
 * 44 µs (1,470 MB/s, EPYC with SHA instructions).
 */
export const BLOCK_BYTES = 4096;
/** Blocks that are checked together when much is read: 64 KiB. */
export const GROUP_BLOCKS = 16;
/** Bytes of each block's hash in the table. The first half of a SHA-256 still resists a second preimage. */
export const BLOCK_HASH_BYTES = 16;

/** One section of a blob. */
export interface BlobSection {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** Thrown for an index that is damaged, cut off, or cannot be read. The message says in English what is wrong. */
export class DamagedIndexError extends Error {
  override readonly name = "DamagedIndexError";
}

/** Thrown for a sound index of another format or tokenizer. */
export class OutdatedIndexError extends Error {
  override readonly name = "OutdatedIndexError";
}

/** Thrown for an index that was sealed with another key: see `seal.ts`. */
export class ForeignIndexError extends Error {
  override readonly name = "ForeignIndexError";
}

/** Bytes of the block table for so many bytes of blocks. */
export function tableLength(bytes: number): number {
  const blocks = Math.ceil(bytes / BLOCK_BYTES);
  return (blocks + Math.ceil(blocks / GROUP_BLOCKS)) * BLOCK_HASH_BYTES;
}
