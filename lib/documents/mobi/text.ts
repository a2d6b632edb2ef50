/**
 * Unpacks the text of a Mobipocket book: its records without their trailing entries, by PalmDOC or HUFF/CDIC.
 * Described by the MobileRead wiki (PalmDOC, MOBI, Huff/cdic).
 */
import { beginsWith, GrowingBytes } from "../bytes.ts";
import { DocumentError, viewOf } from "../types.ts";
import { type BookHeader, HUFFMAN, type PalmDatabase } from "./palm_database.ts";

/** Bytes that each byte of a book may unpack to, on average, in books of more than {@linkcode SMALL} bytes. */
const RATIO = 50;
const SMALL = 1_000_000;
/** Most bytes of text. */
const MOST_TEXT = 200_000_000;

/** Returns the text of a book. Throws {@linkcode DocumentError}: `damaged`, `unsupported` or `too_complex`. */
export function unpackText(database: PalmDatabase, header: BookHeader): Uint8Array<ArrayBuffer> {
  const records: Uint8Array[] = [];
  let packed = 0;
  for (let number = header.text.first; number < header.text.end; number++) {
    const record = withoutTrailing(database.record(number)!, header.trailing);
    records.push(record);
    packed += record.length;
  }
  const most = Math.min(MOST_TEXT, SMALL + RATIO * packed);
  const output = new GrowingBytes(most);
  const unpack = unpackerOf(database, header, most);
  for (const record of records) unpack(record, output);
  return output.taken;
}

type Unpack = (record: Uint8Array, output: GrowingBytes) => void;

function unpackerOf(database: PalmDatabase, header: BookHeader, most: number): Unpack {
  if (header.compression === 1) return (record, output) => output.append(record);
  if (header.compression === 2) return unpackPalmDoc;
  if (header.compression === HUFFMAN && header.huffman !== undefined) {
    const decoder = new HuffmanDecoder(database, header.huffman, most);
    return (record, output) => decoder.unpack(record, output, 0);
  }
  throw new DocumentError(
    "unsupported",
    `the text is compressed by method ${header.compression}`,
  );
}

/**
 * Cuts off what follows the text of a record: an entry for each bit of the flags but the lowest, each with its length at its
 * end, and with the lowest bit the rest of a character.
 */
function withoutTrailing(record: Uint8Array, flags: number): Uint8Array {
  let end = record.length;
  for (let bits = flags >> 1; bits > 0; bits >>= 1) {
    if ((bits & 1) !== 0) end -= backwardNumber(record, end);
  }
  if ((flags & 1) !== 0 && end > 0) end -= (record[end - 1]! & 3) + 1;
  return record.subarray(0, Math.max(0, end));
}

/** Reads a number of 7 bits per byte from its end, the lowest bits last. The first byte has its highest bit set. */
function backwardNumber(bytes: Uint8Array, end: number): number {
  let number = 0;
  for (let i = 0; i < 4 && end - i > 0; i++) {
    const byte = bytes[end - 1 - i]!;
    number |= (byte & 0x7f) << (7 * i);
    if ((byte & 0x80) !== 0) break;
  }
  return number;
}

/**
 * PalmDOC: 1 to 8 precede as many plain bytes, 0x80 to 0xBF with the next byte repeat 3 to 10 of the last 2,047 bytes, from
 * 0xC0 on a byte stands for a blank and a letter. All others stand for themselves.
 */
function unpackPalmDoc(record: Uint8Array, output: GrowingBytes): void {
  const start = output.length;
  for (let at = 0; at < record.length;) {
    const byte = record[at++]!;
    if (byte >= 1 && byte <= 8) {
      output.append(record.subarray(at, at + byte));
      at += byte;
    } else if (byte < 0x80) output.push(byte);
    else if (byte >= 0xc0) {
      output.push(0x20);
      output.push(byte ^ 0x80);
    } else if (at < record.length) {
      const pair = byte << 8 | record[at++]!;
      const distance = (pair & 0x3fff) >> 3;
      if (distance === 0 || distance > output.length - start) {
        throw new DocumentError("damaged", "the compressed text is broken");
      }
      output.repeat(distance, (pair & 7) + 3);
    }
  }
}

/** Deepest nesting of phrases that consist of phrases. */
const DEEPEST = 32;
/** Most bytes of such phrases that are kept. Others are unpacked again. */
const MOST_KEPT = 4_000_000;

/** A phrase of the dictionary, and whether it is plain, or consists of codes itself. */
interface Phrase {
  bytes: Uint8Array;
  isPlain: boolean;
}

/** HUFF/CDIC: a Huffman code (record `HUFF`) for the phrases of a dictionary (records `CDIC`). */
class HuffmanDecoder {
  /** For each first byte of a code: its length, 0x80 if it ends within the byte, and the largest code of this length. */
  readonly #first: Uint32Array;
  /** Smallest and largest code by length, aligned to the left in 32 bits. */
  readonly #least: readonly number[];
  readonly #most: readonly number[];
  readonly #phrases: (Phrase | undefined)[] = [];
  #kept = 0;
  /** Steps that are left. Phrases may overlap in the file, so steps are limited as bytes are. */
  #steps: number;

  /** `most`: bytes that the text may have. */
  constructor(database: PalmDatabase, { first, count }: { first: number; count: number }, most: number) {
    this.#steps = 8 * most;
    const table = database.record(first);
    if (table === undefined || !beginsWith(table, "HUFF")) throw broken();
    const view = viewOf(table);
    const [byByte, byLength] = [view.getUint32(8), view.getUint32(12)];
    this.#first = Uint32Array.from({ length: 256 }, (_, i) => view.getUint32(byByte + 4 * i));
    const codes = Array.from({ length: 64 }, (_, i) => view.getUint32(byLength + 4 * i));
    this.#least = [0, ...Array.from({ length: 32 }, (_, i) => codes[2 * i]! * 2 ** (31 - i))];
    this.#most = [0, ...Array.from({ length: 32 }, (_, i) => (codes[2 * i + 1]! + 1) * 2 ** (31 - i) - 1)];
    for (let i = 1; i < count; i++) this.#addPhrases(database.record(first + i));
  }

  #addPhrases(record: Uint8Array | undefined): void {
    if (record === undefined || !beginsWith(record, "CDIC")) throw broken();
    const view = viewOf(record);
    const [all, bits] = [view.getUint32(8), view.getUint32(12)];
    const count = Math.min(2 ** Math.min(bits, 16), all - this.#phrases.length);
    for (let i = 0; i < count; i++) {
      const at = 16 + view.getUint16(16 + 2 * i);
      const size = view.getUint16(at);
      this.#phrases.push({
        bytes: record.subarray(at + 2, at + 2 + (size & 0x7fff)),
        isPlain: (size & 0x8000) !== 0,
      });
    }
  }

  unpack(packed: Uint8Array, output: GrowingBytes, depth: number): void {
    if (depth > DEEPEST) throw new DocumentError("too_complex", "the dictionary is nested too deeply");
    const bits = packed.length * 8;
    for (let at = 0; at < bits;) {
      if (this.#steps-- <= 0) {
        throw new DocumentError("too_complex", "the dictionary repeats itself too often");
      }
      const code = bitsAt(packed, at);
      const entry = this.#first[code >>> 24]!;
      let length = entry & 0x1f;
      let most = ((entry >>> 8) + 1) * 2 ** (32 - length) - 1;
      if ((entry & 0x80) === 0) {
        while (length < 33 && code < this.#least[length]!) length++;
        if (length > 32) throw broken();
        most = this.#most[length]!;
      }
      if (length === 0) throw broken();
      at += length;
      // The last bits are filled up.
      if (at > bits) return;
      this.#phrase(Math.floor((most - code) / 2 ** (32 - length)), output, depth);
    }
  }

  #phrase(number: number, output: GrowingBytes, depth: number): void {
    const phrase = this.#phrases[number];
    if (phrase === undefined) throw broken();
    if (!phrase.isPlain) {
      // A phrase that contains itself is not found within itself.
      this.#phrases[number] = undefined;
      const start = output.length;
      this.unpack(phrase.bytes, output, depth + 1);
      const length = output.length - start;
      if (this.#kept + length <= MOST_KEPT) {
        this.#kept += length;
        phrase.bytes = output.taken.slice(start);
        phrase.isPlain = true;
      }
      this.#phrases[number] = phrase;
    } else output.append(phrase.bytes);
  }
}

/** Returns the 32 bits from a bit on, with zeros behind the end. */
function bitsAt(bytes: Uint8Array, at: number): number {
  const byte = at >> 3;
  const shift = at & 7;
  const high = ((bytes[byte]! << 24) | ((bytes[byte + 1] ?? 0) << 16) |
    ((bytes[byte + 2] ?? 0) << 8) |
    (bytes[byte + 3] ?? 0)) >>> 0;
  return shift === 0 ? high : ((high << shift) | ((bytes[byte + 4] ?? 0) >> (8 - shift))) >>> 0;
}

function broken(): DocumentError {
  return new DocumentError("damaged", "the dictionary of the compressed text is broken");
}
