import { MOST_TERMS, type Tokenizer, Vocabulary } from "../../index/mod.ts";

/** Terms that are remembered. */
const MAX_TERMS = 1 << 18;

/** Distinct terms of some texts, each with a sum over the texts. */
export interface SummedTerms {
  /** In the order of their first occurrence. */
  readonly ids: readonly number[];
  /** The sum of each of `ids`. */
  readonly sums: Float64Array;
  termOf(id: number): string;
}

/**
 * Sums over texts by term. The stems of written words are remembered from one call to the next, because stemming takes most
 * of the time otherwise.
 */
export class TermSums {
  readonly #tokenizer: Tokenizer;
  #vocabulary = new Vocabulary();
  /** Occurrences of each term in the open text, and its sum so far. All 0 between two uses. */
  #counts = new Uint32Array(1 << 12);
  #sums = new Float64Array(1 << 12);
  readonly #found = new Uint32Array(MOST_TERMS);

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Returns for each index term, without single characters, the sum of `weight · occurrences / length` over the texts. */
  of(texts: Iterable<readonly [text: string, weight: number]>): SummedTerms {
    if (this.#vocabulary.size > MAX_TERMS) this.#vocabulary = new Vocabulary();
    const vocabulary = this.#vocabulary;
    const seen = new Set<number>();
    for (const [text, weight] of texts) {
      const { ids, length } = this.#count(text);
      for (const id of ids) {
        seen.add(id);
        this.#sums[id]! += weight * this.#counts[id]! / length;
        this.#counts[id] = 0;
      }
    }
    const ids = [...seen];
    const sums = Float64Array.from(ids, (id) => this.#sums[id]!);
    for (const id of ids) this.#sums[id] = 0;
    return { ids, sums, termOf: (id) => vocabulary.termOf(id) };
  }

  /** Counts the terms of a text. Returns the distinct ones, and the number of all. */
  #count(text: string): { ids: readonly number[]; length: number } {
    const vocabulary = this.#vocabulary, found = this.#found;
    const ids: number[] = [];
    let length = 0;
    const add = (id: number) => {
      if (id >= this.#counts.length) this.#grow(id);
      if (this.#counts[id]!++ === 0) ids.push(id);
      length++;
    };
    this.#tokenizer.scan(text, {
      word(units, start, end, hash) {
        const count = vocabulary.ofWord(units, start, end, hash, found, 0);
        for (let i = 0; i < count; i++) add(found[i]!);
      },
      gram: (first, second) => second === 0 ? undefined : add(vocabulary.ofGram(first, second)),
    });
    return { ids, length };
  }

  #grow(id: number): void {
    const counts = new Uint32Array(id * 2), sums = new Float64Array(id * 2);
    counts.set(this.#counts);
    sums.set(this.#sums);
    this.#counts = counts;
    this.#sums = sums;
  }
}
