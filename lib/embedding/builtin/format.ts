/**
 * The file format of the built-in table: a header, then the arrays of `TableData`, packed.
 *
 * ```
 * 0     8 bytes magic "MUXTABLE", u32 format version, u32 number of sections,
 *       then 32 bytes a section: name (16 bytes, NUL-padded ASCII), u32 offset, u32 bytes, 8 bytes unused
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
   * Hash table by {@linkcode mixHash}, see `lib/open_addressing.ts`. A slot is 0, or has id + 1 in its lower 18 bits and the
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
