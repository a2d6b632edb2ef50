/**
 * An index in a remote blob.
 */
import { BlobIndex } from "../blob_index.ts";
import { HEADER_BYTES, type IndexKey, tableBytesAtMost } from "../blob/format.ts";
import { allPaged } from "../blob/missing.ts";
import type { MarksOf } from "../field_table.ts";
import type { Generated } from "../generated.ts";
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
} from "../open_index.ts";
import { IndexReader } from "../reader.ts";
import type { IndexMeta, StoredChunk, StoredFile } from "../types.ts";
import type { VectorMeta } from "../vectors/vector_index.ts";
import type { PageCache } from "./page_cache.ts";
import { PagedFile } from "./paged_file.ts";
import type { RemoteBytes } from "./remote_bytes.ts";

/** Bytes that are fetched and verified at once. */
const VERIFIED_BYTES = 4 * 1024 * 1024;

/** Options of {@linkcode openRemote}. */
export interface RemoteOptions {
  /** The key that the index must have been written with. */
  readonly key: IndexKey;
  /** Holds the pages of all indexes of the process. Calls for which it fetches at the same time share a round trip. */
  readonly cache: PageCache;
  /** Numbers of files of which no chunk is found or counted, in ascending order. */
  readonly dead?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the index in a remote blob, in two round trips. It takes over the blob, which is closed if this throws. Throws
 * `DamagedIndexError`, `OutdatedIndexError`, `ForeignIndexError`, the errors of the blob, and the reason of the signal.
 */
export async function openRemote(
  remote: RemoteBytes,
  { key, cache, dead = [], signal }: RemoteOptions,
): Promise<RemoteIndex> {
  const file = new PagedFile(remote, cache);
  const { size } = remote;
  try {
    return await cache.run(() => {
      if (size > HEADER_BYTES) {
        allPaged(() => file.expect(0, HEADER_BYTES), () => file.expect(size - tableBytesAtMost(size), size));
      }
      const reader = IndexReader.open(file, { key });
      const index = new BlobIndex(reader, { dead });
      // Methods that do not wait must not need any bytes later.
      allPaged(() => reader.fields, () => index.statistics);
      return new RemoteIndex(index, cache);
    }, signal);
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * An index whose bytes are fetched when a method needs them. In memory are the file table, the metadata of the files, about 29 bytes
 * for each chunk (8 more if it has words), at most 4 MiB of lists, and the pages that the cache holds. All vectors stay in memory from the
 * first {@linkcode OpenIndex.byVector} on.
 *
 * It is for searching: writing a new index from an old one needs all bytes of the old one.
 */
export class RemoteIndex implements OpenIndex {
  readonly #index: BlobIndex;
  readonly #cache: PageCache;
  readonly #signal: AbortSignal | undefined;

  /** The index must be that of a {@linkcode PagedFile} with this cache. */
  constructor(index: BlobIndex, cache: PageCache, signal?: AbortSignal) {
    this.#index = index;
    this.#cache = cache;
    this.#signal = signal;
  }

  /** Returns the same index, whose methods throw the reason of a signal as soon as it aborts. */
  withSignal(signal: AbortSignal): RemoteIndex {
    return new RemoteIndex(this.#index, this.#cache, signal);
  }

  /** The seal in hexadecimal. Only copies of an index have the same. */
  get id(): string {
    return this.#index.reader.id;
  }

  get meta(): IndexMeta {
    return this.#index.meta;
  }

  get files(): readonly StoredFile[] {
    return this.#index.files;
  }

  get statistics(): IndexStatistics {
    return this.#index.statistics;
  }

  get vectors(): VectorMeta | undefined {
    return this.#index.vectors;
  }

  get hasGenerated(): boolean {
    return this.#index.hasGenerated;
  }

  get damage(): string | undefined {
    return this.#index.damage;
  }

  fileMarks(marksOf: MarksOf): Uint8Array {
    return this.#index.fileMarks(marksOf);
  }

  documentFrequencies(terms: readonly string[]): Promise<ArrayLike<number>> {
    return this.#run((index) => index.documentFrequencies(terms));
  }

  termsOfLength(least: number, most: number): Promise<Iterable<string>> {
    return this.#run((index) => index.termsOfLength(least, most));
  }

  termsWithPrefix(prefix: string): Promise<readonly string[]> {
    return this.#run((index) => index.termsWithPrefix(prefix));
  }

  groupFrequencies(groups: readonly TermGroup[], language: number): Promise<ArrayLike<number>> {
    return this.#run((index) => index.groupFrequencies(groups, language));
  }

  byTerms(query: TermQuery, wanted: SearchOptions): Promise<readonly ScoredChunk[]> {
    return this.#run((index) => index.byTerms(query, wanted));
  }

  byGroups(query: GroupQuery, wanted: SearchOptions): Promise<readonly ScoredChunk[]> {
    return this.#run((index) => index.byGroups(query, wanted));
  }

  byVector(query: VectorQuery, wanted: SearchOptions): Promise<readonly ScoredChunk[]> {
    return this.#run((index) => index.byVector(query, wanted));
  }

  byScores(scores: Float64Array, wanted: SearchOptions): Promise<readonly ScoredChunk[]> {
    return this.#run((index) => index.byScores(scores, wanted));
  }

  passesAny(filter: ChunkFilter): Promise<boolean> {
    return this.#run((index) => index.passesAny(filter));
  }

  scoreTerms(query: TermQuery, chunks: Int32Array): Promise<ChunkScores> {
    return this.#run((index) => index.scoreTerms(query, chunks));
  }

  scoreGroups(query: GroupQuery, chunks: Int32Array): Promise<ChunkScores> {
    return this.#run((index) => index.scoreGroups(query, chunks));
  }

  cosines(query: VectorQuery, chunks: Int32Array): Promise<Float64Array> {
    return this.#run((index) => index.cosines(query, chunks));
  }

  chunks(chunks: Int32Array): Promise<readonly StoredChunk[]> {
    return this.#run((index) => index.chunks(chunks));
  }

  texts(chunks: Int32Array, maxBytes: number): Promise<readonly string[]> {
    return this.#run((index) => index.texts(chunks, maxBytes));
  }

  storedVectors(chunks: Int32Array): Promise<readonly StoredVector[]> {
    return this.#run((index) => index.storedVectors(chunks));
  }

  words(chunks: Int32Array): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#run((index) => index.words(chunks));
  }

  generated(chunks: Int32Array): Promise<readonly (Generated | undefined)[]> {
    return this.#run((index) => index.generated(chunks));
  }

  identities(chunks: Int32Array): Promise<readonly ChunkIdentity[]> {
    return this.#run((index) => index.identities(chunks));
  }

  contentHashes(chunks: Int32Array): Promise<readonly Uint8Array[]> {
    return this.#run((index) => index.contentHashes(chunks));
  }

  languages(chunks: Int32Array): Promise<readonly number[]> {
    return this.#run((index) => index.languages(chunks));
  }

  without(files: readonly number[]): RemoteIndex {
    return new RemoteIndex(this.#index.without(files), this.#cache, this.#signal);
  }

  async verify(): Promise<void> {
    const { reader } = this.#index;
    for (let from = 0; from < reader.size; from += VERIFIED_BYTES) {
      await this.#run(() => reader.verifyPiece(from, from + VERIFIED_BYTES));
    }
  }

  close(): void {
    this.#index.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #run<T>(work: (index: BlobIndex) => T | Promise<T>): Promise<T> {
    return this.#cache.run(() => work(this.#index), this.#signal);
  }
}
