import { Tokenizer } from "#engine/index/mod.ts";

/** A document and its score. */
export interface TextbookHit {
  readonly id: number;
  readonly score: number;
}

/**
 * Plain textbook BM25 with maps: Σ weight · idf · (k1 + 1) tf / (tf + k1 (1 - b + b |d| / avg)), idf = ln(1 + (N - df +
 * 0.5) / (df + 0.5)), k1 1.2, b 0.75. Ties keep the order of the documents.
 */
export class Textbook {
  readonly #counts: readonly ReadonlyMap<string, number>[];
  readonly #lengths: readonly number[];
  readonly #average: number;
  readonly #tokenizer = new Tokenizer();

  constructor(documents: readonly string[]) {
    const tokens = documents.map((text) => this.#tokenizer.tokenize(text));
    this.#lengths = tokens.map(({ length }) => length);
    this.#average = this.#lengths.reduce((sum, length) => sum + length, 0) / documents.length;
    this.#counts = tokens.map((terms) => {
      const counts = new Map<string, number>();
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      return counts;
    });
  }

  search(query: string, limit: number, allowed: (id: number) => boolean = () => true): TextbookHit[] {
    const N = this.#counts.length;
    const scores = new Map<number, number>();
    for (const { term, weight } of this.#tokenizer.queryTerms(query)) {
      const df = this.#counts.filter((counts) => counts.has(term)).length;
      const idf = Math.log(1 + (N - df + 0.5) / (df + 0.5));
      this.#counts.forEach((counts, id) => {
        const tf = counts.get(term);
        if (tf === undefined || !allowed(id)) return;
        const norm = 1.2 * (1 - 0.75 + 0.75 * (this.#lengths[id]! / this.#average));
        scores.set(id, (scores.get(id) ?? 0) + weight * idf * (1.2 + 1) * tf / (tf + norm));
      });
    }
    return [...scores].map(([id, score]) => ({ id, score }))
      .sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
  }
}
