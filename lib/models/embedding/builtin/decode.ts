/**
 * The file of the word table: its format, and decoding it part by part.
 */
import { inflateRawSync } from "node:zlib";
import { type FilePart, readPart } from "#foundation/boundary/mod.ts";

/** The arrays of the built-in table, in memory that is shared between workers. */
export interface TableData {
  readonly dimensions: number;
  readonly englishCount: number;
  readonly chineseCount: number;
  readonly words: WordListData;
  /** For each other spelling, the id of the word that it stands for. */
  readonly same: Uint32Array;
  /**
   * The memory of the rows and their scales, where WebAssembly can compute with them. Its first {@linkcode SCRATCH_BYTES} are free for one
   * thread to use.
   */
  readonly memory: WebAssembly.Memory;
  /** A row of `dimensions` numbers for each word, but not for other spellings. At least 16 bytes follow the last row. */
  readonly vectors: Int8Array;
  /** Factor that gives each row length 1. */
  readonly scales: Float32Array;
  /** Probability of each of these words. */
  readonly p: Float32Array;
  /** The simplified form of each UTF-16 unit. */
  readonly fold: Uint16Array;
  /** English index terms, and phrases of them. */
  readonly terms: WordListData;
  /** Chinese translations of each term; those of term t are at indices `at[t]` to `at[t + 1]`. */
  readonly chinese: { readonly at: Uint32Array; readonly ids: Uint32Array; readonly scores: Uint8Array };
  /** English translations of each Chinese word, likewise. */
  readonly english: { readonly at: Uint32Array; readonly ids: Uint16Array; readonly scores: Uint8Array };
}

/** Decodes the table's file, whose format is described below. Throws an error if the file is not valid. */
export function decodeTable(file: ByteSource): TableData {
  const sections = readSections(file);
  const placeOf = (name: string) => {
    const place = sections.get(name);
    if (place === undefined) throw new Error(`section ${name} of the table of word vectors is missing`);
    return place;
  };
  /** Passes on the bytes of a section, which stand until `take` returns. */
  const withBytes = <T>(name: string, take: (bytes: Uint8Array) => T): T => {
    const [offset, length, unpacked] = placeOf(name);
    const content = file.read(offset, offset + length);
    return unpacked === 0 ? take(content) : withInflated(content, unpacked, take);
  };
  const u8 = (name: string) =>
    withBytes(name, (content) => {
      const array = new Uint8Array(new SharedArrayBuffer(content.length));
      array.set(content);
      return array;
    });
  const u16 = (name: string) => new Uint16Array(u8(name).buffer);
  const u32 = (name: string) => new Uint32Array(u8(name).buffer);
  const list = (name: string, units: Uint16Array): WordListData => ({
    units,
    offsets: withBytes(`${name}.lengths`, runningSums),
    slots: u32(`${name}.slots`),
  });
  const [dimensions, englishCount, chineseCount] = u32("counts");
  if (!dimensions || !englishCount || !chineseCount) throw new Error("the table of word vectors is empty");
  return {
    dimensions,
    englishCount,
    chineseCount,
    words: list("word", u16("word.units")),
    same: u32("word.same"),
    ...unpackRows(file, placeOf("vectors"), dimensions),
    p: probabilities(u16("p")),
    fold: u16("fold"),
    terms: list("term", withBytes("term.units", widened)),
    chinese: {
      at: withBytes("chinese.counts", runningSums),
      ids: u32("chinese.ids"),
      scores: u8("chinese.scores"),
    },
    english: {
      at: withBytes("english.counts", runningSums),
      ids: u16("english.ids"),
      scores: u8("english.scores"),
    },
  };
}

/** A buffer of more bytes has memory that is not shared with other buffers. */
const UNSHARED_BYTES = 1 << 16;

/**
 * Passes on the inflated bytes of a section. Their memory is given back at once: together the sections take 13 MB, which the thread would
 * otherwise keep until the next full garbage collection, and parts of it longer.
 */
function withInflated<T>(packed: Uint8Array, length: number, take: (bytes: Uint8Array) => T): T {
  // One piece, and room behind it, so that none is added to a full one and joined with it.
  const bytes = inflateRawSync(packed, { maxOutputLength: length, chunkSize: length + 1024 });
  const taken = take(bytes);
  const { buffer } = bytes;
  // Node's buffers of few bytes share their memory.
  if (length > UNSHARED_BYTES && buffer instanceof ArrayBuffer) buffer.transfer(0);
  return taken;
}

/** Returns the sums of the first 0, 1, 2 … counts. */
function runningSums(counts: Uint8Array): Uint32Array {
  const sums = new Uint32Array(new SharedArrayBuffer((counts.length + 1) * 4));
  for (let i = 0, sum = 0; i < counts.length; i++) sums[i + 1] = sum += counts[i]!;
  return sums;
}

function widened(units: Uint8Array): Uint16Array {
  const wide = new Uint16Array(new SharedArrayBuffer(units.length * 2));
  wide.set(units);
  return wide;
}

function probabilities(logarithms: Uint16Array): Float32Array {
  const p = new Float32Array(new SharedArrayBuffer(logarithms.length * 4));
  // Many words have the same probability.
  const known = new Float32Array(1 << 16);
  for (let i = 0; i < p.length; i++) {
    const logarithm = logarithms[i]!;
    p[i] = known[logarithm] ||= Math.exp(-logarithm / P_STEPS);
  }
  return p;
}

/** Bytes at the start of {@linkcode TableData.memory} that hold no rows. */
const SCRATCH_BYTES = 1 << 20;
/** Bytes that WebAssembly reads at a time. The last step of a row may read beyond its end. */
const STEP_BYTES = 16;
const PAGE_BYTES = 1 << 16;

/** Rows that are unpacked at a time. */
const PIECE_ROWS = 4096;

function unpackRows(
  file: ByteSource,
  [offset, length]: Place,
  dimensions: number,
): Pick<TableData, "memory" | "vectors" | "scales"> {
  const half = dimensions / 2;
  const count = length / half;
  const scalesAt = SCRATCH_BYTES + Math.ceil(length * 2 / ALIGNMENT) * ALIGNMENT;
  const pages = Math.ceil((scalesAt + 4 * count + STEP_BYTES) / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const vectors = new Int8Array(memory.buffer, SCRATCH_BYTES, length * 2);
  const scales = new Float32Array(memory.buffer, scalesAt, count);
  for (let first = 0; first < scales.length; first += PIECE_ROWS) {
    const end = Math.min(first + PIECE_ROWS, scales.length);
    unpackPiece(
      file.read(offset + first * half, offset + end * half),
      vectors.subarray(first * dimensions),
      scales.subarray(first, end),
    );
  }
  return { memory, vectors, scales };
}

function unpackPiece(packed: Uint8Array, vectors: Int8Array, scales: Float32Array): void {
  const half = packed.length / scales.length;
  const pairs = new Uint16Array(vectors.buffer, vectors.byteOffset, packed.length);
  for (let row = 0, at = 0; row < scales.length; row++) {
    let squares = 0;
    for (const end = at + half; at < end; at++) {
      const byte = packed[at]!;
      pairs[at] = PAIRS[byte]!;
      squares += SQUARES[byte]!;
    }
    scales[row] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  }
}

/** For each byte of section `vectors`: the two numbers as bytes, and the sum of their squares. */
const PAIRS = new Uint16Array(256), SQUARES = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const low = (byte & 15) - 8, high = (byte >>> 4) - 8;
  PAIRS[byte] = (low & 255) | (high & 255) << 8;
  SQUARES[byte] = low * low + high * high;
}

/** Offset and length of a section in bytes, and its length when unpacked; 0 if it is not packed. */
type Place = readonly [offset: number, length: number, unpacked: number];

/** Returns the place of each section of a file, by name. Throws an error if the file is not valid. */
function readSections(file: ByteSource): ReadonlyMap<string, Place> {
  if (file.length < ENTRIES_AT) throw new Error("not a table of word vectors");
  const count = new DataView(file.read(0, ENTRIES_AT).slice().buffer).getUint32(12, true);
  const header = file.read(0, Math.min(file.length, ENTRIES_AT + count * ENTRY_BYTES)).slice();
  const view = new DataView(header.buffer);
  const text = (at: number, length: number) =>
    new TextDecoder().decode(header.subarray(at, at + length)).replace(/\0.*$/, "");
  if (text(0, 8) !== MAGIC) throw new Error("not a table of word vectors");
  const version = view.getUint32(8, true);
  if (version !== FORMAT_VERSION) throw new Error(`table format ${version}, wanted ${FORMAT_VERSION}`);
  const sections = new Map<string, Place>();
  if (header.length < ENTRIES_AT + count * ENTRY_BYTES) {
    throw new Error("the table of word vectors is cut off");
  }
  for (let i = 0; i < count; i++) {
    const at = ENTRIES_AT + i * ENTRY_BYTES;
    const [offset, bytes] = [view.getUint32(at + 16, true), view.getUint32(at + 20, true)];
    if (offset + bytes > file.length) throw new Error("the table of word vectors is cut off");
    sections.set(text(at, 16), [offset, bytes, view.getUint32(at + 24, true)]);
  }
  return sections;
}

/**
 * The file format of the built-in table: a header, then the arrays of `TableData`, packed. Sections are compressed in executables, but
 * not in the file beside the sources.
 *
 * ```
 * 0     8 bytes magic "MUXTABLE", u32 format version, u32 number of sections,
 *       then 32 bytes a section: name (16 bytes, NUL-padded ASCII), u32 offset, u32 bytes, u32 bytes when
 *       unpacked by `inflateRaw` or 0 if it is not packed, 4 bytes unused
 * …     sections, each at a multiple of 64 bytes
 * ```
 * Numbers are little-endian, as on every machine that the program runs on.
 *
 * | section | type | holds |
 * |---|---|---|
 * | `counts` | u32 | dimensions, English words, Chinese words |
 * | `word.units` | u16 | UTF-16 units of every word, folded to simplified characters |
 * | `word.lengths` | u8 | units of every word |
 * | `word.slots` | u32 | see {@linkcode WordListData} |
 * | `word.same` | u32 | for each other spelling: the id of the word that it stands for |
 * | `vectors` | u8 | for each word except other spellings: two numbers per byte, the lower four bits first, each plus 8 |
 * | `p` | u16 | for the same words: -ln of the probability, times {@linkcode P_STEPS} |
 * | `fold` | u16 | 65,536 UTF-16 units: the simplified form of each |
 * | `term.*` | u8, u8, u32 | English index terms, and phrases of them joined by spaces; units are Latin-1 |
 * | `chinese.counts` | u8 | for each term: number of translations |
 * | `chinese.ids` | u32 | word ids of the translations, best first |
 * | `chinese.scores` | u8 | their scores, 255 = best |
 * | `english.*` | u8, u16, u8 | for each Chinese word: the terms of its translations, likewise |
 */
export const MAGIC = "MUXTABLE";
/** Raised with every change of the layout. */
export const FORMAT_VERSION = 1;
export const ALIGNMENT = 64;
export const ENTRIES_AT = 16;
export const ENTRY_BYTES = 32;

/** Resolution of the natural logarithm in section `p`: steps per unit. */
export const P_STEPS = 2000;

/** The arrays of a list of W words. */
export interface WordListData {
  /** UTF-16 units, one word after the other. */
  readonly units: Uint16Array;
  /** W + 1 offsets into `units`. */
  readonly offsets: Uint32Array;
  /**
   * Hash table by {@linkcode mixHash}, see `lib/foundation/open_addressing.ts`. A slot is 0, or has id + 1 in its lower 18 bits and the
   * upper 14 bits of the hash above them, so that other words are rarely compared.
   */
  readonly slots: Uint32Array;
}

/** Bits of a slot that hold id + 1. */
export const ID_BITS = 18;
export const ID_MASK = (1 << ID_BITS) - 1;

/** Spreads a hash over all 32 bits. FNV-1a gives short words lower bits that are much alike. */
export function mixHash(hash: number): number {
  const mixed = Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d);
  return mixed ^ mixed >>> 13;
}

/** Returns the id of a word that is not in the table from its hash: negative, and unique except for collisions (30 bits). */
export function unknownIdOfHash(hash: number): number {
  return ~(mixHash(hash) & 0x3fffffff);
}

/** Bytes that are read in parts, so that a file need not be in memory as a whole while it is decoded. */
interface ByteSource {
  readonly length: number;
  /** Returns the bytes from `from` to `to` (exclusive), which stand until the next call. Throws an error if the file is shorter. */
  read(from: number, to: number): Uint8Array<ArrayBuffer>;
}

/** Returns a source of bytes in memory. */
export function bytesSource(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  return { length: bytes.length, read: (from, to) => bytes.subarray(from, to) };
}

/** Returns a source of the bytes of a part of an open file. */
export function fileSource(part: FilePart): ByteSource {
  let room = new ArrayBuffer(0);
  const read = (from: number, to: number) => {
    if (room.byteLength < to - from) room = room.transfer(to - from);
    return readPart(part, from, new Uint8Array(room, 0, to - from));
  };
  return { length: part.length, read };
}
