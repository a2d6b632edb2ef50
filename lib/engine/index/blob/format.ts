/**
 * The layout of an index file: header, sections, checksums of blocks, and the seal of an installation.
 *
 * Decides which indexes are trusted.
 *
 * An index lies in the folder that it describes, and folders come from elsewhere: cloned, unpacked, synchronised. An index
 * that came with a folder could quote texts that are in no file, under the size, time and SHA-256 of the real ones.
 * Checksums would not show this, because anybody can compute them. So an index is trusted only if this installation wrote
 * it. A key of 32 random bytes, the file `index.key` in the user's state folder, is read by the launcher only and goes to
 * the locked worker with its request. With it the header of every index gets an HMAC-SHA-256. The header holds the hash of
 * the block table, which holds the hash of every block, so that one code covers all bytes. An index is
 *
 * - *ours and of this folder*: searched and updated.
 * - *ours, but written for another folder* (its `meta.root` is another real path): the folder was moved or renamed, or
 *   somebody copied an index of one folder into another to pass its texts off as that one's. It is not searched. The next
 *   run reads every file again and keeps the chunks of files with the same SHA-256. Sizes and times are not trusted. Vectors
 *   are, because they belong to texts and not to paths.
 * - *not ours*: another machine's or account's, forged, or the key is lost. Nothing of it is used, vectors included, since
 *   false vectors lead questions to the wrong texts. It is rebuilt before it is first searched, and the user is told. A
 *   backup of that kind is refused. To use one index on two machines copy `index.key` from one to the other.
 *
 * An old index of this folder, put back by somebody who can write there, is trusted. It quotes earlier texts of the files,
 * and the next run notices the files that differ in size or time. That person could as well put back the old files.
 *
 * The vectors of neural models (`neural-*.vec`, `server-*.vec`) get a code with the same key, block by block.
 */
import { ByteBuffer, hexOf } from "../bytes.ts";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

/** The fields of a blob's header. */
export interface Header {
  readonly sections: ReadonlyMap<string, BlobSection>;
  /** Bytes of the file. */
  readonly size: number;
  /** Offset of the block table, which ends with the file. */
  readonly tableAt: number;
  readonly tableHash: Uint8Array;
  /** The HMAC in hexadecimal. */
  readonly seal: string;
}

/** The header of a blob of these sections, sealed with the key. */
export function encodeHeader(
  sections: readonly BlobSection[],
  tableAt: number,
  table: Uint8Array,
  key: IndexKey,
): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  const encoder = new TextEncoder();
  encoder.encodeInto(MAGIC, header);
  view.setUint32(AT.version, FORMAT_VERSION, true);
  view.setFloat64(AT.size, tableAt + table.length, true);
  view.setFloat64(AT.table, tableAt, true);
  view.setUint32(AT.count, sections.length, true);
  header.set(hashOf(table), AT.tableHash);
  sections.forEach(({ name, offset, length }, i) => {
    const at = AT.entries + i * ENTRY_BYTES;
    encoder.encodeInto(name, header.subarray(at, at + 16));
    view.setFloat64(at + 16, offset, true);
    view.setFloat64(at + 24, length, true);
  });
  seal(header, key);
  return header;
}

/** Replaces the HMAC and the checksum of a header. */
export function seal(header: Uint8Array, key: IndexKey): void {
  const view = new DataView(header.buffer, header.byteOffset);
  view.setUint32(AT.crc, 0, true);
  header.fill(0, AT.seal, AT.seal + SEAL_BYTES);
  header.set(sealOf(key, "index", header), AT.seal);
  view.setUint32(AT.crc, crc32(header), true);
}

/**
 * Reads a header. `bytes` are the first 4096 of a file of `size` bytes. Fields are used only after the HMAC was checked.
 * Throws {@linkcode DamagedIndexError}, {@linkcode OutdatedIndexError} or {@linkcode ForeignIndexError}.
 */
export function decodeHeader(bytes: Uint8Array, size: number, key: IndexKey): Header {
  const header = bytes.slice();
  const view = new DataView(header.buffer);
  if (ascii(header.subarray(0, 8)) !== MAGIC) throw new DamagedIndexError("not an index");
  const version = view.getUint32(AT.version, true);
  if (version !== FORMAT_VERSION) {
    throw new OutdatedIndexError(`format ${version}, wanted ${FORMAT_VERSION}`);
  }
  const crc = view.getUint32(AT.crc, true);
  view.setUint32(AT.crc, 0, true);
  if (crc32(header) !== crc) throw new DamagedIndexError("checksum of the header");
  const code = header.slice(AT.seal, AT.seal + SEAL_BYTES);
  header.fill(0, AT.seal, AT.seal + SEAL_BYTES);
  if (!isSealOf(code, key, "index", header)) throw new ForeignIndexError("not written by this installation");

  const tableAt = view.getFloat64(AT.table, true);
  if (view.getFloat64(AT.size, true) !== size) throw new DamagedIndexError("length of the file");
  const isPlace = Number.isSafeInteger(tableAt) && tableAt >= HEADER_BYTES && tableAt <= size;
  if (!isPlace || size - tableAt !== tableLength(tableAt - HEADER_BYTES)) {
    throw new DamagedIndexError("place of the block table");
  }
  const tableHash = header.subarray(AT.tableHash, AT.tableHash + 32);
  return { sections: sectionsIn(header, view, tableAt), size, tableAt, tableHash, seal: hexOf(code) };
}

function sectionsIn(header: Uint8Array, view: DataView, end: number): Map<string, BlobSection> {
  const count = view.getUint32(AT.count, true);
  if (count > MAX_SECTIONS) throw new DamagedIndexError(`${count} sections`);
  const sections = new Map<string, BlobSection>();
  for (let i = 0; i < count; i++) {
    const at = AT.entries + i * ENTRY_BYTES;
    const name = ascii(header.subarray(at, at + 16)).replace(/\0+$/, "");
    const offset = view.getFloat64(at + 16, true);
    const length = view.getFloat64(at + 24, true);
    const isPlace = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && length >= 0 &&
      offset >= HEADER_BYTES && offset + length <= end && offset % ALIGNMENT === 0;
    if (!isPlace || sections.has(name)) throw new DamagedIndexError(`place of section ${name}`);
    sections.set(name, { name, offset, length });
  }
  return sections;
}

/** Returns the SHA-256 of bytes, or the first `length` bytes of it. */
export function hashOf(bytes: Uint8Array, length = 32): Uint8Array {
  // A digest in bytes takes two to three times as long: its memory is outside of the heap.
  const digits = createHash("sha256").update(bytes).digest("hex");
  const hash = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    hash[i] = valueOfDigit(digits.charCodeAt(2 * i)) << 4 | valueOfDigit(digits.charCodeAt(2 * i + 1));
  }
  return hash;
}

/** Returns the value of a hexadecimal digit in lower case. */
function valueOfDigit(unit: number): number {
  return unit < 0x3a ? unit - 0x30 : unit - 0x57;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

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
 * | 96 | HMAC-SHA-256 of the header with these 32 bytes and the CRC-32 0 |
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
 * multiple of 16) and `vector.scales` (float32). `words` holds what an embedding stores for each chunk beside its vector,
 * `word.offsets` (float64) the offsets in it.
 */
const MAGIC = "MUXUERAG";
/** Changes whenever the layout does. */
const FORMAT_VERSION = 2;
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
const BLOCK_HASH_BYTES = 16;

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

/** Thrown for an index that was sealed with another key. */
export class ForeignIndexError extends Error {
  override readonly name = "ForeignIndexError";
}

/** Bytes of the block table for so many bytes of blocks. */
function tableLength(bytes: number): number {
  const blocks = Math.ceil(bytes / BLOCK_BYTES);
  return (blocks + Math.ceil(blocks / GROUP_BLOCKS)) * BLOCK_HASH_BYTES;
}

/** Returns a bound of the bytes of the block table in a blob of `size` bytes. */
export function tableBytesAtMost(size: number): number {
  return Math.min(size, tableLength(size));
}

/** The key that proves that this installation wrote an index: 32 random bytes. */
export type IndexKey = Uint8Array;

/** The purpose of an authentication code. A code for one purpose is not valid for another. */
type SealKind =
  | "index"
  | "vectors"
  | "vector records"
  | "vector set"
  | "recognised text"
  | "generated results"
  | "generated result";

/** Bytes of a whole code. */
export const SEAL_BYTES = 32;

/** Returns the HMAC-SHA-256 of bytes. */
export function sealOf(key: IndexKey, kind: SealKind, bytes: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update(`muxue_rag ${kind}\0`).update(bytes).digest();
}

/** Returns whether `seal` is the code of the bytes. */
function isSealOf(seal: Uint8Array, key: IndexKey, kind: SealKind, bytes: Uint8Array): boolean {
  return timingSafeEqual(seal, sealOf(key, kind, bytes));
}

/** Makes the block table of a blob while that is written. */
export class BlockTableBuilder {
  readonly #blocks = new ByteBuffer(1 << 14);
  readonly #groups = new ByteBuffer(1 << 10);

  /** Adds the next bytes: whole groups, except at the end. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) addHash(this.#blocks, bytes, at, BLOCK_BYTES);
    const group = GROUP_BLOCKS * BLOCK_BYTES;
    for (let at = 0; at < bytes.length; at += group) addHash(this.#groups, bytes, at, group);
  }

  /** The whole table. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#blocks.append(this.#groups.view());
    return this.#blocks.view();
  }
}

/** Returns whether bytes match the table's hash of a block, or of the group that begins with it. */
export function isInTable(table: Uint8Array, bytes: Uint8Array, block: number, isGroup: boolean): boolean {
  const blocks = blocksOf(table);
  const place = (isGroup ? blocks + block / GROUP_BLOCKS : block) * BLOCK_HASH_BYTES;
  const hash = hashOf(bytes, BLOCK_HASH_BYTES);
  for (let i = 0; i < BLOCK_HASH_BYTES; i++) if (hash[i] !== table[place + i]) return false;
  return true;
}

/** Returns the number of blocks that a table covers. */
function blocksOf(table: Uint8Array): number {
  return Math.floor(table.length / BLOCK_HASH_BYTES * GROUP_BLOCKS / (GROUP_BLOCKS + 1));
}

function addHash(to: ByteBuffer, bytes: Uint8Array, at: number, length: number): void {
  to.append(hashOf(bytes.subarray(at, at + length), BLOCK_HASH_BYTES));
}
