import { type Bytes, DamagedIndexError, type Numbers } from "./blob/mod.ts";
import { ByteBuffer } from "./bytes.ts";

const utf8 = new TextEncoder();

/** FNV-1a, 32 bits, over UTF-8 bytes. */
function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash >>> 0;
}

/** The three arrays a dictionary of T terms lies in. */
export interface DictionaryData {
  /** The terms in UTF-8, one after the other. */
  readonly bytes: Bytes;
  /** T + 1 offsets into `bytes`. */
  readonly offsets: Numbers;
  /** Open addressing by FNV-1a: term id + 1, or 0; its length is a power of two. */
  readonly slots: Numbers;
}

/** Terms and their ids, looked up in the arrays as they lie in the blob: nothing to build when an index is loaded. */
export class Dictionary {
  readonly #data: DictionaryData;
  readonly #damaged: (problem: string) => Error;

  /** `damaged`: makes the error for arrays that are no dictionary. Throws it where their lengths are not those of one. */
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

  /** How many terms there are. */
  get size(): number {
    return this.#data.offsets.length - 1;
  }

  /** The id of `term`, or -1. */
  find(term: string): number {
    const { slots } = this.#data;
    const wanted = utf8.encode(term);
    const mask = slots.length - 1;
    let slot = hashBytes(wanted, 0, wanted.length) & mask;
    for (let probes = 0; probes < slots.length; probes++, slot = (slot + 1) & mask) {
      const entry = slots.at(slot)!;
      if (entry === 0) return -1;
      const found = this.#bytes(entry - 1, wanted.length);
      if (found === undefined) continue;
      let i = 0;
      while (i < wanted.length && found[i] === wanted[i]) i++;
      if (i === wanted.length) return entry - 1;
    }
    throw this.#damaged("no free slot in the dictionary");
  }

  /** The bytes of a term; nothing if there are not `length` of them. */
  #bytes(id: number, length?: number): Uint8Array | undefined {
    const { bytes, offsets } = this.#data;
    const start = offsets.at(id), end = offsets.at(id + 1);
    if (start === undefined || end === undefined || start > end || end > bytes.length) {
      throw this.#damaged(`place of term ${id}`);
    }
    return length === undefined || end - start === length ? bytes.subarray(start, end) : undefined;
  }

  /** The terms in the order of their ids. */
  *terms(): Generator<string> {
    const decoder = new TextDecoder();
    for (let id = 0; id < this.size; id++) yield decoder.decode(this.#bytes(id));
  }
}

/** Lays out a dictionary whose ids are the places of the terms given. */
export function buildDictionary(
  terms: readonly string[],
): { bytes: Uint8Array; offsets: Uint32Array; slots: Uint32Array } {
  let slotCount = 16;
  while (slotCount < terms.length * 2) slotCount *= 2;
  const slots = new Uint32Array(slotCount);
  const offsets = new Uint32Array(terms.length + 1);
  const buffer = new ByteBuffer();
  for (let id = 0; id < terms.length; id++) {
    const term = terms[id]!;
    buffer.reserve(term.length * 3);
    const start = buffer.length;
    buffer.length += utf8.encodeInto(term, buffer.bytes.subarray(start)).written;
    offsets[id + 1] = buffer.length;
    let slot = hashBytes(buffer.bytes, start, buffer.length) & (slotCount - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    slots[slot] = id + 1;
  }
  return { bytes: buffer.view(), offsets, slots };
}
