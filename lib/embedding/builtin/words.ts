import { addToHash, HASH_START } from "../../open_addressing.ts";
import { unknownIdOfHash } from "./format.ts";
import { Segmenter } from "./segment.ts";
import type { Table } from "./table.ts";

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

  /**
   * Adds the parts of an identifier: `get`, `user`, `name` and `2` of `getUserName2`. Returns whether any is in the table.
   */
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
