import { classOfCodePoint, GRAM } from "./character_class.ts";
import { GramTable } from "./gram_table.ts";
import { gramTerm } from "./tokenizer.ts";
import { WordTable } from "./word_table.ts";
import { wordTerms } from "./word_terms.ts";

/** Written words remembered with their term ids; past this many the memory is emptied. */
const MAX_REMEMBERED_WORDS = 1 << 19;
/** UTF-16 units. */
const MAX_REMEMBERED_LENGTH = 64;

/** Gives every term a number, counted from 0 in the order of arrival. */
export class Vocabulary {
  /** The term of each id. */
  readonly terms: string[] = [];
  /** Ids of all terms but the grams of two UTF-16 units at most, which are in a table of their own. */
  readonly #ids = new Map<string, number>();
  readonly #grams = new GramTable();
  #words = new WordTable();

  /** How many terms there are. */
  get size(): number {
    return this.terms.length;
  }

  /** Takes over a term of another index, which is not there yet. */
  restore(term: string): void {
    const first = term.codePointAt(0) ?? 0;
    if (term.length <= 2 && first <= 0xffff && classOfCodePoint(first) === GRAM) {
      this.#grams.set(first, term.length === 2 ? term.charCodeAt(1) : 0, this.#push(term));
    } else {
      this.#ids.set(term, this.#push(term));
    }
  }

  /** The ids of the terms of the written word `text.slice(start, end)` (see {@linkcode wordTerms}). */
  ofWord(text: string, start: number, end: number): readonly number[] {
    // what is longer is encoded data mostly, met once: not worth the memory
    if (end - start > MAX_REMEMBERED_LENGTH) {
      return wordTerms(text.slice(start, end)).map((term) => this.#add(term));
    }
    let ids = this.#words.get(text, start, end);
    if (ids === undefined) {
      if (this.#words.size >= MAX_REMEMBERED_WORDS) this.#words = new WordTable();
      ids = wordTerms(text.slice(start, end)).map((term) => this.#add(term));
      this.#words.set(text, start, end, ids);
    }
    return ids;
  }

  /** The id of a gram; `second` is 0 for a single character. */
  ofGram(first: number, second: number): number {
    if (first > 0xffff || second > 0xffff) return this.#add(gramTerm(first, second));
    let id = this.#grams.get(first, second);
    if (id < 0) {
      id = this.#push(gramTerm(first, second));
      this.#grams.set(first, second, id);
    }
    return id;
  }

  #add(term: string): number {
    let id = this.#ids.get(term);
    if (id === undefined) {
      id = this.#push(term);
      this.#ids.set(term, id);
    }
    return id;
  }

  #push(term: string): number {
    return this.terms.push(term) - 1;
  }
}
