/**
 * Several indexes read as one: numbers of chunks, terms, filters and scores over all of them, and the
 * ids by which chunks are named outside.
 */
import { createHash } from "node:crypto";
import { AskedOnce } from "./asked_once.ts";
import {
  type ChunkFilter,
  type ChunkIdentity,
  type Generated,
  generatedTerm,
  type GroupQuery,
  hexOf,
  inverseDocumentFrequency,
  LANGUAGE_CODES,
  type OpenIndex,
  type QueryTerm,
  type ScoredChunk,
  type SearchOptions,
  type StoredChunk,
  type TermGroup,
  type TermQuery,
  type VectorQuery,
} from "#engine/index/mod.ts";

/** Terms per Chinese word: one unigram and one bigram per character, 1.65 characters per word. */
export const CHINESE_TERMS_A_WORD = 3.3;

/**
 * Of a query with more terms (a pasted page), only the rarest are used, because each term costs a pass over its postings.
 */
const MAX_TERMS = 128;

/** Weight of a word in a generated text; in the chunk itself it has 1. RANKING.md has the figures. */
const GENERATED_WEIGHT = 0.2;

/** Terms, chunks and UTF-16 units of texts that are remembered: more than most searches need. */
const MOST_TERMS = 1 << 12, MOST_CHUNKS = 1 << 11, MOST_UNITS = 1 << 19;
/** The most bytes that a UTF-16 unit takes in UTF-8. */
const UNIT_BYTES = 3;

/**
 * Several indexes that are searched as one. Document frequencies, the number of chunks and the average length are computed
 * over all of them, so a text has the same score in any of the folders. Chunk numbers continue from one index to the next.
 *
 * The indexes may lie behind a network. So what they have answered about terms and single chunks is remembered: the stages of a search
 * need the same again and again.
 */
export class Segments {
  readonly indexes: readonly OpenIndex[];
  /** Chunks in all indexes. */
  readonly size: number;
  /** Mean tokens of a chunk. */
  readonly averageTokens: number;
  /** Number of the first chunk of each index. */
  readonly #starts: readonly number[];

  readonly #pathOf: PathOf;
  readonly #signal: AbortSignal | undefined;
  /** The indexes as they are asked. */
  readonly #asked: readonly OpenIndex[];
  /** For each term the number of chunks that contain it, index by index. */
  readonly #counts = new AskedOnce<string, Float64Array>((terms) => this.#countsOf(terms), MOST_TERMS);
  readonly #stored = new AskedOnce<number, StoredChunk>(
    (ids) => this.#collect(ids, (index, chunks) => index.chunks(chunks)),
    MOST_CHUNKS,
  );
  readonly #identities = new AskedOnce<number, ChunkIdentity>(
    (ids) => this.#collect(ids, (index, chunks) => index.identities(chunks)),
    MOST_CHUNKS,
  );
  readonly #words = new AskedOnce<number, Uint8Array | undefined>(
    (ids) => this.#collect(ids, (index, chunks) => index.words(chunks)),
    MOST_CHUNKS,
  );
  /** Whole texts of chunks. */
  readonly #texts = new Map<number, string>();
  #units = 0;

  /**
   * `pathOf`: default is the path relative to the folder of the index. `signal`: ends the search; methods then throw its reason and ask
   * nothing more.
   */
  constructor(
    indexes: readonly OpenIndex[],
    pathOf: PathOf = (_, path) => path,
    signal?: AbortSignal,
  ) {
    this.indexes = indexes;
    this.#pathOf = pathOf;
    this.#signal = signal;
    this.#asked = indexes.map((index) => signal && index.withSignal?.(signal) || index);
    this.size = indexes.reduce((sum, { statistics }) => sum + statistics.chunks, 0);
    const tokens = indexes.reduce((sum, { statistics }) => sum + statistics.tokens, 0);
    this.averageTokens = this.size === 0 ? 0 : tokens / this.size;
    let start = 0;
    this.#starts = indexes.map(({ statistics }) => (start += statistics.chunks) - statistics.chunks);
  }

  /** Mean words of a chunk: a Chinese word is {@linkcode CHINESE_TERMS_A_WORD} terms. */
  get averageWords(): number {
    const words = this.indexes.flatMap(({ statistics }) => statistics.languages)
      .map(({ language, tokens }) => tokens / (language >= LANGUAGE_CODES.zh ? CHINESE_TERMS_A_WORD : 1));
    return this.size === 0 ? 0 : words.reduce((sum, count) => sum + count, 0) / this.size;
  }

  /** Whether any chunk is of a language (`LANGUAGE_CODES`). */
  holdsLanguage(language: number): boolean {
    return this.indexes.some(({ statistics }) =>
      statistics.languages.some((held) => held.language === language)
    );
  }

  /** Whether any chunk may have generated texts. */
  get hasGenerated(): boolean {
    return this.indexes.some(({ hasGenerated }) => hasGenerated);
  }

  /** Returns the number of chunks that contain each term. */
  async documentFrequencies(terms: readonly string[]): Promise<Float64Array> {
    return Float64Array.from(await this.#counts.of(terms), total);
  }

  /** Returns the number of chunks in each index that contain each term. */
  async #countsOf(terms: readonly string[]): Promise<Float64Array[]> {
    const ofIndexes = await this.#all((index) => index.documentFrequencies(terms));
    return terms.map((_, t) => Float64Array.from(ofIndexes, (counts) => counts[t]!));
  }

  /** Returns the number of chunks of a language that contain any member of each group. */
  async groupFrequencies(groups: readonly TermGroup[], language: number): Promise<Float64Array> {
    return sums(groups.length, await this.#all((index) => index.groupFrequencies(groups, language)));
  }

  /** Weighs the terms of a query by their idf. `noDemand`: terms that a chunk need not have to cover the query. */
  async lookUp(
    terms: readonly QueryTerm[],
    noDemand: ReadonlySet<string> = new Set(),
  ): Promise<SegmentsTerms> {
    const counts = await this.#counts.of(terms.map(({ term }) => term));
    const weighted = terms.map(({ term, weight }, t) => ({
      term,
      weight: weight * inverseDocumentFrequency(this.size, total(counts[t]!)),
      ...(noDemand.has(term) && { covers: 0 }),
    }));
    const { averageTokens } = this;
    return {
      queries: this.indexes.map((_, i) => ({
        terms: heaviest(weighted.filter((_, t) => counts[t]![i]! > 0), MAX_TERMS),
        averageTokens,
      })),
      total: weighted.reduce((sum, { weight, covers = weight }) => sum + covers, 0),
    };
  }

  /**
   * Like {@linkcode lookUp}, with the terms of generated texts, which have a low weight. They do not count for the coverage. Without
   * such texts in any index, the result is that of {@linkcode lookUp}.
   */
  async lookUpAll(
    terms: readonly QueryTerm[],
    noDemand: ReadonlySet<string> = new Set(),
  ): Promise<SegmentsTerms> {
    if (!this.hasGenerated) return await this.lookUp(terms, noDemand);
    const names = terms.map(({ term }) => term), ours = names.map(generatedTerm);
    const [weighted, inTexts, counts] = await Promise.all([
      this.lookUp(terms, noDemand),
      this.documentFrequencies(names),
      this.#counts.of(ours),
    ]);
    // While few chunks have generated texts, each of their words would seem rare.
    const own = terms.map(({ term, weight }, t) => {
      const idf = inverseDocumentFrequency(this.size, Math.max(inTexts[t]!, total(counts[t]!)));
      return {
        term: ours[t]!,
        weight: GENERATED_WEIGHT * weight * idf,
        covers: noDemand.has(term) ? 0 : weight * idf,
      };
    });
    const { averageTokens } = this;
    const generated = this.indexes.map((_, i) =>
      heaviest(own.filter((_, t) => counts[t]![i]! > 0), MAX_TERMS)
    );
    return {
      queries: weighted.queries.map(({ terms }, i) => ({
        terms: [...terms, ...generated[i]!.map((term) => ({ ...term, covers: 0 }))],
        averageTokens,
      })),
      total: weighted.total,
      generated: {
        queries: generated.map((terms) => ({ terms, averageTokens })),
        total: own.reduce((sum, { covers }) => sum + covers, 0),
      },
    };
  }

  /** Weighs term groups by their idf. `idf`: the least total, for a question of which some words have no group. */
  weigh(
    groups: readonly { readonly group: TermGroup; readonly documentFrequency: number }[],
    language: number,
    idf: number,
  ): SegmentsGroups {
    const weighted = groups.map(({ group, documentFrequency }) => ({
      group,
      weight: inverseDocumentFrequency(this.size, documentFrequency),
    }));
    return {
      query: { groups: weighted, language, averageTokens: this.averageTokens },
      total: Math.max(idf, weighted.reduce((sum, { weight }) => sum + weight, 0)),
    };
  }

  /** Returns the `limit` best chunks for the terms by BM25, best first. Ties are sorted by number. */
  async byTerms({ queries, total }: SegmentsTerms, wanted: SegmentsOptions): Promise<FoundChunk[]> {
    const found = await this.#all((index, i) => index.byTerms(queries[i]!, this.#wantedOf(i, wanted)));
    return this.#best(found, total, wanted.limit);
  }

  /**
   * Returns the `limit` chunks nearest to a vector, best first. Ties are sorted by number. `score` is the cosine,
   * `coverage` is 0.
   */
  async byVector(query: VectorQuery, wanted: SegmentsOptions): Promise<FoundChunk[]> {
    const found = await this.#all((index, i) => index.byVector(query, this.#wantedOf(i, wanted)));
    return this.#best(found, 0, wanted.limit);
  }

  /**
   * Returns the `limit` chunks with the greatest scores above 0, best first. Ties are sorted by number. `scoresOf` returns
   * the score of each chunk of an index, or `undefined` if none of them has one.
   */
  async byScores(
    scoresOf: (index: OpenIndex) => Float64Array | undefined,
    wanted: SegmentsOptions,
  ): Promise<FoundChunk[]> {
    const found = await this.#all(async (index, i) => {
      const scores = scoresOf(this.indexes[i]!);
      return scores === undefined ? [] : await index.byScores(scores, this.#wantedOf(i, wanted));
    });
    return this.#best(found, 0, wanted.limit);
  }

  /** Returns the best chunks for term groups, `limit` or more from each index. */
  async byGroups({ query, total }: SegmentsGroups, wanted: SegmentsOptions): Promise<FoundChunk[]> {
    const found = await this.#all((index, i) => index.byGroups(query, this.#wantedOf(i, wanted)));
    return this.#best(found, total, Infinity);
  }

  /**
   * Calls `each` with the terms of texts that have `least` to `most` UTF-16 units. A term may come twice, and terms may come of which the
   * last chunk is gone.
   */
  async termsOfLength(least: number, most: number, each: (term: string) => void): Promise<void> {
    await this.#all(async (index) => {
      // The list may only be read until the next call.
      for (const term of await index.termsOfLength(least, most)) each(term);
    });
  }

  /** Returns the most frequent terms of words that begin with a prefix, `most` at most. */
  async termsWithPrefix(prefix: string, most: number): Promise<string[]> {
    const terms = [...new Set((await this.#all((index) => index.termsWithPrefix(prefix))).flat())];
    const counts = await this.documentFrequencies(terms);
    return terms.map((term, i) => ({ term, count: counts[i]! })).filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1)).slice(0, most).map(({ term }) => term);
  }

  /** Returns whether any chunk passes a filter. */
  async passesAny(filter: Filter): Promise<boolean> {
    const passes = await this.#all((index, i) => {
      const ofIndex = filter(this.indexes[i]!);
      return ofIndex === undefined || index.passesAny(ofIndex);
    });
    return passes.includes(true);
  }

  /** Returns BM25 and coverage of given chunks. In this and the following methods, chunks are in ascending order. */
  scoreTerms({ queries, total }: SegmentsTerms, ids: Int32Array): Promise<SegmentsScores> {
    return this.#scores(ids, total, (index, chunks, i) => index.scoreTerms(queries[i]!, chunks));
  }

  /** Returns BM25 and coverage of given chunks for term groups. */
  scoreGroups({ query, total }: SegmentsGroups, ids: Int32Array): Promise<SegmentsScores> {
    return this.#scores(ids, total, (index, chunks) => index.scoreGroups(query, chunks));
  }

  /** Returns the cosines of given chunks with a vector; 0 for a chunk without a comparable vector. */
  async cosines(query: VectorQuery, ids: Int32Array): Promise<Float64Array> {
    const cosines = new Float64Array(ids.length);
    await this.#byIndex(ids, async (index, chunks, from) => {
      cosines.set(await index.cosines(query, chunks), from);
    });
    return cosines;
  }

  /**
   * Returns which of at most 31 terms each of the given chunks contains: bit i of the number stands for term i.
   */
  async termsIn(terms: readonly string[], ids: Int32Array): Promise<Int32Array> {
    const counts = await this.#counts.of(terms);
    const queries = this.indexes.map((_, i): TermQuery => ({
      terms: terms.map((term, t) => ({ term, weight: 1, covers: 2 ** t }))
        .filter((_, t) => counts[t]![i]! > 0),
      averageTokens: this.averageTokens,
    }));
    const { coverage } = await this.scoreTerms({ queries, total: 1 }, ids);
    return Int32Array.from(coverage);
  }

  /** Returns given chunks without their texts. */
  chunks(ids: Int32Array): Promise<StoredChunk[]> {
    return this.#stored.of([...ids]);
  }

  /** Returns the texts of given chunks, each cut after `maxBytes` bytes of UTF-8. */
  async texts(ids: Int32Array, maxBytes: number): Promise<string[]> {
    const known = Array.from(ids, (id) => this.#textOf(id, maxBytes));
    const missing = ids.filter((_, i) => known[i] === undefined);
    const read = missing.length === 0
      ? []
      : await this.#collect(missing, (index, chunks) => index.texts(chunks, maxBytes));
    // A text that is so much shorter than the limit was not cut.
    for (const [i, text] of read.entries()) {
      if (text.length < maxBytes / UNIT_BYTES - 1) this.#keepText(missing[i]!, text);
    }
    let next = 0;
    return known.map((text) => text ?? read[next++]!);
  }

  #textOf(id: number, maxBytes: number): string | undefined {
    const text = this.#texts.get(id);
    return text !== undefined && text.length * UNIT_BYTES <= maxBytes ? text : undefined;
  }

  #keepText(id: number, text: string): void {
    if (this.#texts.has(id)) return;
    if (this.#units + text.length > MOST_UNITS) {
      this.#texts.clear();
      this.#units = 0;
    }
    this.#texts.set(id, text);
    this.#units += text.length;
  }

  /**
   * Returns the data that the embedding stored for given chunks; `undefined` for a chunk of another model than `model`, if
   * it is given.
   */
  async words(ids: Int32Array, model: string | undefined): Promise<(Uint8Array | undefined)[]> {
    const isWanted = ({ vectors }: OpenIndex) => model === undefined || vectors?.model === model;
    if (this.indexes.every(isWanted)) return await this.#words.of([...ids]);
    const wanted = ids.filter((id) => isWanted(this.indexes[this.#indexOf(id)]!));
    const words = new Map((await this.#words.of([...wanted])).map((words, i) => [wanted[i]!, words]));
    return Array.from(ids, (id) => words.get(id));
  }

  /** Number of the index that a chunk is in. */
  #indexOf(id: number): number {
    return this.#starts.findLastIndex((start) => start <= id);
  }

  /** Returns the generated texts of given chunks. */
  generated(ids: Int32Array): Promise<(Generated | undefined)[]> {
    return this.#collect(ids, (index, chunks) => index.generated(chunks));
  }

  /** Returns the facts that distinguish given chunks from other chunks of their files. */
  identities(ids: Int32Array): Promise<ChunkIdentity[]> {
    return this.#identities.of([...ids]);
  }

  async #all<T>(ask: (index: OpenIndex, i: number) => T | Promise<T>): Promise<T[]> {
    this.#signal?.throwIfAborted();
    return await Promise.all(this.#asked.map(ask));
  }

  #wantedOf(i: number, { limit, filter, exceptFiles }: SegmentsOptions): SearchOptions {
    const index = this.indexes[i]!;
    return { limit, filter: filter?.(index), exceptFiles: exceptFiles?.get(index) };
  }

  /** Returns the best `limit` of all chunks found. `total`: the idf that corresponds to a coverage of 1. */
  #best(found: readonly (readonly ScoredChunk[])[], total: number, limit: number): FoundChunk[] {
    return found.flatMap((ofIndex, i) =>
      ofIndex.map(({ chunk, file, language, score, covered }): FoundChunk => ({
        index: this.indexes[i]!,
        chunk,
        id: this.#starts[i]! + chunk,
        file,
        filePath: this.#pathOf(this.indexes[i]!, this.indexes[i]!.files[file]!.path),
        language,
        score,
        coverage: total > 0 ? covered / total : 0,
      }))
    ).sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
  }

  async #scores(
    ids: Int32Array,
    total: number,
    score: (
      index: OpenIndex,
      chunks: Int32Array,
      i: number,
    ) => Promise<{ readonly scores: Float64Array; readonly covered: Float64Array }>,
  ): Promise<SegmentsScores> {
    const scores = new Float64Array(ids.length), coverage = new Float64Array(ids.length);
    await this.#byIndex(ids, async (index, chunks, from, i) => {
      const found = await score(index, chunks, i);
      scores.set(found.scores, from);
      for (let c = 0; total > 0 && c < chunks.length; c++) coverage[from + c] = found.covered[c]! / total;
    });
    return { scores, coverage };
  }

  async #collect<T>(
    ids: Int32Array | readonly number[],
    ask: (index: OpenIndex, chunks: Int32Array) => Promise<readonly T[]>,
  ): Promise<T[]> {
    const parts: (readonly T[])[] = [];
    await this.#byIndex(Int32Array.from(ids), async (index, chunks, _, i) => {
      parts[i] = await ask(index, chunks);
    });
    return parts.flat() as T[];
  }

  /** Calls `ask` for each index with its chunks, the position of the first of them in `ids`, and the number of the index. */
  async #byIndex(
    ids: Int32Array,
    ask: (index: OpenIndex, chunks: Int32Array, from: number, i: number) => Promise<void>,
  ): Promise<void> {
    let from = 0;
    await this.#all(async (index, i) => {
      const first = from;
      const start = this.#starts[i]!, end = start + index.statistics.chunks;
      while (from < ids.length && ids[from]! < end) from++;
      if (from === first) return;
      const chunks = ids.subarray(first, from);
      await ask(index, start === 0 ? chunks : chunks.map((id) => id - start), first, i);
    });
  }
}

function sums(length: number, parts: readonly ArrayLike<number>[]): Float64Array {
  const result = new Float64Array(length);
  for (const part of parts) for (let i = 0; i < length; i++) result[i]! += part[i]!;
  return result;
}

function total(numbers: Float64Array): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** Returns the `most` entries with the greatest weights, in their original order. */
function heaviest<T extends { readonly weight: number }>(entries: readonly T[], most: number): readonly T[] {
  if (entries.length <= most) return entries;
  const kept = new Set(entries.toSorted((a, b) => b.weight - a.weight).slice(0, most));
  return entries.filter((entry) => kept.has(entry));
}

/** A chunk found in some indexes. */
export interface FoundChunk {
  readonly index: OpenIndex;
  /** Number of the chunk in its index, and over all indexes. */
  readonly chunk: number;
  readonly id: number;
  /** Number of its file in its index, and the full path of the file. */
  readonly file: number;
  readonly filePath: string;
  /** One of `LANGUAGE_CODES`. */
  readonly language: number;
  /** BM25, a cosine, or the score of the ranking. */
  readonly score: number;
  /** Share of the query's idf that the terms in the chunk have, from 0 to 1. */
  readonly coverage: number;
}

/** Returns the filter that holds for the chunks of an index; `undefined` if all may be found. */
export type Filter = (index: OpenIndex) => ChunkFilter | undefined;

/** Returns the full path of a file of an index by its relative path. */
type PathOf = (index: OpenIndex, relative: string) => string;

/** Files of some indexes, by number. */
type FilesOfIndexes = ReadonlyMap<OpenIndex, ReadonlySet<number>>;

/** Conditions of a search for candidates; see `Wanted` in `lib/library/store`. */
export interface SegmentsOptions {
  readonly limit: number;
  readonly filter?: Filter | undefined;
  readonly exceptFiles?: FilesOfIndexes | undefined;
}

/** The terms of a query, weighted by a {@linkcode Segments}. */
export interface SegmentsTerms {
  /** For each index, the terms that it contains. */
  readonly queries: readonly TermQuery[];
  /** Σ weight · idf over all terms of the query, also those in no index. */
  readonly total: number;
  /** Those of generated texts alone; absent if no index has such texts, or they were not asked for. */
  readonly generated?: SegmentsTerms;
}

/** Term groups, weighted by a {@linkcode Segments}. */
export interface SegmentsGroups {
  readonly query: GroupQuery;
  /** Σ idf of the groups: a coverage of 1. */
  readonly total: number;
}

/** Scores of given chunks, in their order; see {@linkcode FoundChunk}. */
interface SegmentsScores {
  readonly scores: Float64Array;
  readonly coverage: Float64Array;
}

/**
 * The stable name of a chunk: 16 hexadecimal digits of the SHA-256 of path, section path and content hash. Chunks with the
 * same text in the same section are numbered.
 */
export function chunkId(
  { index, file }: Pick<FoundChunk, "index" | "file">,
  { section }: Pick<StoredChunk, "section">,
  { contentHash, earlierCopies }: ChunkIdentity,
): string {
  const copy = earlierCopies > 0 ? [earlierCopies] : [];
  const name = [index.files[file]!.path, ...section, hexOf(contentHash), ...copy].join("\u0000");
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}

/** Chunks that are remembered: those of the last thousand answers. */
const MOST = 20_000;

/** Remembers the files of the chunks that answers have named, so that a chunk is found without looking through all. */
export class ChunkLocations {
  /** Full paths by chunk id, the one used longest ago first. */
  readonly #files = new Map<string, string>();

  /** Full path of the file in which a chunk was last seen. */
  fileOf(chunkId: string): string | undefined {
    return this.#files.get(chunkId);
  }

  /** Notes the files of hits. */
  noteAll(hits: readonly { readonly chunkId: string; readonly filePath: string }[]): void {
    for (const { chunkId, filePath } of hits) this.note(chunkId, filePath);
  }

  /** Notes the file of a chunk. */
  note(chunkId: string, filePath: string): void {
    this.#files.delete(chunkId);
    this.#files.set(chunkId, filePath);
    if (this.#files.size <= MOST) return;
    const [oldest] = this.#files.keys();
    this.#files.delete(oldest!);
  }
}
