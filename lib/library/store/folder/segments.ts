/**
 * A base and its changes as one index, with the numbers of an index written anew.
 */
import {
  BlobIndex,
  type ChunkFilter,
  type ChunkIdentity,
  type ChunkScores,
  type ChunkTest,
  FieldTables,
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
  type TermGroup,
  type TermQuery,
  type VectorMeta,
  type VectorQuery,
  withTests,
} from "#engine/index/mod.ts";
import type { FileMask } from "../store.ts";
import { checkDelta, type Delta } from "./delta.ts";

/** An index of this store. */
export type AnyIndex = BlobIndex | SegmentedIndex;

/** The base of an index, and its delta if it has one. */
export function segmentsOf(index: AnyIndex): readonly [base: BlobIndex, ...changed: BlobIndex[]] {
  if (!(index instanceof SegmentedIndex)) return [index];
  return index.changed === undefined ? [index.base] : [index.base, index.changed];
}

/** The segment of a file of an index, and its number there. */
export function placeIn(index: AnyIndex, file: number): Place {
  return index instanceof SegmentedIndex ? index.placeOf(file) : { segment: 0, number: file };
}

/** No changes. */
const UNCHANGED: Delta = { base: "", dead: [], places: [], records: [] };

/** Returns an index with the files that `shows` marks, and no others; see {@linkcode import("../store.ts").OpenOptions}. It takes over the index. */
export function limitedIndex(index: AnyIndex, shows: FileMask): OpenIndex {
  const [base, changed] = segmentsOf(index);
  const { delta = UNCHANGED, isFragmented = false } = index instanceof SegmentedIndex ? index : {};
  return new SegmentedIndex(base, changed, delta, isFragmented, shows);
}

/**
 * An index in two segments: a base, and a delta with the files that have changed since. See `delta.ts`. An index that some files are
 * hidden in may have no delta.
 */
export class SegmentedIndex implements OpenIndex {
  readonly base: BlobIndex;
  readonly #numbering: Numbering;
  readonly #segments: readonly BlobIndex[];
  /** The filters of the segments for a filter of the whole index. */
  readonly #filters = new WeakMap<ChunkFilter, readonly ChunkFilter[]>();
  /** The tables of the records that have taken the place of those of the base. */
  readonly #newFields: FieldTables;
  #statistics: IndexStatistics | undefined;

  readonly changed: BlobIndex | undefined;
  readonly #meta: IndexMeta;

  /** Takes over the two indexes. `shows`: see {@linkcode limitedIndex}. Throws `DamagedIndexError` if they do not fit together. */
  constructor(
    base: BlobIndex,
    changed: BlobIndex | undefined,
    readonly delta: Delta,
    readonly isFragmented: boolean,
    shows?: FileMask,
  ) {
    checkDelta(delta, base.files);
    this.#newFields = new FieldTables(delta.records.map(([, record]) => record));
    const dead = new Set([
      ...delta.dead,
      ...hiddenBy(shows, base, delta.records, this.#newFields),
    ]);
    const hidden = changed === undefined ? [] : hiddenBy(shows, changed);
    this.base = without(base, [...dead].sort((a, b) => a - b));
    this.changed = changed && hidden.length > 0 ? without(changed, hidden) : changed;
    this.#segments = this.changed === undefined ? [this.base] : [this.base, this.changed];
    this.#numbering = new Numbering([base.files, changed?.files ?? []], delta, [dead, new Set(hidden)]);
    const { leftOut, ...meta } = (changed ?? base).meta;
    // The numbers of files left out count files that the client may not know of.
    this.#meta = shows !== undefined || leftOut === undefined ? meta : { ...meta, leftOut };
  }

  get meta(): IndexMeta {
    return this.#meta;
  }

  get files(): readonly StoredFile[] {
    return this.#numbering.files;
  }

  get vectors(): VectorMeta | undefined {
    return this.base.vectors;
  }

  get hasGenerated(): boolean {
    return this.#segments.some((segment) => segment.hasGenerated);
  }

  get damage(): string | undefined {
    return this.base.damage ?? this.changed?.damage;
  }

  get statistics(): IndexStatistics {
    return this.#statistics ??= sumOf(this.base, this.changed);
  }

  /** The segment of a file, and its number there. */
  placeOf(file: number): Place {
    return this.#numbering.placeOfFile(file);
  }

  fileMarks(marksOf: MarksOf): Uint8Array {
    const marks = this.#segments.map((segment) => segment.fileMarks(marksOf));
    correct(marks[0]!, this.delta.records, marksOf, this.#newFields);
    return this.#numbering.joinedMarks(marks);
  }

  documentFrequencies(terms: readonly string[]): Promise<Float64Array> {
    return this.#sum(terms.length, (segment) => segment.documentFrequencies(terms));
  }

  async termsOfLength(least: number, most: number): Promise<Iterable<string>> {
    return (await this.#all((segment) => segment.termsOfLength(least, most))).flatMap((terms) => [...terms]);
  }

  async termsWithPrefix(prefix: string): Promise<string[]> {
    return [...new Set((await this.#all((segment) => segment.termsWithPrefix(prefix))).flat())];
  }

  groupFrequencies(groups: readonly TermGroup[], language: number): Promise<Float64Array> {
    return this.#sum(groups.length, (segment) => segment.groupFrequencies(groups, language));
  }

  byTerms(query: TermQuery, wanted: SearchOptions): Promise<ScoredChunk[]> {
    return this.#best(wanted, (segment, local) => segment.byTerms(query, local));
  }

  async byGroups(query: GroupQuery, wanted: SearchOptions): Promise<ScoredChunk[]> {
    const found = await this.#found(wanted, (segment, local) => segment.byGroups(query, local));
    const last = found[wanted.limit - 1]?.score ?? 0;
    return found.filter(({ score }) => score >= last);
  }

  byVector(query: VectorQuery, wanted: SearchOptions): Promise<ScoredChunk[]> {
    return this.#best(wanted, (segment, local) => segment.byVector(query, local));
  }

  byScores(scores: Float64Array, wanted: SearchOptions): Promise<ScoredChunk[]> {
    const parts = this.#numbering.split(Int32Array.from(scores, (_, chunk) => chunk));
    return this.#best(wanted, (segment, local) => {
      const { chunks, at } = parts[this.#segments.indexOf(segment)]!;
      const ofSegment = new Float64Array(segment.reader.chunks.length);
      for (const [k, position] of at.entries()) ofSegment[chunks[k]!] = scores[position]!;
      return segment.byScores(ofSegment, local);
    });
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

  generated(chunks: Int32Array): Promise<(Generated | undefined)[]> {
    return this.#collect(chunks, (segment, local) => segment.generated(local));
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
    const sums = await this.#all(ask);
    return Float64Array.from({ length }, (_, i) => sums.reduce((sum, one) => sum + one[i]!, 0));
  }

  async #best(
    wanted: SearchOptions,
    ask: (segment: BlobIndex, wanted: SearchOptions) => Promise<readonly ScoredChunk[]>,
  ): Promise<ScoredChunk[]> {
    return (await this.#found(wanted, ask)).slice(0, wanted.limit);
  }

  /** The chunks that the segments find, best first, ties sorted by number. */
  async #found(
    { limit, filter, exceptFiles }: SearchOptions,
    ask: (segment: BlobIndex, wanted: SearchOptions) => Promise<readonly ScoredChunk[]>,
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
      const { expression } = filter;
      filters = this.#segments.map((segment, i) => {
        const local = <Test extends ChunkTest>(test: Test): Test => ({
          ...test,
          ...(test.files && { files: this.#numbering.marksOf(i, test.files, segment.files.length) }),
        });
        return { ...local(filter), ...(expression && { expression: withTests(expression, local) }) };
      });
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

/**
 * Numbers of the files that have no mark, in ascending order. `records`: those that have taken the place of the stored ones, and their
 * tables.
 */
function hiddenBy(
  shows: FileMask | undefined,
  index: BlobIndex,
  records: Delta["records"] = [],
  fields = new FieldTables([]),
): number[] {
  if (shows === undefined) return [];
  const marks = index.fileMarks((tables) => shows(index.files, tables));
  correct(marks, records, (tables) => shows(records.map(([, record]) => record), tables), fields);
  return [...marks.keys()].filter((file) => marks[file] !== 1);
}

/** Replaces the marks of files that have other records by now. */
function correct(marks: Uint8Array, records: Delta["records"], marksOf: MarksOf, fields: FieldTables): void {
  if (records.length === 0) return;
  const corrected = marksOf(fields);
  for (const [i, [file]] of records.entries()) marks[file] = corrected[i]!;
}

/** An index without some of its files, by their numbers in ascending order. It takes over the index. */
function without(index: BlobIndex, dead: readonly number[]): BlobIndex {
  return new BlobIndex(index.reader, { dead, release: () => index.close() });
}

function sumOf(one: BlobIndex, other: BlobIndex | undefined): IndexStatistics {
  if (other === undefined) return one.statistics;
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

/** The number of a file or chunk in its segment: 0 is the base, 1 the delta. */
export interface Place {
  readonly segment: number;
  readonly number: number;
}

/** Files of one segment that follow one another there and in the whole index. */
interface Run {
  readonly segment: number;
  /** Numbers of the first file and the first chunk in the whole index and in the segment. */
  readonly file: number;
  readonly chunk: number;
  readonly localFile: number;
  readonly localChunk: number;
  files: number;
  chunks: number;
}

/** Numbers the files and chunks of a base and its delta as those of one index. */
class Numbering {
  /** The files of the whole index. */
  readonly files: readonly StoredFile[];
  readonly #runs: readonly Run[];
  /** The runs of each segment. */
  readonly #ofSegment: readonly (readonly Run[])[];

  /** `dead`: numbers of the files of each segment that are not in the whole index. */
  constructor(
    [base, changed]: readonly [readonly StoredFile[], readonly StoredFile[]],
    delta: Delta,
    dead: readonly [ReadonlySet<number>, ReadonlySet<number>],
  ) {
    const files: StoredFile[] = [];
    const runs: Run[] = [];
    const records = new Map(delta.records);
    let chunk = 0;
    const add = (segment: number, localFile: number, stored: StoredFile) => {
      let run = runs.at(-1);
      if (run?.segment !== segment || run.localFile + run.files !== localFile) {
        const localChunk = stored.firstChunk;
        run = { segment, file: files.length, chunk, localFile, localChunk, files: 0, chunks: 0 };
        runs.push(run);
      }
      run.files++;
      run.chunks += stored.chunkCount;
      const record = segment === 0 ? records.get(localFile) ?? stored : stored;
      const isAsStored = record === stored && stored.firstChunk === chunk;
      files.push(isAsStored ? stored : { ...record, firstChunk: chunk, chunkCount: stored.chunkCount });
      chunk += stored.chunkCount;
    };
    let next = 0;
    const addBase = (end: number) => {
      for (; next < end; next++) if (!dead[0].has(next)) add(0, next, base[next]!);
    };
    for (const [i, file] of changed.entries()) {
      addBase(delta.places[i]!);
      if (!dead[1].has(i)) add(1, i, file);
    }
    addBase(base.length);
    this.files = files;
    this.#runs = runs;
    this.#ofSegment = [0, 1].map((segment) => runs.filter((run) => run.segment === segment));
  }

  /** The segment of a file, and its number there. */
  placeOfFile(file: number): Place {
    const run = this.#runs[lastNotAbove(this.#runs, "file", file)]!;
    return { segment: run.segment, number: file - run.file + run.localFile };
  }

  /** The number in the whole index of a file of a segment. */
  fileOf(segment: number, file: number): number {
    const runs = this.#ofSegment[segment]!;
    const run = runs[lastNotAbove(runs, "localFile", file)]!;
    return file - run.localFile + run.file;
  }

  /** The number in the whole index of a chunk of a segment. */
  chunkOf(segment: number, chunk: number): number {
    const runs = this.#ofSegment[segment]!;
    const run = runs[lastNotAbove(runs, "localChunk", chunk)]!;
    return chunk - run.localChunk + run.chunk;
  }

  /** For each segment, the numbers there of given chunks (ascending), and their positions in the list. */
  split(chunks: Int32Array): { readonly chunks: Int32Array; readonly at: Int32Array }[] {
    const parts = [0, 1].map(() => ({
      chunks: new Int32Array(chunks.length),
      at: new Int32Array(chunks.length),
    }));
    const counts = [0, 0];
    let at = chunks.length === 0 ? 0 : lastNotAbove(this.#runs, "chunk", chunks[0]!);
    for (const [i, chunk] of chunks.entries()) {
      if (chunk < this.#runs[at]!.chunk) throw new RangeError("the chunks do not ascend");
      while (chunk >= this.#runs[at]!.chunk + this.#runs[at]!.chunks) at++;
      const { segment, localChunk, chunk: first } = this.#runs[at]!;
      const count = counts[segment]!++;
      parts[segment]!.chunks[count] = chunk - first + localChunk;
      parts[segment]!.at[count] = i;
    }
    return parts.map(({ chunks, at }, segment) => ({
      chunks: chunks.subarray(0, counts[segment]),
      at: at.subarray(0, counts[segment]),
    }));
  }

  /** The marks of the files of the whole index from those of the segments. */
  joinedMarks(marks: readonly Uint8Array[]): Uint8Array {
    const all = new Uint8Array(this.files.length);
    for (const { segment, file, files, localFile } of this.#runs) {
      all.set(marks[segment]!.subarray(localFile, localFile + files), file);
    }
    return all;
  }

  /** Copies the marks of a segment's files from those of the whole index. Other files of the segment get a 0. */
  marksOf(segment: number, marks: Uint8Array, files: number): Uint8Array {
    const local = new Uint8Array(files);
    for (const run of this.#ofSegment[segment]!) {
      local.set(marks.subarray(run.file, run.file + run.files), run.localFile);
    }
    return local;
  }
}

/**
 * Returns the position of the last run of which the number `key` is not above `value`. Several runs can begin at one chunk,
 * if the files of all but the last have none.
 */
function lastNotAbove(
  runs: readonly Run[],
  key: "file" | "chunk" | "localFile" | "localChunk",
  value: number,
): number {
  let low = 0, high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs[middle]![key] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
