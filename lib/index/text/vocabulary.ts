import { f64 } from "../bytes.ts";
import { classOfCodePoint, GRAM } from "./character_class.ts";
import { GramTable } from "./gram_table.ts";
import { gramTerm } from "./tokenizer.ts";
import { WordTable } from "./word_table.ts";
import { termsOfUnits } from "./word_terms.ts";

/** Written words whose term ids are cached. The cache is emptied when it is full. */
const MAX_CACHED_WORDS = 1 << 19;
/** UTF-16 units of the longest word that is cached. */
const MAX_CACHED_LENGTH = 64;

/** Assigns an id to each term, counted from 0 in the order of their first occurrence. */
export class Vocabulary {
  /** For each id, a gram as `first · 2^16 + second`, or -1 minus the number of another term in `#texts`. */
  readonly #forms = f64();
  /** The terms that are not in `#grams`. Millions of grams as strings would keep the collector busy. */
  readonly #texts: string[] = [];
  /** Ids of all terms except grams of at most two UTF-16 units, which are in `#grams`. */
  readonly #ids = new Map<string, number>();
  readonly #grams = new GramTable();
  #words = new WordTable();

  /** Number of terms. */
  get size(): number {
    return this.#forms.length;
  }

  /** Returns the term of an id. */
  termOf(id: number): string {
    const form = this.#forms.at(id);
    return form < 0 ? this.#texts[-1 - form]! : gramTerm(Math.floor(form / 0x10000), form & 0xffff);
  }

  /** Returns the id of a term of another index. */
  idOf(term: string): number {
    const first = term.codePointAt(0) ?? 0;
    const isGram = term.length <= 2 && first <= 0xffff && classOfCodePoint(first) === GRAM;
    return isGram ? this.ofGram(first, term.length === 2 ? term.charCodeAt(1) : 0) : this.#add(term);
  }

  /**
   * Writes the ids of the terms of a word (see {@linkcode TokenSink.word}) into `into` from `at` on and returns the index
   * after the last. There must be room for `MOST_TERMS` ids.
   */
  ofWord(
    units: Uint16Array,
    start: number,
    end: number,
    hash: number,
    into: Uint32Array,
    at: number,
  ): number {
    // Longer words are mostly encoded data that occurs once, so they are not cached.
    const isCached = end - start <= MAX_CACHED_LENGTH;
    const known = isCached ? this.#words.get(units, start, end, hash, into, at) : -1;
    if (known >= 0) return known;
    let to = at;
    for (const term of termsOfUnits(units, start, end)) into[to++] = this.#add(term);
    if (isCached) {
      if (this.#words.size >= MAX_CACHED_WORDS) this.#words = new WordTable();
      this.#words.set(units, start, end, hash, into, at, to);
    }
    return to;
  }

  /** Returns the id of a gram; `second` is 0 for a single character. */
  ofGram(first: number, second: number): number {
    if (first > 0xffff || second > 0xffff) return this.#add(gramTerm(first, second));
    return this.#ofPair(first, second);
  }

  #ofPair(first: number, second: number): number {
    let id = this.#grams.get(first, second);
    if (id < 0) {
      id = this.#push(first * 0x10000 + second);
      this.#grams.set(first, second, id);
    }
    return id;
  }

  #add(term: string): number {
    let id = this.#ids.get(term);
    if (id === undefined) {
      id = this.#push(-this.#texts.push(term));
      this.#ids.set(term, id);
    }
    return id;
  }

  #push(form: number): number {
    this.#forms.push(form);
    return this.#forms.length - 1;
  }
}
