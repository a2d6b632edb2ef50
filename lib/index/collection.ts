import {
  GroupMerger,
  inverseDocumentFrequency,
  K1,
  PostingList,
  scoreChunks,
  searchBm25,
  type WeightedList,
} from "./postings/mod.ts";
import type { IndexReader } from "./reader.ts";
import { LANGUAGE_CODES, type QueryTerm } from "./text/mod.ts";
import type { VectorIndex } from "./vectors/mod.ts";

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

/** The terms of a query, looked up in every reader of a {@linkcode Collection}. */
export interface QueryLists {
  /** Of each reader the terms it holds. */
  readonly lists: readonly (readonly WeightedList[])[];
  /** Σ weight · idf over all terms of the query, held or not. */
  readonly total: number;
}

/** One way to say something in a {@linkcode TermGroup}. */
export interface TermGroupMember {
  /** All of them must be in a chunk; the least tf counts. Not empty. */
  readonly terms: readonly string[];
  /** How much an occurrence counts: 0 to 1. */
  readonly score: number;
}

/** Postings of several ways to say the same, as those of one term. */
export interface TermGroup {
  /** In how many chunks of the collection any member is. */
  readonly documentFrequency: number;
  /** Of each reader: chunks in no order, and Σ score · tf in each. */
  readonly postings: readonly { readonly chunks: Int32Array; readonly frequencies: Float64Array }[];
}

/** The scores that term groups give to every chunk of a reader. */
export interface GroupScores {
  /** BM25, as if each group were a term. */
  readonly scores: Float64Array;
  /** Share of the idf that the chunk has: 0 to 1. */
  readonly coverage: Float64Array;
}

/** A unigram and a bigram a character, 1.65 characters a word. */
export const CHINESE_TERMS_A_WORD = 3.3;

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
  readonly #mergers: (GroupMerger | undefined)[] = [];
  #averageWords: number | undefined;

  constructor(readonly readers: readonly IndexReader[]) {
    this.size = readers.reduce((sum, reader) => sum + reader.chunks.length, 0);
    const tokens = readers.reduce((sum, reader) => sum + reader.totalTokens, 0);
    this.averageTokens = this.size === 0 ? 0 : tokens / this.size;
    let start = 0;
    this.#starts = readers.map((reader) => (start += reader.chunks.length) - reader.chunks.length);
  }

  /** The `limit` best chunks for the terms by BM25, best first; equal ones in the order of the collection. */
  search(terms: readonly QueryTerm[], limit: number, filter?: Filter): CollectionHit[] {
    return this.searchLists(this.lookUp(terms), limit, filter);
  }

  /** Looks the terms of a query up. The lists serve one search at a time. */
  lookUp(terms: readonly QueryTerm[]): QueryLists {
    const ids = this.readers.map((reader) => terms.map(({ term }) => reader.dictionary.find(term)));
    const weights = terms.map(({ weight }, t) => {
      const df = this.readers.reduce((sum, reader, r) => {
        const id = ids[r]![t]!;
        return sum + (id < 0 ? 0 : reader.postings.documentFrequency.at(id)!);
      }, 0);
      return weight * inverseDocumentFrequency(this.size, df);
    });
    const lists = this.readers.map((reader, r) => {
      const found: { id: number; weight: number }[] = [];
      ids[r]!.forEach((id, t) => {
        if (id >= 0) found.push({ id, weight: weights[t]! });
      });
      return heaviest(found, MAX_TERMS).map(({ id, weight }): WeightedList => ({
        list: new PostingList(reader.postings, id),
        weight,
      }));
    });
    return { lists, total: weights.reduce((sum, weight) => sum + weight, 0) };
  }

  /** As {@linkcode search}, with terms that were looked up before. */
  searchLists({ lists, total }: QueryLists, limit: number, filter?: Filter): CollectionHit[] {
    return this.readers.flatMap((reader, r) => {
      // the bounds were made with the reader's own average: a greater one lets tf count for more
      const boundScale = Math.max(1, this.averageTokens / reader.averageTokens);
      const norms = reader.norms(this.averageTokens);
      const context = { norms, scores: reader.scores, boundScale, allowed: filter?.(reader) };
      return searchBm25(lists[r]!, limit, context).map(({ chunk, score, covered }) => ({
        reader,
        chunk,
        id: this.#starts[r]! + chunk,
        score,
        coverage: covered / total,
      }));
    }).sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
  }

  /**
   * The `limit` chunks nearest to a vector (length 1) of `model`, best first, where the two are {@linkcode comparableVectors};
   * `score` is the cosine, `coverage` 0.
   */
  searchVectors(
    vector: Float32Array,
    model: string | undefined,
    limit: number,
    filter?: Filter,
  ): CollectionHit[] {
    return this.readers.flatMap((reader, r) => {
      const vectors = comparableVectors(reader, vector, model);
      return (vectors?.search(vector, limit, filter?.(reader)) ?? [])
        .map(({ chunk, score }) => ({ reader, chunk, id: this.idOf(r, chunk), score, coverage: 0 }));
    }).sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
  }

  /** BM25 and coverage of single chunks of a reader, which are given in ascending order. */
  score(
    { lists, total }: QueryLists,
    reader: number,
    chunks: Int32Array,
  ): { scores: Float64Array; coverage: Float64Array } {
    const norms = this.readers[reader]!.norms(this.averageTokens);
    const { scores, covered } = scoreChunks(chunks, lists[reader]!, norms);
    return { scores, coverage: covered.map((sum) => total > 0 ? sum / total : 0) };
  }

  /** In how many chunks a term is. */
  documentFrequency(term: string): number {
    return this.readers.reduce((sum, { dictionary, postings }) => {
      const id = dictionary.find(term);
      return sum + (id < 0 ? 0 : postings.documentFrequency.at(id)!);
    }, 0);
  }

  /** Whether any chunk is of a language (`LANGUAGE_CODES`). */
  holdsLanguage(language: number): boolean {
    return this.readers.some(({ chunks }) => chunks.languages.includes(language));
  }

  /** Mean words of a chunk: a Chinese word is {@linkcode CHINESE_TERMS_A_WORD} terms. */
  get averageWords(): number {
    if (this.#averageWords === undefined) {
      let words = 0;
      for (const { chunks: { tokens, languages } } of this.readers) {
        for (let i = 0; i < tokens.length; i++) {
          words += tokens[i]! / (languages[i]! >= LANGUAGE_CODES.zh ? CHINESE_TERMS_A_WORD : 1);
        }
      }
      this.#averageWords = this.size === 0 ? 0 : words / this.size;
    }
    return this.#averageWords;
  }

  /** The postings of a group, in chunks of one language (`LANGUAGE_CODES`). */
  group(members: readonly TermGroupMember[], language: number): TermGroup {
    const postings = this.readers.map((reader, r) => {
      const found = members.flatMap(({ terms, score }) => {
        const ids = terms.map((term) => reader.dictionary.find(term));
        return ids.includes(-1)
          ? []
          : [{ lists: ids.map((id) => new PostingList(reader.postings, id)), score }];
      });
      if (found.length === 0) return { chunks: new Int32Array(0), frequencies: new Float64Array(0) };
      const merger = this.#mergers[r] ??= new GroupMerger(reader.chunks.length);
      return merger.merge(found, reader.chunks.languages, language);
    });
    return { documentFrequency: postings.reduce((sum, { chunks }) => sum + chunks.length, 0), postings };
  }

  /** BM25 of every chunk for the groups, reader by reader. `idf`: that of all the groups should say, if some could not be made. */
  scoreGroups(groups: readonly TermGroup[], idf = 0): GroupScores[] {
    const weights = groups.map((group) => inverseDocumentFrequency(this.size, group.documentFrequency));
    const total = Math.max(idf, weights.reduce((sum, weight) => sum + weight, 0));
    return this.readers.map((reader, r) => {
      const norms = reader.norms(this.averageTokens);
      const scores = new Float64Array(reader.chunks.length);
      const coverage = new Float64Array(reader.chunks.length);
      groups.forEach(({ postings }, g) => {
        const { chunks, frequencies } = postings[r]!;
        const factor = weights[g]! * (K1 + 1);
        const share = weights[g]! / total;
        for (let i = 0; i < chunks.length; i++) {
          const chunk = chunks[i]!, tf = frequencies[i]!;
          scores[chunk]! += factor * tf / (tf + norms[chunk]!);
          coverage[chunk]! += share;
        }
      });
      return { scores, coverage };
    });
  }

  /** The reader and the chunk of a number that {@linkcode search} gave. */
  locate(id: number): { reader: IndexReader; chunk: number } {
    let r = this.#starts.length - 1;
    while (this.#starts[r]! > id) r--;
    return { reader: this.readers[r]!, chunk: id - this.#starts[r]! };
  }

  /** The number in the collection of a chunk of a reader: the reverse of {@linkcode locate}. */
  idOf(reader: number, chunk: number): number {
    return this.#starts[reader]! + chunk;
  }
}

/**
 * The vectors of an index that a vector of `model` can be compared with: those of the same model, and of as many numbers, for
 * a model may have changed behind its name. Without a model any vectors of as many numbers.
 */
export function comparableVectors(
  { vectors }: IndexReader,
  vector: Float32Array,
  model: string | undefined,
): VectorIndex | undefined {
  if (vectors?.meta.dimensions !== vector.length) return undefined;
  return model === undefined || vectors.meta.model === model ? vectors : undefined;
}

/** The `most` entries of the greatest weight, in their order. */
function heaviest<T extends { readonly weight: number }>(entries: readonly T[], most: number): readonly T[] {
  if (entries.length <= most) return entries;
  const kept = new Set(entries.toSorted((a, b) => b.weight - a.weight).slice(0, most));
  return entries.filter((entry) => kept.has(entry));
}
