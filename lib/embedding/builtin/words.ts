import { addToHash, HASH_START } from "../../open_addressing.ts";
import { unknownIdOfHash } from "./format.ts";
import { Segmenter } from "./segment.ts";
import type { Table } from "./table.ts";

/** What a UTF-16 unit becomes: nothing that belongs to a word, … */
const SEPARATOR = 0;
/** … a combining accent, which is left out, … */
const MARK = 1;
const APOSTROPHE = 0x27;
/** … a small Latin letter, a digit, or a Chinese character, from here on. */
const FIRST_HAN = 0x3400;

/** Longer runs of letters (encoded data, mostly) are no words. */
const MAX_LATIN = 40;

/** Endings that English puts behind an apostrophe. */
const ENDINGS = new Set(["s", "t", "d", "m", "re", "ve", "ll"]);

/**
 * Finds the words of a text that the table knows: English words in lower case without accents, identifiers by their parts
 * where the whole is unknown, Chinese words by {@linkcode Segmenter}. One finder serves one text at a time.
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
   * Ids of the words of `text` in its order, as often as they occur; valid until the next call. A word of two or more
   * Latin letters or digits that the table lacks has a negative id, which is its own but for chance (30 bits of its hash).
   *
   * `breaks`: ascending offsets in `text`; for each that lies before its end, the number of words found before it is put
   * into `counts`.
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

  /** Takes the run of letters and digits from `start` on; gives its end. */
  #latin(text: string, start: number, length: number): number {
    const units = this.#units;
    let end = start;
    let hash = HASH_START;
    // accents that stand alone are closed up, into the room that the text itself takes
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
      // don't, can't, isn't: of the commonest words, and their halves are other words
      if (!negated) {
        const id = this.#table.words.findUnits(units, start, to, hash);
        if (id >= 0) this.#ids[this.#count++] = id;
        // the table lacks single letters, which are the article or say little
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

  /** `getUserName2` by `get`, `user`, `name`, `2`; gives whether any part is known. */
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

/** Whether a part of an identifier ends with the unit at `at`. */
function isBorder(text: string, at: number): boolean {
  const [unit, next, third] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  if (isDigit(unit) !== isDigit(next)) return true;
  return isUpper(next) && (!isUpper(unit) || (third >= 0x61 && third <= 0x7a));
}

const isUpper = (unit: number) => unit >= 0x41 && unit <= 0x5a;
const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

/** What becomes of every UTF-16 unit. */
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
