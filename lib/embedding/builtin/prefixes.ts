import type { TableData } from "./decode.ts";

/** Characters of the longest word that is looked for. */
export const MAX_LENGTH = 8;

/** Bits of the hash of two characters. */
const BITS = 18;

/**
 * Tells of which lengths a Chinese word can be that begins with two given characters. Of the lengths up to
 * {@linkcode MAX_LENGTH}, nearly all are ruled out at nearly every place of a text, and need no look-up in the list of
 * words.
 */
export class Prefixes {
  /** The id plus 1 of each word of a single UTF-16 unit; 0 if there is none. */
  readonly single = new Int32Array(0x10000);
  /** By {@linkcode prefixHash}: bit n is set if a word that begins like this has n units. */
  readonly lengths = new Uint16Array(1 << BITS);

  constructor({ words: { units, offsets }, englishCount }: Pick<TableData, "words" | "englishCount">) {
    for (let id = englishCount; id + 1 < offsets.length; id++) {
      const at = offsets[id]!, length = offsets[id + 1]! - at;
      if (length === 1) this.single[units[at]!] = id + 1;
      else if (length <= MAX_LENGTH) this.lengths[prefixHash(units[at]!, units[at + 1]!)]! |= 1 << length;
    }
  }
}

/** Returns the index of two characters in {@linkcode Prefixes.lengths}. Some others have the same. */
export function prefixHash(first: number, second: number): number {
  return Math.imul(first << 16 | second, 0x9e3779b1) >>> 32 - BITS;
}
