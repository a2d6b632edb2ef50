/**
 * The blob: one file that holds an index.
 *
 * ```
 * 0      header, 4096 bytes
 *          0   magic "MUXUERAG"
 *          8   u32 format version
 *          12  u32 CRC-32 of the header, with these four bytes 0: tells damage from a header that somebody else wrote
 *          16  f64 length of the file
 *          24  f64 offset of the block table
 *          32  u32 number of sections, u32 unused
 *          64  SHA-256 of the block table
 *          96  HMAC-SHA-256 of the header, with these 32 bytes and the CRC-32 0 (`seal.ts`)
 *          128 32 bytes a section: name (16 bytes, NUL-padded ASCII), f64 offset, f64 length
 * 4096   sections, each at a multiple of 64 bytes
 * …      block table: of every BLOCK_BYTES from 4096 on, the first 16 bytes of their SHA-256; then the same of every group
 *        of GROUP_BLOCKS
 * ```
 * Magic and format version stay where they are in every format. Numbers are little-endian, as is every machine that the
 * program runs on. Texts are the first section, because they are written as they come. Sections a reader does not know are
 * passed over.
 *
 * Nothing that is read is used unchecked: the header is checked by its HMAC, the block table by the header, and whatever else
 * is read by the table, in blocks, at every reading. So opening costs nothing that grows with texts or postings, and bytes
 * that change on the disk under an open blob are found when they are read.
 *
 * Vectors have sections that an index may lack: `vector.meta` (JSON), `vectors` (int8, a row a chunk, rows padded to a
 * multiple of 16), `vector.scales` (float32), `vector.exact` (float32 rows, not padded). `words` holds what an
 * embedding keeps of each chunk beside its vector, `word.offsets` (float64) where.
 */
export const MAGIC = "MUXUERAG";
/** Changes whenever the layout does. */
export const FORMAT_VERSION = 2;
export const HEADER_BYTES = 4096;
/** Where the fields of the header are. */
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
/** Blocks that are checked at once where much is wanted: 64 KiB. */
export const GROUP_BLOCKS = 16;
/** Bytes of each block's hash in the table: nobody finds a second content for the first half of a SHA-256. */
export const BLOCK_HASH_BYTES = 16;

/** One section of a blob. */
export interface Section {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** A file that is no blob, not whole, or cannot be read. The message says in English what is wrong with it. */
export class DamagedIndexError extends Error {
  override readonly name = "DamagedIndexError";
}

/** A sound blob of a format or tokenizer that this program does not use. */
export class OutdatedIndexError extends Error {
  override readonly name = "OutdatedIndexError";
}

/** A blob that was not written with the key it is read with: see `seal.ts`. */
export class ForeignIndexError extends Error {
  override readonly name = "ForeignIndexError";
}
