/**
 * The blob: one file that holds an index.
 *
 * ```
 * 0      header, 4096 bytes: magic "MUXUERAG", u32 format version, u32 CRC-32 of the header (these four bytes 0), u32 number
 *        of sections, u32 unused, f64 length of the file; then 48 bytes a section: name (16 bytes, NUL-padded ASCII), f64
 *        offset, f64 length, u32 CRC-32 of its bytes, 12 bytes unused
 * 4096   sections, each at a multiple of 64 bytes
 * ```
 * Magic and format version stay where they are in every format. Numbers are little-endian, as is every machine that the
 * program runs on. Texts are the first section, because they are written as they come. They, the posting lists with their
 * skips, the words and the exact vectors are read by range. Sections a reader does not know are passed over.
 *
 * Vectors have sections that an index may lack: `vector.meta` (JSON), `vectors` (int8, a row a chunk, rows padded to a
 * multiple of 16), `vector.scales` (float32), `vector.exact` (float32 rows, not padded). `words` holds what an
 * embedding keeps of each chunk beside its vector, `word.offsets` (float64) where.
 */
export const MAGIC = "MUXUERAG";
/** Changes whenever the layout does. */
export const FORMAT_VERSION = 1;
export const HEADER_BYTES = 4096;
export const ENTRY_BYTES = 48;
export const ENTRIES_AT = 32;
export const ALIGNMENT = 64;
export const MAX_SECTIONS = Math.floor((HEADER_BYTES - ENTRIES_AT) / ENTRY_BYTES);

/** One section of a blob. */
export interface Section {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

/** A file that is no blob, or not whole: `problem` says in English what is wrong with it. */
export class DamagedBlobError extends Error {
  override readonly name = "DamagedBlobError";
}

/** A sound blob of a format or tokenizer that this program does not use. */
export class OutdatedBlobError extends Error {
  override readonly name = "OutdatedBlobError";
}
