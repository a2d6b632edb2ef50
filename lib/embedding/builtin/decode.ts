import type { ByteSource } from "./byte_source.ts";
import { ENTRIES_AT, ENTRY_BYTES, FORMAT_VERSION, MAGIC, P_STEPS, type WordListData } from "./format.ts";

/** The arrays of the built-in table, in memory that is shared between workers. */
export interface TableData {
  readonly dimensions: number;
  readonly englishCount: number;
  readonly chineseCount: number;
  readonly words: WordListData;
  /** For each other spelling, the id of the word that it stands for. */
  readonly same: Uint32Array;
  /** A row of `dimensions` numbers for each word; other spellings have none. */
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

/** Decodes the table's file (see `format.ts`). Throws an error if the file is not valid. */
export function decodeTable(file: ByteSource): TableData {
  const sections = readSections(file);
  const placeOf = (name: string) => {
    const place = sections.get(name);
    if (place === undefined) throw new Error(`section ${name} of the table of word vectors is missing`);
    return place;
  };
  const bytes = (name: string): Uint8Array => {
    const [offset, length] = placeOf(name);
    return file.read(offset, offset + length);
  };
  const u8 = (name: string) => {
    const content = bytes(name);
    const array = new Uint8Array(new SharedArrayBuffer(content.length));
    array.set(content);
    return array;
  };
  const u16 = (name: string) => new Uint16Array(u8(name).buffer);
  const u32 = (name: string) => new Uint32Array(u8(name).buffer);
  const list = (name: string, units: Uint16Array): WordListData => ({
    units,
    offsets: runningSums(bytes(`${name}.lengths`)),
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
    terms: list("term", widened(bytes("term.units"))),
    chinese: {
      at: runningSums(bytes("chinese.counts")),
      ids: u32("chinese.ids"),
      scores: u8("chinese.scores"),
    },
    english: {
      at: runningSums(bytes("english.counts")),
      ids: u16("english.ids"),
      scores: u8("english.scores"),
    },
  };
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
  for (let i = 0; i < p.length; i++) p[i] = Math.exp(-logarithms[i]! / P_STEPS);
  return p;
}

/** Rows that are unpacked at a time. */
const PIECE_ROWS = 4096;

function unpackRows(
  file: ByteSource,
  [offset, length]: readonly [number, number],
  dimensions: number,
): { vectors: Int8Array; scales: Float32Array } {
  const half = dimensions / 2;
  const vectors = new Int8Array(new SharedArrayBuffer(length * 2));
  const scales = new Float32Array(new SharedArrayBuffer(length / half * 4));
  for (let first = 0; first < scales.length; first += PIECE_ROWS) {
    const end = Math.min(first + PIECE_ROWS, scales.length);
    unpackPiece(
      file.read(offset + first * half, offset + end * half),
      vectors.subarray(first * dimensions),
      scales.subarray(first, end),
    );
  }
  return { vectors, scales };
}

function unpackPiece(packed: Uint8Array, vectors: Int8Array, scales: Float32Array): void {
  const half = packed.length / scales.length;
  for (let row = 0, at = 0; row < scales.length; row++) {
    let squares = 0;
    for (const end = at + half; at < end; at++) {
      const low = (packed[at]! & 15) - 8;
      const high = (packed[at]! >>> 4) - 8;
      vectors[2 * at] = low;
      vectors[2 * at + 1] = high;
      squares += low * low + high * high;
    }
    scales[row] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  }
}

/** Returns offset and length in bytes of each section of a file, by name. Throws an error if the file is not valid. */
function readSections(file: ByteSource): ReadonlyMap<string, readonly [number, number]> {
  if (file.length < ENTRIES_AT) throw new Error("not a table of word vectors");
  const count = new DataView(file.read(0, ENTRIES_AT).slice().buffer).getUint32(12, true);
  const header = file.read(0, Math.min(file.length, ENTRIES_AT + count * ENTRY_BYTES)).slice();
  const view = new DataView(header.buffer);
  const text = (at: number, length: number) =>
    new TextDecoder().decode(header.subarray(at, at + length)).replace(/\0.*$/, "");
  if (text(0, 8) !== MAGIC) throw new Error("not a table of word vectors");
  const version = view.getUint32(8, true);
  if (version !== FORMAT_VERSION) throw new Error(`table format ${version}, wanted ${FORMAT_VERSION}`);
  const sections = new Map<string, readonly [number, number]>();
  if (header.length < ENTRIES_AT + count * ENTRY_BYTES) {
    throw new Error("the table of word vectors is cut off");
  }
  for (let i = 0; i < count; i++) {
    const at = ENTRIES_AT + i * ENTRY_BYTES;
    const [offset, bytes] = [view.getUint32(at + 16, true), view.getUint32(at + 20, true)];
    if (offset + bytes > file.length) throw new Error("the table of word vectors is cut off");
    sections.set(text(at, 16), [offset, bytes]);
  }
  return sections;
}
