/**
 * The two ways to write what has changed in a folder: as a whole index, or as a delta of the files that differ from the base.
 */
import {
  type BlobIndex,
  type FileRecord,
  type GeneratedOf,
  type IndexKey,
  type IndexMeta,
  IndexWriter,
  recordOf,
  type VectorMeta,
} from "#engine/index/mod.ts";
import type { ByteSink } from "../store.ts";
import { type Delta, DELTA_SECTION } from "./delta.ts";
import { type AnyIndex, placeIn, SegmentedIndex, segmentsOf } from "./segments.ts";

/** Writes a whole index; files are kept from both segments of the previous one. */
export class WholeWriter extends IndexWriter {
  readonly #previous: AnyIndex | undefined;

  constructor(file: ByteSink, key: IndexKey, previous?: AnyIndex, vectors?: VectorMeta) {
    super(file, key, previous && segmentsOf(previous).map(({ reader }) => reader), vectors);
    this.#previous = previous;
  }

  override keep(record: FileRecord | undefined, file: number, generatedOf?: GeneratedOf): void {
    const { segment, number } = placeIn(this.#previous!, file);
    // the record of a file of the base may be in the delta
    super.keep(record ?? recordOf(this.#previous!.files[file]!), number, generatedOf, segment);
  }
}

/** Writes a delta: the files that differ from those of the base. Files of the base must be kept in their order. */
export class DeltaWriter extends IndexWriter {
  readonly #previous: AnyIndex;
  readonly #base: BlobIndex;
  /** The records that the previous delta has for files of the base. */
  readonly #oldRecords: ReadonlyMap<number, FileRecord>;
  /** Number of files of the base before the next file. */
  #next = 0;
  readonly #dead: number[] = [];
  readonly #places: number[] = [];
  readonly #records: [number, FileRecord][] = [];

  constructor(file: ByteSink, key: IndexKey, previous: AnyIndex, vectors?: VectorMeta) {
    const [base, changed] = segmentsOf(previous);
    super(file, key, changed && [changed.reader], vectors);
    this.#previous = previous;
    this.#oldRecords = new Map(previous instanceof SegmentedIndex ? previous.delta.records : []);
    this.#base = base;
  }

  /** `generatedOf` counts for files that the delta already has. */
  override keep(given: FileRecord | undefined, file: number, generatedOf?: GeneratedOf): void {
    const { segment, number } = placeIn(this.#previous, file);
    if (segment === 1) {
      super.keep(given, number, generatedOf);
      this.#places.push(this.#next);
      return;
    }
    const stored = this.#base.files[number]!;
    // Files that could not be examined come last in an index, and at their place if they are kept: they are written anew.
    if (stored.status === "failed" && stored.chunkCount === 0) {
      return this.addEmpty(given ?? recordOf(this.#previous.files[file]!));
    }
    if (number < this.#next) throw new RangeError("the files of the base are not in their order");
    this.#skipTo(number);
    this.#next++;
    const record = given ?? this.#oldRecords.get(number);
    if (record !== undefined && !isSameRecord(record, stored)) {
      this.#records.push([number, record]);
    }
  }

  override endFile(record: FileRecord): void {
    super.endFile(record);
    this.#places.push(this.#next);
  }

  override addEmpty(record: FileRecord): void {
    super.addEmpty(record);
    this.#places.push(this.#next);
  }

  override finish(
    meta: Omit<IndexMeta, "tokenizer">,
    pause: () => Promise<void>,
    embedded?: () => Promise<void>,
  ): Promise<{ size: number; terms: number }> {
    this.#skipTo(this.#base.files.length);
    const delta: Delta = {
      base: this.#base.reader.id,
      dead: this.#dead,
      places: this.#places,
      records: this.#records,
    };
    return super.finish(meta, pause, embedded, { [DELTA_SECTION]: delta });
  }

  #skipTo(file: number): void {
    for (; this.#next < file; this.#next++) this.#dead.push(this.#next);
  }
}

/** Whether two records say the same, apart from the places of chunks. */
function isSameRecord(one: FileRecord, other: FileRecord): boolean {
  return JSON.stringify(recordOf(one)) === JSON.stringify(recordOf(other));
}
