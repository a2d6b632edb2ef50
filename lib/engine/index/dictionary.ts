/**
 * The terms of an index: a hash table over their bytes, read in place.
 */
import { addToHash, freeSlot, HASH_START, slotCount } from "#foundation/open_addressing.ts";
import { DamagedIndexError } from "./blob/format.ts";
import { allPaged } from "./blob/missing.ts";
import type { Bytes, Numbers } from "./blob/pages.ts";
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
  readonly offsets: Numbers & { all?(): Uint32Array };
  /** The hash table, see `lib/foundation/open_addressing.ts`: term id + 1, or 0. */
  readonly slots: Numbers;
}

/**
 * Maps terms to their ids. Look-ups read the arrays as they lie in the blob, so that nothing is built when an index is
 * loaded.
 */
export class Dictionary {
  readonly #data: DictionaryData;
  readonly #damaged: (problem: string) => Error;
  /** The result of {@linkcode Dictionary.#loaded}. Chinese texts have tens of megabytes of terms, so they may be collected between two scans. */
  #inMemory: WeakRef<Dictionary> | undefined;

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
  #bytes(id: number, length?: number, expect?: ExpectTerm): Uint8Array | undefined {
    const { bytes, offsets } = this.#data;
    expect?.(id, false);
    const start = offsets.at(id), end = offsets.at(id + 1);
    if (start === undefined || end === undefined || start > end || end > bytes.length) {
      throw this.#damaged(`place of term ${id}`);
    }
    if (length !== undefined && end - start !== length) return undefined;
    expect?.(id, true);
    return bytes.subarray(start, end);
  }

  /** The same terms in memory. A scan of all terms needs them at once, and may not stop to fetch bytes. */
  #loaded(): Dictionary {
    const known = this.#inMemory?.deref();
    if (known !== undefined) return known;
    const { bytes, offsets, slots } = this.#data;
    const [allBytes, allOffsets] = allPaged(
      () => bytes.subarray(0, bytes.length),
      () => offsets.all?.() ?? offsets,
    );
    const loaded = new Dictionary({ bytes: allBytes, offsets: allOffsets, slots }, this.#damaged);
    this.#inMemory = new WeakRef(loaded);
    return loaded;
  }

  /** Returns the terms of `least` to `most` UTF-16 units. The index is read before this returns. */
  termsOfLength(least: number, most: number): Generator<string> {
    return this.#loaded().#termsOfLength(least, most);
  }

  *#termsOfLength(least: number, most: number): Generator<string> {
    const decoder = new TextDecoder();
    const { offsets } = this.#data, bytes = this.#data.bytes.subarray(0, this.#data.bytes.length);
    for (let id = 0, end = offsets.at(0)!; id < this.size; id++) {
      const start = end;
      end = this.#endOf(id, start);
      // A unit takes at most three bytes. An index of Chinese texts has millions of pairs of characters.
      if (end - start < least || end - start > 3 * most) continue;
      const units = unitsIn(bytes, start, end);
      if (units < least || units > most) continue;
      yield units === end - start ? fromAscii(bytes, start, end) : decoder.decode(bytes.subarray(start, end));
    }
  }

  /** Where a term ends that begins at `start`. */
  #endOf(id: number, start: number): number {
    const { offsets, bytes } = this.#data;
    const end = offsets.at(id + 1);
    if (end === undefined || start > end || end > bytes.length) throw this.#damaged(`place of term ${id}`);
    return end;
  }

  /** Returns the terms that begin with `prefix`, in the order of their ids. The index is read before this returns. */
  termsWithPrefix(prefix: string): Generator<[id: number, term: string]> {
    return this.#loaded().#termsWithPrefix(prefix);
  }

  *#termsWithPrefix(prefix: string): Generator<[id: number, term: string]> {
    const wanted = utf8.encode(prefix), decoder = new TextDecoder();
    const { offsets } = this.#data, bytes = this.#data.bytes.subarray(0, this.#data.bytes.length);
    for (let id = 0, end = offsets.at(0)!; id < this.size; id++) {
      const start = end;
      end = this.#endOf(id, start);
      if (end - start < wanted.length) continue;
      let i = 0;
      while (i < wanted.length && bytes[start + i] === wanted[i]) i++;
      if (i === wanted.length) yield [id, decoder.decode(bytes.subarray(start, end))];
    }
  }

  /** Returns the terms in the order of their ids. The index is read before this returns. */
  terms(): Generator<string> {
    return this.#loaded().#terms();
  }

  *#terms(): Generator<string> {
    const decoder = new TextDecoder();
    for (let id = 0; id < this.size; id++) yield decoder.decode(this.#bytes(id));
  }
}

/** UTF-16 units of a text in UTF-8: one for each character, two for those of four bytes. */
function unitsIn(bytes: Uint8Array, start: number, end: number): number {
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
  const buffer = new ByteBuffer();
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
