// deno-lint-ignore-file require-await -- all data is in memory or a local file; only the interface is asynchronous
/**
 * One index file as an open index: its terms, scores, vectors, and chunks that no longer count.
 */
import { LANGUAGE_CODES, Tokenizer } from "./text/tokenizer.ts";
import {
  GroupMerger,
  type GroupPostings,
  scoreChunks,
  searchBm25,
  TopScores,
  type WeightedList,
} from "./postings/bm25.ts";
import { K1 } from "./postings/format.ts";
import { PostingList } from "./postings/list.ts";
import { foldedPrefix } from "./prefix_terms.ts";
import { allPaged, eachPaged } from "./blob/missing.ts";
import { chunkMask, withoutFiles } from "./chunk_mask.ts";
import type {
  ChunkFilter,
  ChunkIdentity,
  ChunkScores,
  GroupQuery,
  IndexStatistics,
  OpenIndex,
  ScoredChunk,
  SearchOptions,
  StoredVector,
  TermGroup,
  TermQuery,
  VectorQuery,
} from "./open_index.ts";
import type { MarksOf } from "./field_table.ts";
import { type Generated, isGeneratedTerm } from "./generated.ts";
import type { IndexReader } from "./reader.ts";
import type { IndexMeta, StoredChunk, StoredFile } from "./types.ts";
import type { VectorIndex, VectorMeta } from "./vectors/vector_index.ts";

/** Bytes that are verified without a pause: about 10 ms. */
const VERIFIED_BYTES = 16 * 1024 * 1024;
/** Ids of terms that are kept: those of about ten searches. */
const MAX_TERM_IDS = 1024;
/** Of more terms than this, the lists are not read ahead: they are those of a prefix, and most are not searched for. */
const MOST_EXPECTED = 64;

/** Options of a {@linkcode BlobIndex}. */
interface BlobIndexOptions {
  /** Numbers of files of which no chunk is found or counted, in ascending order. */
  readonly dead?: readonly number[];
  /** Called when the index is closed. Default: closes the reader. */
  readonly release?: () => void;
}

/**
 * An index in a blob. Every method runs without awaiting, so that only one search at a time uses the reader's scratch
 * memory.
 */
export class BlobIndex implements OpenIndex {
  readonly reader: IndexReader;
  /** Ids of terms that were looked up, or -1: a search asks for its terms twice. */
  readonly #termIds = new Map<string, number>();
  readonly #lists = new WeakMap<TermQuery, readonly WeightedList[]>();
  readonly #masks = new WeakMap<ChunkFilter, Uint8Array>();
  #groups: GroupScores | undefined;
  #tokenizer: Tokenizer | undefined;
  #statistics: IndexStatistics | undefined;
  readonly #dead: DeadChunks | undefined;
  readonly #release: () => void;

  constructor(reader: IndexReader, { dead = [], release }: BlobIndexOptions = {}) {
    this.reader = reader;
    this.#dead = dead.length === 0 ? undefined : new DeadChunks(reader, dead);
    this.#release = release ?? (() => reader.close());
  }

  get meta(): IndexMeta {
    return this.reader.meta;
  }

  get files(): readonly StoredFile[] {
    return this.reader.files;
  }

  get vectors(): VectorMeta | undefined {
    return this.reader.vectors?.meta;
  }

  get hasGenerated(): boolean {
    return this.reader.hasGenerated;
  }

  get damage(): string | undefined {
    return this.reader.damage;
  }

  get statistics(): IndexStatistics {
    return this.#statistics ??= statisticsOf(this.reader, this.#dead);
  }

  fileMarks(marksOf: MarksOf): Uint8Array {
    return marksOf(this.reader.fields);
  }

  async documentFrequencies(terms: readonly string[]): Promise<Float64Array> {
    const { postings } = this.reader;
    return Float64Array.from(eachPaged(terms, (term) => {
      const id = this.#termId(term, terms.length <= MOST_EXPECTED);
      if (id < 0) return 0;
      const frequency = postings.documentFrequency.at(id)!;
      if (!(frequency >= 1 && frequency <= postings.chunks)) throw postings.damaged(`posting list ${id}`);
      return frequency - (this.#dead?.countWith(id) ?? 0);
    }));
  }

  async termsOfLength(least: number, most: number): Promise<Iterable<string>> {
    const terms = this.reader.dictionary.termsOfLength(least, most);
    return this.hasGenerated ? terms.filter((term) => !isGeneratedTerm(term)) : terms;
  }

  async termsWithPrefix(prefix: string): Promise<string[]> {
    const terms = this.reader.dictionary.termsWithPrefix(foldedPrefix(prefix));
    const dead = this.#dead;
    if (dead === undefined) return [...terms.map(([, term]) => term)];
    return eachPaged(terms, ([id, term]) => dead.isHeld(id) ? [term] : []).flat();
  }

  async groupFrequencies(groups: readonly TermGroup[], language: number): Promise<Float64Array> {
    return Float64Array.from(
      eachPaged(groups, (group) => this.#groupScores.postingsOf(group, language).chunks.length),
    );
  }

  async byTerms(query: TermQuery, { limit, filter, exceptFiles }: SearchOptions): Promise<ScoredChunk[]> {
    const { reader } = this;
    const [lists, allowed] = allPaged(() => this.#listsOf(query), () => this.#allowed(filter, exceptFiles));
    const found = searchBm25(lists, limit, {
      norms: reader.norms(query.averageTokens),
      // The bounds were computed with the average of this index. With a greater average, tf counts for more.
      boundScale: Math.max(1, query.averageTokens / reader.averageTokens),
      allowed,
    });
    return found.map(({ chunk, score, covered }) => this.#scored(chunk, score, covered));
  }

  async byGroups(query: GroupQuery, { limit, filter, exceptFiles }: SearchOptions): Promise<ScoredChunk[]> {
    const [{ scores, covered }, allowed] = allPaged(
      () => this.#groupScores.of(query),
      () => this.#allowed(filter, exceptFiles),
    );
    return bestChunks(scores, limit, allowed)
      .map((chunk) => this.#scored(chunk, scores[chunk]!, covered[chunk]!))
      .sort((a, b) => b.score - a.score || a.chunk - b.chunk);
  }

  async byVector(query: VectorQuery, { limit, filter, exceptFiles }: SearchOptions): Promise<ScoredChunk[]> {
    const vectors = this.#comparable(query);
    if (vectors === undefined) return [];
    const [, allowed] = allPaged(() => vectors.load(), () => this.#allowed(filter, exceptFiles));
    const found = vectors.search(query.vector, limit, allowed);
    return found.map(({ chunk, score }) => this.#scored(chunk, score, 0));
  }

  async byScores(
    scores: Float64Array,
    { limit, filter, exceptFiles }: SearchOptions,
  ): Promise<ScoredChunk[]> {
    return bestChunks(scores, limit, this.#allowed(filter, exceptFiles))
      .map((chunk) => this.#scored(chunk, scores[chunk]!, 0))
      .sort((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, limit);
  }

  async passesAny(filter: ChunkFilter): Promise<boolean> {
    return this.#allowed(filter, undefined)!.includes(1);
  }

  async scoreTerms(query: TermQuery, chunks: Int32Array): Promise<ChunkScores> {
    return scoreChunks(chunks, this.#listsOf(query), this.reader.norms(query.averageTokens));
  }

  async scoreGroups(query: GroupQuery, chunks: Int32Array): Promise<ChunkScores> {
    const all = this.#groupScores.of(query);
    const scores = new Float64Array(chunks.length), covered = new Float64Array(chunks.length);
    for (let i = 0; i < chunks.length; i++) {
      scores[i] = all.scores[chunks[i]!]!;
      covered[i] = all.covered[chunks[i]!]!;
    }
    return { scores, covered };
  }

  async cosines(query: VectorQuery, chunks: Int32Array): Promise<Float64Array> {
    const vectors = this.#comparable(query);
    if (vectors === undefined) return new Float64Array(chunks.length);
    return Float64Array.from(eachPaged(chunks, (chunk) => vectors.cosine(query.vector, chunk)));
  }

  async storedVectors(chunks: Int32Array): Promise<StoredVector[]> {
    const { vectors } = this.reader, { dimensions } = vectors!.meta;
    return Array.from(chunks, (chunk) => {
      const { row, scale } = vectors!.row(chunk);
      return { numbers: row.subarray(0, dimensions), scale };
    });
  }

  async chunks(chunks: Int32Array): Promise<StoredChunk[]> {
    return eachPaged(chunks, (chunk) => this.reader.chunk(chunk));
  }

  async texts(chunks: Int32Array, maxBytes: number): Promise<string[]> {
    return eachPaged(chunks, (chunk) => this.reader.text(chunk, maxBytes));
  }

  async words(chunks: Int32Array): Promise<(Uint8Array | undefined)[]> {
    return eachPaged(chunks, (chunk) => this.reader.words(chunk));
  }

  async generated(chunks: Int32Array): Promise<(Generated | undefined)[]> {
    return eachPaged(chunks, (chunk) => this.reader.generated(chunk));
  }

  async identities(chunks: Int32Array): Promise<ChunkIdentity[]> {
    return eachPaged(chunks, (chunk) => ({
      contentHash: this.reader.chunks.hash(chunk),
      earlierCopies: earlierCopies(this.reader, chunk),
    }));
  }

  async contentHashes(chunks: Int32Array): Promise<Uint8Array[]> {
    return eachPaged(chunks, (chunk) => this.reader.chunks.hash(chunk));
  }

  async languages(chunks: Int32Array): Promise<number[]> {
    return Array.from(chunks, (chunk) => this.reader.chunks.languages[chunk]!);
  }

  without(files: readonly number[]): BlobIndex {
    return new BlobIndex(this.reader, { dead: files, release: () => this.close() });
  }

  async verify(): Promise<void> {
    for (const _ of this.reader.verifyPieces(VERIFIED_BYTES)) {
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  close(): void {
    this.#release();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #scored(chunk: number, score: number, covered: number): ScoredChunk {
    const { files, languages } = this.reader.chunks;
    return { chunk, file: files[chunk]!, language: languages[chunk]!, score, covered };
  }

  /** `expectsList`: whether the list of the term is read ahead if it may have to be fetched. */
  #termId(term: string, expectsList = true): number {
    let id = this.#termIds.get(term);
    if (id === undefined) {
      const { dictionary, expectList } = this.reader;
      id = dictionary.find(term, expectsList ? expectList : undefined);
      if (this.#termIds.size === MAX_TERM_IDS) this.#termIds.clear();
      this.#termIds.set(term, id);
    }
    return id;
  }

  #listsOf(query: TermQuery): readonly WeightedList[] {
    let lists = this.#lists.get(query);
    if (lists === undefined) {
      const { postings } = this.reader;
      lists = eachPaged(query.terms, ({ term, ...weights }) => {
        const id = this.#termId(term);
        return id < 0 ? [] : [{ list: new PostingList(postings, id), ...weights }];
      }).flat();
      this.#lists.set(query, lists);
    }
    return lists;
  }

  get #groupScores(): GroupScores {
    return this.#groups ??= new GroupScores(
      this.reader,
      this.#dead?.languages ?? this.reader.chunks.languages,
    );
  }

  #comparable({ vector, model }: VectorQuery): VectorIndex | undefined {
    const { vectors } = this.reader;
    if (vectors?.meta.dimensions !== vector.length) return undefined;
    return model === undefined || vectors.meta.model === model ? vectors : undefined;
  }

  /** Returns a 1 for each chunk that may be found, or `undefined` if all may be found. */
  #allowed(
    filter: ChunkFilter | undefined,
    exceptFiles: ReadonlySet<number> | undefined,
  ): Uint8Array | undefined {
    const alive = this.#dead?.alive;
    let mask = filter === undefined ? alive : this.#masks.get(filter);
    if (filter !== undefined && mask === undefined) {
      mask = chunkMask(this.reader, () => this.#tokenizer ??= new Tokenizer(), filter, this.#dead);
      this.#masks.set(filter, mask);
    }
    if (exceptFiles === undefined || exceptFiles.size === 0) return mask;
    return withoutFiles(this.reader, mask, exceptFiles);
  }
}

/** A code that no language has. */
const NO_LANGUAGE = 255;

/** Terms of which the count is kept: those of about ten searches. */
const MAX_COUNTS = 1024;

/** The chunks of an index that are not in effect any more, because their files are gone or replaced. */
class DeadChunks {
  /** A 0 for each dead chunk, a 1 for all others. */
  readonly alive: Uint8Array;
  /** The language of each chunk that is alive. */
  readonly languages: Uint8Array;
  readonly #reader: IndexReader;
  /** Their numbers, in ascending order. */
  readonly chunks: Int32Array;
  readonly #counts = new Map<number, number>();
  /** For each term a 1 if a chunk that is alive contains it, a 2 if none does, and a 0 as long as that is not known. */
  #held: Uint8Array | undefined;

  /** `files`: numbers of the files, in ascending order. */
  constructor(reader: IndexReader, files: readonly number[]) {
    this.#reader = reader;
    this.alive = new Uint8Array(reader.chunks.length).fill(1);
    this.languages = reader.chunks.languages.slice();
    const chunks: number[] = [];
    for (const file of files) {
      const { firstChunk, chunkCount } = reader.files[file]!;
      this.alive.fill(0, firstChunk, firstChunk + chunkCount);
      this.languages.fill(NO_LANGUAGE, firstChunk, firstChunk + chunkCount);
      for (let i = 0; i < chunkCount; i++) chunks.push(firstChunk + i);
    }
    this.chunks = Int32Array.from(chunks);
  }

  /** Bytes of the texts of the dead chunks, where overlaps count once. */
  get textBytes(): number {
    const { chunks } = this.#reader;
    let bytes = 0, file = -1, end = 0;
    const places = eachPaged(this.chunks, (chunk) => chunks.textPlace(chunk));
    for (const [i, { textAt, textBytes }] of places.entries()) {
      const of = chunks.files[this.chunks[i]!]!;
      if (of !== file) end = textAt;
      file = of;
      bytes += Math.max(0, textAt + textBytes - end);
      end = Math.max(end, textAt + textBytes);
    }
    return bytes;
  }

  /** Number of dead chunks that contain a term, by its number in the dictionary. */
  countWith(term: number): number {
    let count = this.#counts.get(term);
    if (count === undefined) {
      if (this.#counts.size === MAX_COUNTS) this.#counts.clear();
      this.#counts.set(term, count = this.#countWith(term));
    }
    return count;
  }

  /** Whether a chunk that is alive contains a term. Prefixes ask for thousands of terms, so the answers are kept. */
  readonly isHeld = (term: number): boolean => {
    const held = this.#held ??= new Uint8Array(this.#reader.dictionary.size);
    if (held[term] === 0) {
      held[term] = this.#reader.postings.documentFrequency.at(term)! > this.#countWith(term) ? 1 : 2;
    }
    return held[term] === 1;
  };

  #countWith(term: number): number {
    const list = new PostingList(this.#reader.postings, term);
    const length = list.documentFrequency;
    let count = 0;
    if (length > this.chunks.length) {
      for (const chunk of this.chunks) if (list.frequencyIn(chunk) > 0) count++;
      return count;
    }
    const chunks = new Int32Array(length);
    list.decode(chunks, new Uint16Array(length));
    for (const chunk of chunks) if (this.alive[chunk] === 0) count++;
    return count;
  }
}

/** BM25 of groups of terms in an index, where a group counts as one term. Keeps what a query needs more than once. */
class GroupScores {
  readonly #reader: IndexReader;
  readonly #languages: Uint8Array;
  readonly #postings = new WeakMap<
    TermGroup,
    { readonly language: number; readonly postings: GroupPostings }
  >();
  readonly #scores = new WeakMap<GroupQuery, ChunkScores>();
  #merger: GroupMerger | undefined;

  /** `languages`: the language of each chunk; that of a chunk which must not be found is no language. */
  constructor(reader: IndexReader, languages: Uint8Array) {
    this.#reader = reader;
    this.#languages = languages;
  }

  /** The chunks of a language that hold a group, and how often. */
  postingsOf(group: TermGroup, language: number): GroupPostings {
    const known = this.#postings.get(group);
    if (known?.language === language) return known.postings;
    const { dictionary, postings: all, chunks, expectList } = this.#reader;
    const members = eachPaged(group.members, ({ terms, score }) => {
      const ids = eachPaged(terms, (term) => dictionary.find(term, expectList));
      return ids.includes(-1) ? [] : [{ lists: eachPaged(ids, (id) => new PostingList(all, id)), score }];
    }).flat();
    const postings = members.length === 0
      ? { chunks: new Int32Array(0), frequencies: new Float64Array(0) }
      : (this.#merger ??= new GroupMerger(chunks.length)).merge(members, this.#languages, language);
    this.#postings.set(group, { language, postings });
    return postings;
  }

  /** The scores of all chunks, by their numbers. */
  of(query: GroupQuery): ChunkScores {
    const known = this.#scores.get(query);
    if (known !== undefined) return known;
    const { codes, values } = this.#reader.norms(query.averageTokens);
    const postings = eachPaged(query.groups, ({ group }) => this.postingsOf(group, query.language));
    const scores = new Float64Array(this.#reader.chunks.length);
    const covered = new Float64Array(this.#reader.chunks.length);
    for (const [g, { weight }] of query.groups.entries()) {
      const { chunks, frequencies } = postings[g]!;
      const factor = weight * (K1 + 1);
      for (let i = 0; i < chunks.length; i++) {
        const chunk = chunks[i]!, tf = frequencies[i]!;
        scores[chunk]! += factor * tf / (tf + values[codes[chunk]!]!);
        covered[chunk]! += weight;
      }
    }
    const all = { scores, covered };
    this.#scores.set(query, all);
    return all;
  }
}

/** Counts the chunks of an index that are alive. */
function statisticsOf(reader: IndexReader, dead: DeadChunks | undefined): IndexStatistics {
  const { tokens, languages } = reader.chunks;
  const [allChunks, allTokens] = reader.countsOfLanguages;
  const chunksOf = allChunks.slice(), tokensOf = allTokens.slice();
  for (const chunk of dead?.chunks ?? []) {
    chunksOf[languages[chunk]!]!--;
    tokensOf[languages[chunk]!]! -= tokens[chunk]!;
  }
  const sum = (numbers: Float64Array) => numbers.reduce((total, number) => total + number, 0);
  return {
    chunks: sum(chunksOf),
    terms: reader.dictionary.size,
    tokens: sum(tokensOf),
    languages: Object.values(LANGUAGE_CODES).filter((language) => chunksOf[language]! > 0)
      .map((language) => ({ language, chunks: chunksOf[language]!, tokens: tokensOf[language]! })),
    textBytes: reader.textBytes - (dead?.textBytes ?? 0),
    bytes: reader.size,
  };
}

/**
 * Returns the `limit` chunks with the greatest scores above 0, in ascending order, with all chunks that tie with the last.
 */
function bestChunks(scores: Float64Array, limit: number, allowed: Uint8Array | undefined): number[] {
  const top = new TopScores(limit);
  let threshold = 0;
  for (let chunk = 0; chunk < scores.length; chunk++) {
    if (scores[chunk]! <= threshold || allowed !== undefined && allowed[chunk] === 0) continue;
    threshold = top.offer(scores[chunk]!);
  }
  const chunks: number[] = [];
  for (let chunk = 0; chunk < scores.length; chunk++) {
    if (scores[chunk]! === 0 || scores[chunk]! < threshold) continue;
    if (allowed === undefined || allowed[chunk] === 1) chunks.push(chunk);
  }
  return chunks;
}

/** Returns the number of earlier chunks of the file with the same text in the same section. */
function earlierCopies({ chunks, files }: IndexReader, chunk: number): number {
  const { firstChunk } = files[chunks.files[chunk]!]!;
  chunks.expectHashes(firstChunk, chunk);
  const section = chunks.section(chunk);
  let count = 0;
  for (let other = firstChunk; other < chunk; other++) {
    // The content is compared first, because a file of 100 MB has 90,000 chunks.
    if (chunks.sameContent(other, chunk) && chunks.section(other) === section) count++;
  }
  return count;
}
