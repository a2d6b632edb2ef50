/**
 * Several indexes as one, whose files and chunks have the numbers of an index written anew. The parts are the base and the delta of a
 * folder, the segments of a database, or the databases of a collection.
 */
import {
  BlobIndex,
  type ChunkFilter,
  type ChunkIdentity,
  type ChunkScores,
  type ChunkTest,
  FieldTables,
  type FileRecord,
  type Generated,
  type GroupQuery,
  type IndexMeta,
  type IndexStatistics,
  type LanguageStatistics,
  type MarksOf,
  type OpenIndex,
  type ScoredChunk,
  type SearchOptions,
  type StoredChunk,
  type StoredFile,
  type StoredVector,
  type TermGroup,
  type TermQuery,
  type VectorMeta,
  type VectorQuery,
  withTests,
} from "#engine/index/mod.ts";
import { type FileRange, inOrderOfPaths, Numbering, type Place } from "./numbering.ts";

/** How the files of an index have changed since it was written. */
export interface PartChanges {
  /** Numbers of the files that are gone or replaced, in ascending order. Only an index with `without()` may have some. */
  readonly dead: readonly number[];
  /** New records of files that keep their chunks, in the order of the files. */
  readonly records: readonly (readonly [file: number, record: FileRecord])[];
}

/** An index that is a part of another one. */
export interface JoinedPart<Index extends OpenIndex = OpenIndex> {
  readonly index: Index;
  /** Default: none. */
  readonly changes?: PartChanges | undefined;
}

/** Options of a {@linkcode JoinedIndex}. */
export interface JoinOptions {
  /** The files in the order of the whole index; dead ones may be among them. Default: that of the walk. */
  readonly order?: readonly FileRange[] | undefined;
  /** Default: that of the last part. */
  readonly meta?: IndexMeta | undefined;
  readonly isFragmented?: boolean | undefined;
  /** Called with the number of a part, and an error that one of its methods threw. */
  readonly failed?: ((part: number, error: unknown) => void) | undefined;
  /** Returns a 1 for each of the files that is in the index. The others are left out as if they had never been there. */
  readonly shows?: ((files: readonly FileRecord[], tables: FieldTables) => Uint8Array) | undefined;
}

/** An index whose parts are indexes. */
export class JoinedIndex<Index extends OpenIndex = OpenIndex> implements OpenIndex {
  /** The indexes, without dead and hidden files. */
  readonly parts: readonly Index[];
  readonly changes: readonly PartChanges[];
  readonly isFragmented: boolean;
  readonly #numbering: Numbering;
  readonly #options: JoinOptions & { readonly order: readonly FileRange[] };
  /** Numbers of the chunks of each part, the dead ones included. */
  readonly #sizes: readonly number[];
  /** The tables of the new records of each part. */
  readonly #newFields: readonly FieldTables[];
  /** The filters of the parts for a filter of the whole index. */
  readonly #filters: WeakMap<ChunkFilter, readonly ChunkFilter[]>;
  readonly #meta: IndexMeta;
  #statistics: IndexStatistics | undefined;

  /**
   * Takes over the indexes, at least one. `same`: an index that joins the same indexes with the same options, such as before
   * {@linkcode withSignal}. Its numbering is shared.
   */
  constructor(parts: readonly JoinedPart<Index>[], options: JoinOptions = {}, same?: JoinedIndex<Index>) {
    this.#filters = same === undefined ? new WeakMap() : same.#filters;
    if (same !== undefined) {
      this.parts = parts.map(({ index }) => index);
      this.changes = same.changes;
      this.isFragmented = same.isFragmented;
      this.#numbering = same.#numbering;
      this.#options = { ...options, order: same.#options.order };
      this.#sizes = same.#sizes;
      this.#newFields = same.#newFields;
      this.#meta = same.#meta;
      return;
    }
    const { shows, meta, isFragmented = false } = options;
    const files = parts.map(({ index }) => index.files);
    const order = options.order ?? inOrderOfPaths(files);
    this.#options = { ...options, order };
    this.changes = parts.map(({ changes = { dead: [], records: [] } }) => changes);
    this.#newFields = this.changes.map(({ records }) => new FieldTables(records.map(([, record]) => record)));
    const dead = parts.map(({ index }, i) =>
      new Set([...this.changes[i]!.dead, ...this.#hiddenIn(index, i)])
    );
    this.parts = parts.map(({ index }, i) =>
      dead[i]!.size === 0 ? index : index.without!([...dead[i]!].sort((a, b) => a - b)) as Index
    );
    this.#numbering = new Numbering(
      this.changes.map(({ records }, i) => ({ files: files[i]!, dead: dead[i]!, records: new Map(records) })),
      order,
    );
    this.#sizes = files.map((ofPart) => {
      const last = ofPart.at(-1);
      return last === undefined ? 0 : last.firstChunk + last.chunkCount;
    });
    this.isFragmented = isFragmented;
    const { leftOut, ...rest } = meta ?? parts.at(-1)!.index.meta;
    // `leftOut` counts hidden files as well.
    this.#meta = shows !== undefined || leftOut === undefined ? rest : { ...rest, leftOut };
  }

  withSignal(signal: AbortSignal): JoinedIndex<Index> {
    const { failed } = this.#options;
    const parts = this.parts.map((index) => ({ index: (index.withSignal?.(signal) ?? index) as Index }));
    const failedBefore = failed && ((part: number, error: unknown) => {
      // A search that was cancelled is not a failure of the part.
      if (!signal.aborted) failed(part, error);
    });
    return new JoinedIndex(parts, { ...this.#options, failed: failedBefore }, this);
  }

  /** Returns this index, which is taken over, without the files that `shows` does not mark. */
  limited(shows: NonNullable<JoinOptions["shows"]>): JoinedIndex<Index> {
    const parts = this.parts.map((index, i) => ({ index, changes: this.changes[i] }));
    return new JoinedIndex(parts, { ...this.#options, shows });
  }

  get meta(): IndexMeta {
    return this.#meta;
  }

  get files(): readonly StoredFile[] {
    return this.#numbering.files;
  }

  get vectors(): VectorMeta | undefined {
    return this.parts.find(({ vectors }) => vectors !== undefined)?.vectors;
  }

  get hasGenerated(): boolean {
    return this.parts.some((part) => part.hasGenerated);
  }

  get damage(): string | undefined {
    return this.parts.find(({ damage }) => damage !== undefined)?.damage;
  }

  get statistics(): IndexStatistics {
    return this.#statistics ??= sumOf(this.parts);
  }

  /** The part of a file, and its number there. */
  placeOf(file: number): Place {
    return this.#numbering.placeOfFile(file);
  }

  fileMarks(marksOf: MarksOf): Uint8Array {
    const marks = this.parts.map((part, i) => this.#corrected(part.fileMarks(marksOf), i, marksOf));
    return this.#numbering.joinedMarks(marks);
  }

  documentFrequencies(terms: readonly string[]): Promise<Float64Array> {
    return this.#sum(terms.length, (part) => part.documentFrequencies(terms));
  }

  async termsOfLength(least: number, most: number): Promise<Iterable<string>> {
    // A part reads its terms while they are listed, and may fail then.
    const terms = await this.#all(async (part) => [...await part.termsOfLength(least, most)]);
    return terms.flat();
  }

  async termsWithPrefix(prefix: string): Promise<string[]> {
    return [...new Set((await this.#all((part) => part.termsWithPrefix(prefix))).flat())];
  }

  groupFrequencies(groups: readonly TermGroup[], language: number): Promise<Float64Array> {
    return this.#sum(groups.length, (part) => part.groupFrequencies(groups, language));
  }

  byTerms(query: TermQuery, wanted: SearchOptions): Promise<ScoredChunk[]> {
    return this.#best(wanted, (part, local) => part.byTerms(query, local));
  }

  async byGroups(query: GroupQuery, wanted: SearchOptions): Promise<ScoredChunk[]> {
    const found = await this.#found(wanted, (part, local) => part.byGroups(query, local));
    const last = found[wanted.limit - 1]?.score ?? 0;
    return found.filter(({ score }) => score >= last);
  }

  byVector(query: VectorQuery, wanted: SearchOptions): Promise<ScoredChunk[]> {
    return this.#best(wanted, (part, local) => part.byVector(query, local));
  }

  byScores(scores: Float64Array, wanted: SearchOptions): Promise<ScoredChunk[]> {
    return this.#best(
      wanted,
      (part, local, i) => part.byScores(this.#numbering.scoresOf(i, scores, this.#sizes[i]!), local),
    );
  }

  async passesAny(filter: ChunkFilter): Promise<boolean> {
    const filters = this.#filtersOf(filter);
    return (await this.#all((part, i) => part.passesAny(filters[i]!))).includes(true);
  }

  scoreTerms(query: TermQuery, chunks: Int32Array): Promise<ChunkScores> {
    return this.#scores(chunks, (part, local) => part.scoreTerms(query, local));
  }

  scoreGroups(query: GroupQuery, chunks: Int32Array): Promise<ChunkScores> {
    return this.#scores(chunks, (part, local) => part.scoreGroups(query, local));
  }

  async cosines(query: VectorQuery, chunks: Int32Array): Promise<Float64Array> {
    return Float64Array.from(await this.#collect(chunks, (part, local) => part.cosines(query, local)));
  }

  chunks(chunks: Int32Array): Promise<StoredChunk[]> {
    return this.#collect(chunks, async (part, local, i) => {
      const found = await part.chunks(local);
      return found.map((chunk) => ({ ...chunk, file: this.#numbering.fileOf(i, chunk.file) }));
    });
  }

  texts(chunks: Int32Array, maxBytes: number): Promise<string[]> {
    return this.#collect(chunks, (part, local) => part.texts(local, maxBytes));
  }

  storedVectors(chunks: Int32Array): Promise<StoredVector[]> {
    return this.#collect(chunks, (part, local) => part.storedVectors(local));
  }

  words(chunks: Int32Array): Promise<(Uint8Array | undefined)[]> {
    return this.#collect(chunks, (part, local) => part.words(local));
  }

  generated(chunks: Int32Array): Promise<(Generated | undefined)[]> {
    return this.#collect(chunks, (part, local) => part.generated(local));
  }

  identities(chunks: Int32Array): Promise<ChunkIdentity[]> {
    return this.#collect(chunks, (part, local) => part.identities(local));
  }

  contentHashes(chunks: Int32Array): Promise<Uint8Array[]> {
    return this.#collect(chunks, (part, local) => part.contentHashes(local));
  }

  languages(chunks: Int32Array): Promise<number[]> {
    return this.#collect(chunks, (part, local) => part.languages(local));
  }

  async verify(): Promise<void> {
    await this.#all((part) => part.verify());
  }

  close(): void {
    for (const part of this.parts) part.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Numbers of the files of a part that are not shown, in ascending order. */
  #hiddenIn(index: Index, part: number): number[] {
    const { shows } = this.#options;
    if (shows === undefined) return [];
    const newRecords = this.changes[part]!.records.map(([, record]) => record);
    const marks = index.fileMarks((tables) => shows(index.files, tables));
    const corrected = this.#corrected(marks, part, (tables) => shows(newRecords, tables));
    return corrected.keys().filter((file) => corrected[file] !== 1).toArray();
  }

  /** Replaces the marks of files of a part that have other records by now. Returns the marks. */
  #corrected(marks: Uint8Array, part: number, marksOf: MarksOf): Uint8Array {
    const { records } = this.changes[part]!;
    if (records.length === 0) return marks;
    const corrected = marksOf(this.#newFields[part]!);
    for (const [i, [file]] of records.entries()) marks[file] = corrected[i]!;
    return marks;
  }

  #all<T>(ask: (part: Index, i: number) => Promise<T>): Promise<T[]> {
    const { failed } = this.#options;
    if (failed === undefined) return Promise.all(this.parts.map(ask));
    return Promise.all(this.parts.map((part, i) =>
      ask(part, i).catch((error) => {
        failed(i, error);
        throw error;
      })
    ));
  }

  async #sum(length: number, ask: (part: Index) => Promise<ArrayLike<number>>): Promise<Float64Array> {
    const sums = await this.#all(ask);
    return Float64Array.from({ length }, (_, i) => sums.reduce((sum, one) => sum + one[i]!, 0));
  }

  async #best(
    wanted: SearchOptions,
    ask: (part: Index, wanted: SearchOptions, i: number) => Promise<readonly ScoredChunk[]>,
  ): Promise<ScoredChunk[]> {
    return (await this.#found(wanted, ask)).slice(0, wanted.limit);
  }

  /** The chunks that the parts find, best first, ties sorted by number. */
  async #found(
    { limit, filter, exceptFiles }: SearchOptions,
    ask: (part: Index, wanted: SearchOptions, i: number) => Promise<readonly ScoredChunk[]>,
  ): Promise<ScoredChunk[]> {
    const numbering = this.#numbering;
    const filters = filter && this.#filtersOf(filter);
    const except = this.parts.map(() => new Set<number>());
    for (const file of exceptFiles ?? []) {
      const { part, number } = numbering.placeOfFile(file);
      except[part]!.add(number);
    }
    const found = await this.#all((part, i) =>
      ask(part, { limit, filter: filters?.[i], exceptFiles: except[i]! }, i)
    );
    return found.flatMap((ofPart, i) =>
      ofPart.map((chunk): ScoredChunk => ({
        ...chunk,
        chunk: numbering.chunkOf(i, chunk.chunk),
        file: numbering.fileOf(i, chunk.file),
      }))
    ).sort((a, b) => b.score - a.score || a.chunk - b.chunk);
  }

  #filtersOf(filter: ChunkFilter): readonly ChunkFilter[] {
    let filters = this.#filters.get(filter);
    if (filters === undefined) {
      const { expression } = filter;
      filters = this.parts.map((part, i) => {
        const local = <Test extends ChunkTest>(test: Test): Test => ({
          ...test,
          ...(test.files && { files: this.#numbering.marksOf(i, test.files, part.files.length) }),
        });
        return { ...local(filter), ...(expression && { expression: withTests(expression, local) }) };
      });
      this.#filters.set(filter, filters);
    }
    return filters;
  }

  async #scores(
    chunks: Int32Array,
    ask: (part: Index, chunks: Int32Array) => Promise<ChunkScores>,
  ): Promise<ChunkScores> {
    const scores = new Float64Array(chunks.length), covered = new Float64Array(chunks.length);
    const split = this.#numbering.split(chunks);
    const found = await this.#all((part, i) => ask(part, split[i]!.chunks));
    for (const [i, { at }] of split.entries()) {
      for (const [k, position] of at.entries()) {
        scores[position] = found[i]!.scores[k]!;
        covered[position] = found[i]!.covered[k]!;
      }
    }
    return { scores, covered };
  }

  /** Asks the parts for their share of given chunks. The result has the order of `chunks`. */
  async #collect<T>(
    chunks: Int32Array,
    ask: (part: Index, chunks: Int32Array, i: number) => Promise<ArrayLike<T>>,
  ): Promise<T[]> {
    const split = this.#numbering.split(chunks);
    const found = await this.#all((part, i) => ask(part, split[i]!.chunks, i));
    const result = new Array<T>(chunks.length);
    for (const [i, { at }] of split.entries()) {
      for (const [k, position] of at.entries()) result[position] = found[i]![k]!;
    }
    return result;
  }
}

function sumOf(parts: readonly OpenIndex[]): IndexStatistics {
  const all = parts.map(({ statistics }) => statistics);
  const [only, ...more] = all;
  if (only !== undefined && more.length === 0) return only;
  const languages = new Map<number, LanguageStatistics>();
  for (const { language, chunks, tokens } of all.flatMap(({ languages }) => languages)) {
    const before = languages.get(language) ?? { chunks: 0, tokens: 0 };
    languages.set(language, { language, chunks: before.chunks + chunks, tokens: before.tokens + tokens });
  }
  const sum = (of: (one: IndexStatistics) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    chunks: sum(({ chunks }) => chunks),
    // counted only where it is shown, because it takes a look-up for each term
    get terms() {
      return parts.reduce((total, part, i) => total + countNewTerms(part, parts.slice(0, i)), 0);
    },
    tokens: sum(({ tokens }) => tokens),
    languages: [...languages.values()].sort((a, b) => a.language - b.language),
    textBytes: sum(({ textBytes }) => textBytes),
    bytes: sum(({ bytes }) => bytes),
  };
}

/** Returns the number of terms of an index that earlier ones lack. All terms of an index that is not a blob count. */
function countNewTerms(index: OpenIndex, earlier: readonly OpenIndex[]): number {
  if (!(index instanceof BlobIndex)) return index.statistics.terms;
  const known = earlier.filter((one) => one instanceof BlobIndex).map(({ reader }) => reader.dictionary);
  let count = 0;
  for (const term of index.reader.dictionary.terms()) {
    if (known.every((dictionary) => dictionary.find(term) < 0)) count++;
  }
  return count;
}
