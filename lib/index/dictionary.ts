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
  readonly bytes: Uint8Array;
  /** T + 1 offsets into `bytes`. */
  readonly offsets: Uint32Array;
  /** Open addressing by FNV-1a: term id + 1, or 0; its length is a power of two. */
  readonly slots: Uint32Array;
}

/** Terms and their ids, looked up in the arrays as they lie in the blob: nothing to build when an index is loaded. */
export class Dictionary {
  readonly #data: DictionaryData;

  constructor(data: DictionaryData) {
    this.#data = data;
  }

  /** How many terms there are. */
  get size(): number {
    return this.#data.offsets.length - 1;
  }

  /** The id of `term`, or -1. */
  find(term: string): number {
    const { bytes, offsets, slots } = this.#data;
    const wanted = utf8.encode(term);
    const mask = slots.length - 1;
    for (let slot = hashBytes(wanted, 0, wanted.length) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const id = slots[slot]! - 1;
      const start = offsets[id]!;
      if (offsets[id + 1]! - start !== wanted.length) continue;
      let i = 0;
      while (i < wanted.length && bytes[start + i] === wanted[i]) i++;
      if (i === wanted.length) return id;
    }
    return -1;
  }

  /** The terms in the order of their ids. */
  *terms(): Generator<string> {
    const { bytes, offsets } = this.#data;
    const decoder = new TextDecoder();
    for (let id = 0; id < this.size; id++) {
      yield decoder.decode(bytes.subarray(offsets[id]!, offsets[id + 1]!));
    }
  }
}

/** Lays out a dictionary whose ids are the places of the terms given. */
export function buildDictionary(terms: readonly string[]): DictionaryData {
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
