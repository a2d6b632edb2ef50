/**
 * Finds the words of a text in the table; Chinese is segmented by their probabilities.
 */
import { addToHash, HASH_START } from "#foundation/open_addressing.ts";
import { unknownIdOfHash } from "./decode.ts";
import { prefixHash, type Table } from "./table.ts";

/**
 * Normal forms of UTF-16 units, apart from small Latin letters, digits and simplified Chinese characters. Belongs to no
 * word.
 */
const SEPARATOR = 0;
/** A combining accent, which is left out. */
const MARK = 1;
const APOSTROPHE = 0x27;
/** The first Chinese character. */
const FIRST_HAN = 0x3400;

/** Longer runs of letters, mostly encoded data, are skipped. */
const MAX_LATIN = 40;

/** English endings after an apostrophe. */
const ENDINGS = new Set(["s", "t", "d", "m", "re", "ve", "ll"]);

/**
 * Finds the words of a text as ids of the table: English words in lower case without accents, identifiers by their parts if
 * the whole is not in the table, Chinese words by {@linkcode Segmenter}. Keeps state between calls: use one finder per
 * thread.
 */
export class WordFinder {
  readonly #table: Table;
  readonly #segmenter: Segmenter;
  readonly #normal: Uint16Array;
  #units = new Uint16Array(1024);
  #ids = new Int32Array(1024);
  #count = 0;

  constructor(table: Table) {
    this.#table = table;
    this.#segmenter = new Segmenter(table);
    this.#normal = buildNormalForms(table.fold);
  }

  /**
   * Returns the ids of all words of `text` in their order, valid until the next call. A word of two or more Latin letters or
   * digits that is not in the table has a negative id made of 30 bits of its hash.
   *
   * `breaks` are ascending offsets in `text`. For each one before the end, the number of words before it is added to
   * `counts`.
   */
  find(text: string, breaks: readonly number[] = [], counts: number[] = []): Int32Array {
    const length = text.length;
    if (length > this.#units.length) {
      this.#units = new Uint16Array(length * 2);
      this.#ids = new Int32Array(length * 2);
    }
    const units = this.#units, normal = this.#normal;
    this.#count = 0;
    counts.length = 0;
    for (let i = 0; i < length; i++) units[i] = normal[text.charCodeAt(i)]!;
    for (let at = 0; at < length;) {
      while (at >= breaks[counts.length]!) counts.push(this.#count);
      const unit = units[at]!;
      if (unit >= FIRST_HAN) {
        let end = at + 1;
        while (end < length && units[end]! >= FIRST_HAN) end++;
        this.#count = this.#segmenter.segment(units, at, end, this.#ids, this.#count);
        at = end;
      } else if (unit > APOSTROPHE) at = this.#latin(text, at, length);
      else at++;
    }
    return this.#ids.subarray(0, this.#count);
  }

  /** Adds the words of the run of letters and digits that begins at `start`. Returns the end of the run. */
  #latin(text: string, start: number, length: number): number {
    const units = this.#units;
    let end = start;
    let hash = HASH_START;
    // Combining accents are left out: the letters after them move up in `units`.
    let to = start;
    for (; end < length && units[end]! < FIRST_HAN && units[end]! > SEPARATOR; end++) {
      const unit = units[end]!;
      if (unit === MARK) continue;
      if (unit === APOSTROPHE) break;
      units[to++] = unit;
      hash = addToHash(hash, unit);
    }
    const marks = end - to;
    if (to - start <= MAX_LATIN) {
      const negated = units[end] === APOSTROPHE && end + 1 < length && units[to - 1] === 0x6e &&
        units[end + 1] === 0x74;
      // "don't", "can't" and "isn't" are skipped: they are very common, and their halves are other words.
      if (!negated) {
        const id = this.#table.words.findUnits(units, start, to, hash);
        if (id >= 0) this.#ids[this.#count++] = id;
        // Single letters are not in the table.
        else if ((marks !== 0 || !this.#parts(text, start, to)) && to - start > 1) {
          this.#ids[this.#count++] = unknownIdOfHash(hash);
        }
      }
    }
    if (units[end] === APOSTROPHE && end < length) {
      let after = end + 1;
      while (after < length && units[after]! > APOSTROPHE && units[after]! < FIRST_HAN) after++;
      if (after - end <= 3 && ENDINGS.has(String.fromCharCode(...units.subarray(end + 1, after)))) {
        return after;
      }
    }
    return Math.max(end, start + 1);
  }

  /** Adds the parts of an identifier: `get`, `user`, `name` and `2` of `getUserName2`. Returns whether any is in the table. */
  #parts(text: string, start: number, end: number): boolean {
    const before = this.#count;
    let from = start;
    let hash = HASH_START;
    for (let at = start; at < end; at++) {
      hash = addToHash(hash, this.#units[at]!);
      if (at + 1 < end && !isBorder(text, at)) continue;
      if (from > start || at + 1 < end) {
        const id = this.#table.words.findUnits(this.#units, from, at + 1, hash);
        if (id >= 0) this.#ids[this.#count++] = id;
      }
      from = at + 1;
      hash = HASH_START;
    }
    return this.#count > before;
  }
}

/** Whether a part of an identifier ends after the unit at `at`. */
function isBorder(text: string, at: number): boolean {
  const [unit, next, third] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  if (isDigit(unit) !== isDigit(next)) return true;
  return isUpper(next) && (!isUpper(unit) || (third >= 0x61 && third <= 0x7a));
}

const isUpper = (unit: number) => unit >= 0x41 && unit <= 0x5a;
const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

/** Returns the normal form of each UTF-16 unit. */
function buildNormalForms(fold: Uint16Array): Uint16Array {
  const normal = new Uint16Array(0x10000);
  const latin = (from: number, to: number) => {
    for (let unit = from; unit <= to; unit++) {
      const base = String.fromCharCode(unit).normalize("NFKD").charCodeAt(0);
      if (isDigit(base) || base >= 0x61 && base <= 0x7a) normal[unit] = base;
      else if (isUpper(base)) normal[unit] = base | 0x20;
    }
  };
  latin(0x30, 0x24f);
  latin(0x1e00, 0x1eff);
  latin(0xff10, 0xff5a);
  normal[APOSTROPHE] = normal[0x2019] = APOSTROPHE;
  normal.fill(MARK, 0x300, 0x370);
  for (let unit = FIRST_HAN; unit <= 0x9fff; unit++) normal[unit] = fold[unit]!;
  return normal;
}

/**
 * Cuts Chinese text into the words of the table so that the product of their probabilities is greatest (unigram model, by
 * dynamic programming). Characters that are not in the table are skipped. Keeps state between calls: use one segmenter per
 * thread.
 *
 *     长 江 大 桥         offsets     0     1     2     3     4
 *                         words       └─长──┴─江──┘     │     │
 *                                     └───长江────┘─大──┴─桥──┘
 *                                                 └───大桥────┘
 *
 * For each offset, `#best` has the log probability of the best way to get there, `#start` and `#last` the word that ends
 * there. The words are then read from the end back to the start: 大桥, 长江.
 */
class Segmenter {
  readonly #table: Table;
  readonly #logP: Float32Array;
  readonly #unknown: number;
  /** For each offset in the run: the log probability of the best segmentation up to it, its last word and where that starts. */
  #best = new Float64Array(256);
  #last = new Int32Array(256);
  #start = new Int32Array(256);
  #path = new Int32Array(256);

  constructor(table: Table) {
    this.#table = table;
    this.#logP = table.logP;
    this.#unknown = Math.log(1e-9);
  }

  /**
   * Writes the ids of the words of `units.slice(from, to)` into `into` from index `at` on and returns the index after the
   * last. The units are simplified Chinese characters. `into` must have room for one id per unit.
   */
  segment(units: Uint16Array, from: number, to: number, into: Int32Array, at: number): number {
    const length = to - from;
    if (length >= this.#best.length) this.#grow(length + 1);
    const best = this.#best, last = this.#last, start = this.#start, logP = this.#logP;
    const table = this.#table, words = table.words, wordCount = table.wordCount;
    const { single, lengths } = table.prefixes;
    best.fill(-Infinity, 0, length + 1);
    best[0] = 0;
    for (let i = 0; i < length; i++) {
      const before = best[i]!;
      if (before + this.#unknown > best[i + 1]!) {
        best[i + 1] = before + this.#unknown;
        last[i + 1] = -1;
        start[i + 1] = i;
      }
      const first = units[from + i]!;
      // The words that may begin here, as bits: those of one character are in a table.
      let possible = i + 1 < length ? lengths[prefixHash(first, units[from + i + 1]!)]! : 0;
      if (single[first] !== 0) possible |= 2;
      let hash = HASH_START;
      for (let j = i + 1; possible > 1 && j <= length; j++) {
        hash = addToHash(hash, units[from + j - 1]!);
        possible >>>= 1;
        if ((possible & 1) === 0) continue;
        let id = j === i + 1 ? single[first]! - 1 : words.findUnits(units, from + i, from + j, hash);
        if (id < 0) continue;
        if (id >= wordCount) id = table.resolve(id);
        const score = before + logP[id]!;
        if (score > best[j]!) {
          best[j] = score;
          last[j] = id;
          start[j] = i;
        }
      }
    }
    let count = 0;
    for (let place = length; place > 0; place = start[place]!) {
      if (last[place]! >= 0) this.#path[count++] = last[place]!;
    }
    while (count > 0) into[at++] = this.#path[--count]!;
    return at;
  }

  #grow(length: number): void {
    let size = this.#best.length;
    while (size <= length) size *= 2;
    this.#best = new Float64Array(size);
    this.#last = new Int32Array(size);
    this.#start = new Int32Array(size);
    this.#path = new Int32Array(size);
  }
}
