import type { IndexMeta, StoredChunk, StoredFile, VectorMeta } from "../../index/mod.ts";
import type {
  ChunkFilter,
  ChunkIdentity,
  ChunkScores,
  GroupQuery,
  IndexStatistics,
  LanguageStatistics,
  OpenIndex,
  ScoredChunk,
  TermGroup,
  TermQuery,
  VectorQuery,
  Wanted,
} from "../open_index.ts";
import { BlobIndex } from "./blob_index.ts";
import { checkDelta, type Delta } from "./delta.ts";
import { Numbering, type Place } from "./numbering.ts";

/** Input of a {@linkcode SegmentedIndex}. */
export interface Segments {
  readonly base: BlobIndex;
  readonly changed: BlobIndex;
  readonly delta: Delta;
  /** See {@linkcode OpenIndex.isFragmented}. */
  readonly isFragmented: boolean;
}

/** An index in two segments: a base, and a delta with the files that have changed since. See `delta.ts`. */
export class SegmentedIndex implements OpenIndex {
  readonly base: BlobIndex;
  readonly changed: BlobIndex;
  readonly delta: Delta;
  readonly isFragmented: boolean;
  readonly #numbering: Numbering;
  readonly #segments: readonly BlobIndex[];
  /** The filters of the segments for a filter of the whole index. */
  readonly #filters = new WeakMap<ChunkFilter, readonly ChunkFilter[]>();
  #statistics: IndexStatistics | undefined;

  /** Takes over the two indexes. Throws `DamagedIndexError` if they do not fit together. */
  constructor({ base, changed, delta, isFragmented }: Segments) {
    checkDelta(delta, base.files);
    this.base = new BlobIndex(base.reader, { dead: delta.dead, release: () => base.close() });
    this.changed = changed;
    this.delta = delta;
    this.isFragmented = isFragmented;
    this.#segments = [this.base, changed];
    this.#numbering = new Numbering(base.files, changed.files, delta);
  }

  get meta(): IndexMeta {
    return this.changed.meta;
  }

  get files(): readonly StoredFile[] {
    return this.#numbering.files;
  }

  get vectors(): VectorMeta | undefined {
    return this.base.vectors;
  }

  get damage(): string | undefined {
    return this.base.damage ?? this.changed.damage;
  }

  get statistics(): IndexStatistics {
    return this.#statistics ??= sumOf(this.base, this.changed);
  }

  /** The segment of a file, and its number there. */
  placeOf(file: number): Place {
    return this.#numbering.placeOfFile(file);
  }

  documentFrequencies(terms: readonly string[]): Promise<Float64Array> {
    return this.#sum(terms.length, (segment) => segment.documentFrequencies(terms));
  }

  async termsOfLength(least: number, most: number): Promise<Iterable<string>> {
    return (await this.#all((segment) => segment.termsOfLength(least, most))).flatMap((terms) => [...terms]);
  }

  groupFrequencies(groups: readonly TermGroup[], language: number): Promise<Float64Array> {
    return this.#sum(groups.length, (segment) => segment.groupFrequencies(groups, language));
  }

  async byTerms(query: TermQuery, wanted: Wanted): Promise<ScoredChunk[]> {
    return (await this.#best(wanted, (segment, local) => segment.byTerms(query, local))).slice(
      0,
      wanted.limit,
    );
  }

  async byGroups(query: GroupQuery, wanted: Wanted): Promise<ScoredChunk[]> {
    const found = await this.#best(wanted, (segment, local) => segment.byGroups(query, local));
    const last = found[wanted.limit - 1]?.score ?? 0;
    return found.filter(({ score }) => score >= last);
  }

  async byVector(query: VectorQuery, wanted: Wanted): Promise<ScoredChunk[]> {
    return (await this.#best(wanted, (segment, local) => segment.byVector(query, local))).slice(
      0,
      wanted.limit,
    );
  }

  async byScores(scores: Float64Array, wanted: Wanted): Promise<ScoredChunk[]> {
    const parts = this.#numbering.split(Int32Array.from(scores, (_, chunk) => chunk));
    const found = await this.#best(wanted, (segment, local) => {
      const { chunks, at } = parts[this.#segments.indexOf(segment)]!;
      const ofSegment = new Float64Array(segment.reader.chunks.length);
      for (const [k, position] of at.entries()) ofSegment[chunks[k]!] = scores[position]!;
      return segment.byScores(ofSegment, local);
    });
    return found.slice(0, wanted.limit);
  }

  async passesAny(filter: ChunkFilter): Promise<boolean> {
    const filters = this.#filtersOf(filter);
    return (await this.#all((segment, i) => segment.passesAny(filters[i]!))).includes(true);
  }

  scoreTerms(query: TermQuery, chunks: Int32Array): Promise<ChunkScores> {
    return this.#scores(chunks, (segment, local) => segment.scoreTerms(query, local));
  }

  scoreGroups(query: GroupQuery, chunks: Int32Array): Promise<ChunkScores> {
    return this.#scores(chunks, (segment, local) => segment.scoreGroups(query, local));
  }

  async cosines(query: VectorQuery, chunks: Int32Array): Promise<Float64Array> {
    return Float64Array.from(await this.#collect(chunks, (segment, local) => segment.cosines(query, local)));
  }

  async sampleCosines(query: VectorQuery, from: number, step: number): Promise<Float64Array> {
    const count = Math.max(0, Math.ceil((this.statistics.chunks - from) / step));
    const chunks = Int32Array.from({ length: count }, (_, i) => from + i * step);
    const cosines = await this.#collect(
      chunks,
      (segment, local) => Promise.resolve(segment.roughCosines(query, local)),
    );
    return Float64Array.from(cosines.filter((cosine) => cosine !== undefined));
  }

  chunks(chunks: Int32Array): Promise<StoredChunk[]> {
    return this.#collect(chunks, async (segment, local, i) => {
      const found = await segment.chunks(local);
      return found.map((chunk) => ({ ...chunk, file: this.#numbering.fileOf(i, chunk.file) }));
    });
  }

  texts(chunks: Int32Array, maxBytes: number): Promise<string[]> {
    return this.#collect(chunks, (segment, local) => segment.texts(local, maxBytes));
  }

  words(chunks: Int32Array): Promise<(Uint8Array | undefined)[]> {
    return this.#collect(chunks, (segment, local) => segment.words(local));
  }

  identities(chunks: Int32Array): Promise<ChunkIdentity[]> {
    return this.#collect(chunks, (segment, local) => segment.identities(local));
  }

  contentHashes(chunks: Int32Array): Promise<Uint8Array[]> {
    return this.#collect(chunks, (segment, local) => segment.contentHashes(local));
  }

  languages(chunks: Int32Array): Promise<number[]> {
    return this.#collect(chunks, (segment, local) => segment.languages(local));
  }

  async verify(): Promise<void> {
    await this.#all((segment) => segment.verify());
  }

  close(): void {
    for (const segment of this.#segments) segment.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #all<T>(ask: (segment: BlobIndex, i: number) => Promise<T>): Promise<T[]> {
    return Promise.all(this.#segments.map(ask));
  }

  async #sum(length: number, ask: (segment: BlobIndex) => Promise<Float64Array>): Promise<Float64Array> {
    const [one, other] = await this.#all(ask);
    return Float64Array.from({ length }, (_, i) => one![i]! + other![i]!);
  }

  /** The chunks that the segments find, best first, ties sorted by number. */
  async #best(
    { limit, filter, exceptFiles }: Wanted,
    ask: (segment: BlobIndex, wanted: Wanted) => Promise<readonly ScoredChunk[]>,
  ): Promise<ScoredChunk[]> {
    const numbering = this.#numbering;
    const filters = filter && this.#filtersOf(filter);
    const except = this.#segments.map(() => new Set<number>());
    for (const file of exceptFiles ?? []) {
      const { segment, number } = numbering.placeOfFile(file);
      except[segment]!.add(number);
    }
    const found = await this.#all((segment, i) =>
      ask(segment, { limit, filter: filters?.[i], exceptFiles: except[i]! })
    );
    return found.flatMap((ofSegment, i) =>
      ofSegment.map((chunk): ScoredChunk => ({
        ...chunk,
        chunk: numbering.chunkOf(i, chunk.chunk),
        file: numbering.fileOf(i, chunk.file),
      }))
    ).sort((a, b) => b.score - a.score || a.chunk - b.chunk);
  }

  #filtersOf(filter: ChunkFilter): readonly ChunkFilter[] {
    let filters = this.#filters.get(filter);
    if (filters === undefined) {
      const { files } = filter;
      filters = files === undefined ? [filter, filter] : this.#segments.map((segment, i) => ({
        ...filter,
        files: this.#numbering.marksOf(i, files, segment.files.length),
      }));
      this.#filters.set(filter, filters);
    }
    return filters;
  }

  async #scores(
    chunks: Int32Array,
    ask: (segment: BlobIndex, chunks: Int32Array) => Promise<ChunkScores>,
  ): Promise<ChunkScores> {
    const scores = new Float64Array(chunks.length), covered = new Float64Array(chunks.length);
    const parts = this.#numbering.split(chunks);
    const found = await this.#all((segment, i) => ask(segment, parts[i]!.chunks));
    for (const [i, { at }] of parts.entries()) {
      for (const [k, position] of at.entries()) {
        scores[position] = found[i]!.scores[k]!;
        covered[position] = found[i]!.covered[k]!;
      }
    }
    return { scores, covered };
  }

  /** Asks the segments for their share of given chunks. The result has the order of `chunks`. */
  async #collect<T>(
    chunks: Int32Array,
    ask: (segment: BlobIndex, chunks: Int32Array, i: number) => Promise<ArrayLike<T>>,
  ): Promise<T[]> {
    const parts = this.#numbering.split(chunks);
    const found = await this.#all((segment, i) => ask(segment, parts[i]!.chunks, i));
    const result = new Array<T>(chunks.length);
    for (const [i, { at }] of parts.entries()) {
      for (const [k, position] of at.entries()) result[position] = found[i]![k]!;
    }
    return result;
  }
}

function sumOf(one: BlobIndex, other: BlobIndex): IndexStatistics {
  const base = one.statistics, changed = other.statistics;
  const languages = new Map<number, LanguageStatistics>();
  for (const { language, chunks, tokens } of [...base.languages, ...changed.languages]) {
    const before = languages.get(language) ?? { chunks: 0, tokens: 0 };
    languages.set(language, { language, chunks: before.chunks + chunks, tokens: before.tokens + tokens });
  }
  return {
    chunks: base.chunks + changed.chunks,
    // counted only where it is shown, because it takes a look-up for each term
    get terms() {
      return base.terms + countNewTerms(one, other);
    },
    tokens: base.tokens + changed.tokens,
    languages: [...languages.values()].sort((a, b) => a.language - b.language),
    textBytes: base.textBytes + changed.textBytes,
    bytes: base.bytes + changed.bytes,
  };
}

/** Number of terms that `other` has and `one` has not. */
function countNewTerms(one: BlobIndex, other: BlobIndex): number {
  let count = 0;
  for (const term of other.reader.dictionary.terms()) if (one.reader.dictionary.find(term) < 0) count++;
  return count;
}
