import { inverseDocumentFrequency, PostingList, searchBm25, type WeightedList } from "./postings/mod.ts";
import type { IndexReader } from "./reader.ts";
import type { QueryTerm } from "./text/mod.ts";

/** A chunk found in a collection. */
export interface CollectionHit {
  readonly reader: IndexReader;
  /** Number of the chunk in its reader, and in the whole collection. */
  readonly chunk: number;
  readonly id: number;
  /** BM25. */
  readonly score: number;
  /** Share of the query's idf that the chunk's terms make up: 0 to 1. */
  readonly coverage: number;
}

/** Which chunks of a reader may be found: a 1 for each that may; none given means all. */
export type Filter = (reader: IndexReader) => Uint8Array | undefined;

/** Of a query with more terms (a pasted page) the rarest count: every one costs a pass over its postings. */
const MAX_TERMS = 128;

/**
 * Several indexes searched as one: document frequencies, number of chunks and average length are those of all
 * together, so that scores compare and the folder an answer lies in does not matter.
 */
export class Collection {
  /** Chunks in all. */
  readonly size: number;
  /** Mean tokens of a chunk. */
  readonly averageTokens: number;
  /** Number of the first chunk of each reader. */
  readonly #starts: readonly number[];

  constructor(readonly readers: readonly IndexReader[]) {
    this.size = readers.reduce((sum, reader) => sum + reader.chunks.length, 0);
    const tokens = readers.reduce((sum, reader) => sum + reader.totalTokens, 0);
    this.averageTokens = this.size === 0 ? 0 : tokens / this.size;
    let start = 0;
    this.#starts = readers.map((reader) => (start += reader.chunks.length) - reader.chunks.length);
  }

  /** The `limit` best chunks for the terms by BM25, best first; equal ones in the order of the collection. */
  search(terms: readonly QueryTerm[], limit: number, filter?: Filter): CollectionHit[] {
    const ids = this.readers.map((reader) => terms.map(({ term }) => reader.dictionary.find(term)));
    const weights = terms.map(({ weight }, t) => {
      const df = this.readers.reduce((sum, reader, r) => {
        const id = ids[r]![t]!;
        return sum + (id < 0 ? 0 : reader.postings.documentFrequency[id]!);
      }, 0);
      return weight * inverseDocumentFrequency(this.size, df);
    });
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    return this.readers.flatMap((reader, r) => {
      const found: { id: number; weight: number }[] = [];
      ids[r]!.forEach((id, t) => {
        if (id >= 0) found.push({ id, weight: weights[t]! });
      });
      const lists = heaviest(found, MAX_TERMS).map(({ id, weight }): WeightedList => ({
        list: new PostingList(reader.postings, id),
        weight,
      }));
      // the bounds were made with the reader's own average: a greater one lets tf count for more
      const boundScale = Math.max(1, this.averageTokens / reader.averageTokens);
      const norms = reader.norms(this.averageTokens);
      const context = { norms, scores: reader.scores, boundScale, allowed: filter?.(reader) };
      return searchBm25(lists, limit, context).map(({ chunk, score, covered }) => ({
        reader,
        chunk,
        id: this.#starts[r]! + chunk,
        score,
        coverage: covered / all,
      }));
    }).sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
  }

  /** The reader and the chunk of a number that {@linkcode search} gave. */
  locate(id: number): { reader: IndexReader; chunk: number } {
    let r = this.#starts.length - 1;
    while (this.#starts[r]! > id) r--;
    return { reader: this.readers[r]!, chunk: id - this.#starts[r]! };
  }
}

/** The `most` entries of the greatest weight, in their order. */
function heaviest<T extends { readonly weight: number }>(entries: readonly T[], most: number): readonly T[] {
  if (entries.length <= most) return entries;
  const kept = new Set(entries.toSorted((a, b) => b.weight - a.weight).slice(0, most));
  return entries.filter((entry) => kept.has(entry));
}
