/**
 * An index in a remote blob, and the blob as the file that its reader reads.
 */
import { BlobIndex } from "../blob_index.ts";
import { HEADER_BYTES, type IndexKey, tableBytesAtMost } from "../blob/format.ts";
import { allPaged, MISSING } from "../blob/missing.ts";
import type { BlobFile, FetchedPages } from "../blob/reader.ts";
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
import { PAGE_BYTES, type PagedBlob, type RemoteBytes } from "./remote_bytes.ts";

/** Bytes that are fetched and verified at once. */
const VERIFIED_BYTES = 4 * 1024 * 1024;

/** Options of {@linkcode openRemote}. */
interface RemoteOptions {
  /** The key that the index must have been written with. */
  readonly key: IndexKey;
  /** Holds the pages of all indexes of the process. Calls for which it fetches at the same time share a round trip. */
  readonly cache: PageCache;
}

/**
 * Opens the index in a remote blob, in two round trips. It takes over the blob, which is closed if this throws. Throws
 * `DamagedIndexError`, `OutdatedIndexError`, `ForeignIndexError`, and the errors of the blob.
 */
export async function openRemote(
  remote: RemoteBytes,
  { key, cache }: RemoteOptions,
): Promise<RemoteIndex> {
  const file = new PagedFile(remote, cache);
  const { size } = remote;
  try {
    return await cache.run(() => {
      if (size > HEADER_BYTES) {
        allPaged(() => file.expect(0, HEADER_BYTES), () => file.expect(size - tableBytesAtMost(size), size));
      }
      const reader = IndexReader.open(file, { key });
      const index = new BlobIndex(reader);
      // Methods that do not wait must not need any bytes later.
      allPaged(() => reader.fields, () => index.statistics);
      return new RemoteIndex(index, cache);
    });
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

/** The bytes of a remote blob as far as they are at hand. Reading others throws `MissingBytes`; see {@linkcode PageCache.run}. */
class PagedFile implements BlobFile, FetchedPages, PagedBlob {
  readonly remote: RemoteBytes;
  readonly #cache: PageCache;
  #offset = 0;
  #isClosed = false;

  constructor(remote: RemoteBytes, cache: PageCache) {
    this.remote = remote;
    this.#cache = cache;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get fetched(): FetchedPages {
    return this;
  }

  readSync(into: Uint8Array): number | null {
    const from = this.#offset, to = Math.min(from + into.length, this.remote.size);
    if (to <= from) return null;
    this.expect(from, to);
    for (let number = Math.floor(from / PAGE_BYTES); number * PAGE_BYTES < to; number++) {
      const at = number * PAGE_BYTES;
      const bytes = this.#cache.find(this, number)!;
      into.set(bytes.subarray(Math.max(0, from - at), to - at), Math.max(0, at - from));
    }
    this.#offset = to;
    return to - from;
  }

  expect(from: number, to: number, isOnce = false): void {
    let isMissing = false;
    for (let number = Math.floor(from / PAGE_BYTES); number * PAGE_BYTES < to; number++) {
      if (this.#cache.find(this, number, isOnce) === undefined) isMissing = true;
    }
    if (isMissing) throw MISSING;
  }

  page(at: number): Uint8Array<ArrayBuffer> {
    const bytes = this.#cache.find(this, at / PAGE_BYTES);
    if (bytes === undefined) throw MISSING;
    return bytes;
  }

  seekSync(offset: number): number {
    return this.#offset = offset;
  }

  statSync(): { readonly size: number } {
    return { size: this.remote.size };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cache.forget(this);
    this.remote.close();
  }
}
