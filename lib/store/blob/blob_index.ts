// deno-lint-ignore-file require-await -- all data is in memory or a local file; only the interface is asynchronous
import {
  type IndexMeta,
  type IndexReader,
  PostingList,
  scoreChunks,
  searchBm25,
  type StoredChunk,
  type StoredFile,
  Tokenizer,
  type VectorIndex,
  type VectorMeta,
  type WeightedList,
} from "../../index/mod.ts";
import type {
  ChunkFilter,
  ChunkIdentity,
  ChunkScores,
  GroupQuery,
  IndexStatistics,
  OpenIndex,
  ScoredChunk,
  TermGroup,
  TermQuery,
  VectorQuery,
  Wanted,
} from "../open_index.ts";
import { pause } from "./blob_file.ts";
import { bestChunks } from "./best_chunks.ts";
import { chunkMask, withoutFiles } from "./chunk_mask.ts";
import { DeadChunks } from "./dead_chunks.ts";
import { earlierCopies } from "./earlier_copies.ts";
import { GroupScores } from "./group_scores.ts";
import { statisticsOf } from "./statistics.ts";

/** Bytes that are verified without a pause: about 10 ms. */
const VERIFIED_BYTES = 16 * 1024 * 1024;
/** Ids of terms that are kept: those of about ten searches. */
const MAX_TERM_IDS = 1024;

/** Options of a {@linkcode BlobIndex}. */
export interface BlobIndexOptions {
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
  /** Ids of terms that were looked up, or -1: a search asks for its terms twice. */
  readonly #termIds = new Map<string, number>();
  readonly #lists = new WeakMap<TermQuery, readonly WeightedList[]>();
  readonly #masks = new WeakMap<ChunkFilter, Uint8Array>();
  #groups: GroupScores | undefined;
  #tokenizer: Tokenizer | undefined;
  #statistics: IndexStatistics | undefined;
  readonly #dead: DeadChunks | undefined;
  readonly #release: () => void;

  constructor(readonly reader: IndexReader, { dead = [], release }: BlobIndexOptions = {}) {
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

  get damage(): string | undefined {
    return this.reader.damage;
  }

  get statistics(): IndexStatistics {
    return this.#statistics ??= statisticsOf(this.reader, this.#dead);
  }

  async documentFrequencies(terms: readonly string[]): Promise<Float64Array> {
    const { postings } = this.reader;
    const frequencies = new Float64Array(terms.length);
    for (let t = 0; t < terms.length; t++) {
      const id = this.#termId(terms[t]!);
      if (id < 0) continue;
      const frequency = postings.documentFrequency.at(id)!;
      if (!(frequency >= 1 && frequency <= postings.chunks)) throw postings.damaged(`posting list ${id}`);
      frequencies[t] = frequency - (this.#dead?.countWith(id) ?? 0);
    }
    return frequencies;
  }

  async termsOfLength(least: number, most: number): Promise<Iterable<string>> {
    return this.reader.dictionary.termsOfLength(least, most);
  }

  async groupFrequencies(groups: readonly TermGroup[], language: number): Promise<Float64Array> {
    return Float64Array.from(groups, (group) => this.#groupScores.postingsOf(group, language).chunks.length);
  }

  async byTerms(query: TermQuery, { limit, filter, exceptFiles }: Wanted): Promise<ScoredChunk[]> {
    const { reader } = this;
    const found = searchBm25(this.#listsOf(query), limit, {
      norms: reader.norms(query.averageTokens),
      // The bounds were computed with the average of this index. With a greater average, tf counts for more.
      boundScale: Math.max(1, query.averageTokens / reader.averageTokens),
      allowed: this.#allowed(filter, exceptFiles),
    });
    return found.map(({ chunk, score, covered }) => this.#scored(chunk, score, covered));
  }

  async byGroups(query: GroupQuery, { limit, filter, exceptFiles }: Wanted): Promise<ScoredChunk[]> {
    const { scores, covered } = this.#groupScores.of(query);
    return bestChunks(scores, limit, this.#allowed(filter, exceptFiles))
      .map((chunk) => this.#scored(chunk, scores[chunk]!, covered[chunk]!))
      .sort((a, b) => b.score - a.score || a.chunk - b.chunk);
  }

  async byVector(query: VectorQuery, { limit, filter, exceptFiles }: Wanted): Promise<ScoredChunk[]> {
    const found = this.#comparable(query)?.search(query.vector, limit, this.#allowed(filter, exceptFiles)) ??
      [];
    return found.map(({ chunk, score }) => this.#scored(chunk, score, 0));
  }

  async byScores(scores: Float64Array, { limit, filter, exceptFiles }: Wanted): Promise<ScoredChunk[]> {
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
    const cosines = new Float64Array(chunks.length);
    if (vectors === undefined) return cosines;
    for (let i = 0; i < chunks.length; i++) cosines[i] = vectors.cosine(query.vector, chunks[i]!);
    return cosines;
  }

  async sampleCosines(query: VectorQuery, from: number, step: number): Promise<Float64Array> {
    const count = Math.max(0, Math.ceil((this.reader.chunks.length - from) / step));
    return this.roughCosines(query, Int32Array.from({ length: count }, (_, i) => from + i * step));
  }

  /** Cosines of given chunks, accurate to about .01. Empty if no vector is comparable. */
  roughCosines(query: VectorQuery, chunks: Int32Array): Float64Array {
    const vectors = this.#comparable(query);
    if (vectors === undefined) return new Float64Array(0);
    return Float64Array.from(chunks, (chunk) => vectors.roughCosine(query.vector, chunk));
  }

  async chunks(chunks: Int32Array): Promise<StoredChunk[]> {
    return Array.from(chunks, (chunk) => this.reader.chunk(chunk));
  }

  async texts(chunks: Int32Array, maxBytes: number): Promise<string[]> {
    return Array.from(chunks, (chunk) => this.reader.text(chunk, maxBytes));
  }

  async words(chunks: Int32Array): Promise<(Uint8Array | undefined)[]> {
    return Array.from(chunks, (chunk) => this.reader.words(chunk));
  }

  async identities(chunks: Int32Array): Promise<ChunkIdentity[]> {
    return Array.from(chunks, (chunk) => ({
      contentHash: this.reader.chunks.hash(chunk),
      earlierCopies: earlierCopies(this.reader, chunk),
    }));
  }

  async contentHashes(chunks: Int32Array): Promise<Uint8Array[]> {
    return Array.from(chunks, (chunk) => this.reader.chunks.hash(chunk));
  }

  async languages(chunks: Int32Array): Promise<number[]> {
    return Array.from(chunks, (chunk) => this.reader.chunks.languages[chunk]!);
  }

  async verify(): Promise<void> {
    for (const _ of this.reader.verifyPieces(VERIFIED_BYTES)) await pause();
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

  #termId(term: string): number {
    let id = this.#termIds.get(term);
    if (id === undefined) {
      id = this.reader.dictionary.find(term);
      if (this.#termIds.size === MAX_TERM_IDS) this.#termIds.clear();
      this.#termIds.set(term, id);
    }
    return id;
  }

  #listsOf(query: TermQuery): readonly WeightedList[] {
    let lists = this.#lists.get(query);
    if (lists === undefined) {
      const { postings } = this.reader;
      lists = query.terms.flatMap(({ term, ...weights }) => {
        const id = this.#termId(term);
        return id < 0 ? [] : [{ list: new PostingList(postings, id), ...weights }];
      });
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
      mask = chunkMask(this.reader, this.#tokenizer ??= new Tokenizer(), filter, alive);
      this.#masks.set(filter, mask);
    }
    if (exceptFiles === undefined || exceptFiles.size === 0) return mask;
    return withoutFiles(this.reader, mask, exceptFiles);
  }
}
