/**
 * The terms of an index: a hash table over their bytes, read in place.
 */
import { addToHash, freeSlot, HASH_START, slotCount } from "#foundation/open_addressing.ts";
import { DamagedIndexError } from "./blob/format.ts";
import { allPaged } from "./blob/missing.ts";
import type { Bytes, Numbers, StoredNumbers } from "./blob/pages.ts";
import { ByteBuffer } from "./bytes.ts";

const utf8 = new TextEncoder();

/** FNV-1a over UTF-8 bytes. */
function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_START;
  for (let i = from; i < to; i++) hash = addToHash(hash, bytes[i]!);
  return hash;
}

/** Called for each id that may be that of a term before its bytes are read; `isLong`: once more, if the lengths are equal. */
export type ExpectTerm = (id: number, isLong: boolean) => void;

/** The arrays of a dictionary of T terms. */
export interface DictionaryData {
  /** The terms in UTF-8, one after the other. */
  readonly bytes: Bytes;
  /** T + 1 offsets into `bytes`. */
  readonly offsets: Uint32Array | StoredNumbers<Uint32Array>;
  /** The hash table, see `lib/foundation/open_addressing.ts`: term id + 1, or 0. */
  readonly slots: Numbers;
  /** Fills a buffer with bytes of an array, from a byte on. Absent where bytes may have to be fetched first. */
  readonly read?: (array: "bytes" | "offsets", from: number, into: Uint8Array) => void;
}

/** Terms that follow each other. Term i of them is `bytes` from `offsets[i] - base` to `offsets[i + 1] - base`, which lies in `bytes`. */
interface Piece {
  /** Id of the first term. */
  readonly first: number;
  readonly count: number;
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
  readonly base: number;
}

/** Terms that a scan reads at a time: some 650 KB. */
const PIECE_TERMS = 1 << 16;

/**
 * Maps terms to their ids. Look-ups read the arrays as they lie in the blob, so that nothing is built when an index is
 * loaded.
 */
export class Dictionary {
  readonly #data: DictionaryData;
  readonly #damaged: (problem: string) => Error;
  /** The result of {@linkcode Dictionary.#whole}, which may be collected between two scans. */
  #inMemory: WeakRef<Piece> | undefined;

  /** Throws the error that `damaged` makes if the lengths of the arrays do not fit together. */
  constructor(
    data: DictionaryData,
    damaged: (problem: string) => Error = (problem) => new DamagedIndexError(problem),
  ) {
    this.#data = data;
    this.#damaged = damaged;
    const slots = data.slots.length;
    if (data.offsets.length < 1 || slots < data.offsets.length || (slots & (slots - 1)) !== 0) {
      throw damaged("size of the dictionary");
    }
  }

  /** Number of terms. */
  get size(): number {
    return this.#data.offsets.length - 1;
  }

  /** Returns the id of `term`, or -1. */
  find(term: string, expect?: ExpectTerm): number {
    const { slots } = this.#data;
    const wanted = utf8.encode(term);
    const mask = slots.length - 1;
    let slot = hashBytes(wanted, 0, wanted.length) & mask;
    for (let probes = 0; probes < slots.length; probes++, slot = (slot + 1) & mask) {
      const entry = slots.at(slot)!;
      if (entry === 0) return -1;
      const found = this.#bytes(entry - 1, wanted.length, expect);
      if (found === undefined) continue;
      let i = 0;
      while (i < wanted.length && found[i] === wanted[i]) i++;
      if (i === wanted.length) return entry - 1;
    }
    throw this.#damaged("no free slot in the dictionary");
  }

  /** Returns the bytes of a term, or `undefined` if there are not `length` of them. */
  #bytes(id: number, length: number, expect?: ExpectTerm): Uint8Array | undefined {
    const { bytes, offsets } = this.#data;
    expect?.(id, false);
    const start = offsets.at(id), end = offsets.at(id + 1);
    if (start === undefined || end === undefined || start > end || end > bytes.length) {
      throw this.#damaged(`place of term ${id}`);
    }
    if (end - start !== length) return undefined;
    expect?.(id, true);
    return bytes.subarray(start, end);
  }

  /**
   * Returns all terms in pieces, each valid until the next one. Chinese texts have tens of megabytes of terms, which a scan does not hold at
   * once, unless they have to be fetched: then they are in memory before this returns.
   */
  #pieces(): Iterable<Piece> {
    return this.#data.read === undefined ? [this.#whole()] : this.#readPieces(this.#data.read);
  }

  #whole(): Piece {
    const known = this.#inMemory?.deref();
    if (known !== undefined) return known;
    const { bytes, offsets } = this.#data;
    const [allBytes, allOffsets] = allPaged(
      () => bytes.subarray(0, bytes.length),
      () => "all" in offsets ? offsets.all() : offsets,
    );
    const whole = this.#checked({
      first: 0,
      count: this.size,
      offsets: allOffsets,
      bytes: allBytes,
      base: 0,
    });
    this.#inMemory = new WeakRef(whole);
    return whole;
  }

  *#readPieces(read: NonNullable<DictionaryData["read"]>): Generator<Piece> {
    const offsets = new Uint32Array(Math.min(PIECE_TERMS, this.size) + 1);
    let room = new Uint8Array(0);
    for (let first = 0; first < this.size; first += PIECE_TERMS) {
      const count = Math.min(PIECE_TERMS, this.size - first);
      read("offsets", 4 * first, new Uint8Array(offsets.buffer, 0, 4 * (count + 1)));
      const base = offsets[0]!, length = offsets[count]! - base;
      if (!(length >= 0 && base + length <= this.#data.bytes.length)) {
        throw this.#damaged(`place of term ${first}`);
      }
      if (room.length < length) room = new Uint8Array(length);
      const bytes = room.subarray(0, length);
      read("bytes", base, bytes);
      yield this.#checked({ first, count, offsets, bytes, base });
    }
  }

  /** Returns a piece. Throws if a term of it ends before it begins, or outside of the bytes. */
  #checked(piece: Piece): Piece {
    const { first, count, offsets, bytes, base } = piece;
    for (let i = 0, end = offsets[0]!; i < count; i++) {
      const start = end;
      end = offsets[i + 1]!;
      if (start > end || end - base > bytes.length) throw this.#damaged(`place of term ${first + i}`);
    }
    return piece;
  }

  /** Returns the terms of `least` to `most` UTF-16 units. What has to be fetched is read before this returns. */
  termsOfLength(least: number, most: number): Generator<string> {
    return this.#termsOfLength(this.#pieces(), least, most);
  }

  *#termsOfLength(pieces: Iterable<Piece>, least: number, most: number): Generator<string> {
    const decoder = new TextDecoder();
    for (const { count, offsets, bytes, base } of pieces) {
      for (let i = 0; i < count; i++) {
        const start = offsets[i]! - base, end = offsets[i + 1]! - base;
        // A unit takes at most three bytes. An index of Chinese texts has millions of pairs of characters.
        if (end - start < least || end - start > 3 * most) continue;
        const units = unitsOf(bytes, start, end);
        if (units < least || units > most) continue;
        yield units === end - start
          ? fromAscii(bytes, start, end)
          : decoder.decode(bytes.subarray(start, end));
      }
    }
  }

  /** Returns the terms that begin with `prefix`, in the order of their ids. What has to be fetched is read before this returns. */
  termsWithPrefix(prefix: string): Generator<[id: number, term: string]> {
    return this.#termsWithPrefix(this.#pieces(), prefix);
  }

  *#termsWithPrefix(pieces: Iterable<Piece>, prefix: string): Generator<[id: number, term: string]> {
    const wanted = utf8.encode(prefix), decoder = new TextDecoder();
    for (const { first, count, offsets, bytes, base } of pieces) {
      for (let i = 0; i < count; i++) {
        const start = offsets[i]! - base, end = offsets[i + 1]! - base;
        if (end - start < wanted.length) continue;
        let same = 0;
        while (same < wanted.length && bytes[start + same] === wanted[same]) same++;
        if (same === wanted.length) yield [first + i, decoder.decode(bytes.subarray(start, end))];
      }
    }
  }

  /** Returns the terms in the order of their ids. What has to be fetched is read before this returns. */
  terms(): Generator<string> {
    return this.#terms(this.#pieces());
  }

  *#terms(pieces: Iterable<Piece>): Generator<string> {
    const decoder = new TextDecoder();
    for (const { count, offsets, bytes, base } of pieces) {
      for (let i = 0; i < count; i++) {
        yield decoder.decode(bytes.subarray(offsets[i]! - base, offsets[i + 1]! - base));
      }
    }
  }
}

/** UTF-16 units of a text in UTF-8: one for each character, two for those of four bytes. */
function unitsOf(bytes: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** The text of bytes that are all ASCII. A call of the decoder takes longer for a short term. */
function fromAscii(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

/** Builds the arrays of a dictionary of `count` terms. `termOf` returns the term of each id, from 0 on. */
export function buildDictionary(
  count: number,
  termOf: (id: number) => string,
): {
  bytes: Uint8Array<ArrayBuffer>;
  offsets: Uint32Array<ArrayBuffer>;
  slots: Uint32Array<ArrayBuffer>;
} {
  const slots = new Uint32Array(slotCount(count));
  const hashes = new Int32Array(count);
  const offsets = new Uint32Array(count + 1);
  // Enough for pairs of Chinese characters, of which there are the most.
  const buffer = new ByteBuffer(6 * count);
  for (let id = 0; id < count; id++) {
    const start = buffer.length;
    append(buffer, termOf(id));
    offsets[id + 1] = buffer.length;
    hashes[id] = hashBytes(buffer.bytes, start, buffer.length);
  }
  // A loop of its own overlaps the waits for memory.
  for (let id = 0; id < count; id++) slots[freeSlot(slots, hashes[id]!)] = id + 1;
  return { bytes: buffer.view(), offsets, slots };
}

/** Appends a term in UTF-8. A call of the encoder takes longer than the loop over a short term. */
function append(buffer: ByteBuffer, term: string): void {
  buffer.reserve(term.length * 3);
  const { bytes } = buffer;
  let at = buffer.length;
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    if (unit < 0x80) bytes[at++] = unit;
    else if (unit < 0x800) {
      bytes[at++] = 0xc0 | unit >> 6;
      bytes[at++] = 0x80 | unit & 0x3f;
    } else if ((unit & 0xf800) !== 0xd800) {
      bytes[at++] = 0xe0 | unit >> 12;
      bytes[at++] = 0x80 | unit >> 6 & 0x3f;
      bytes[at++] = 0x80 | unit & 0x3f;
    } else {
      buffer.length += utf8.encodeInto(term, bytes.subarray(buffer.length)).written;
      return;
    }
  }
  buffer.length = at;
}
