import {
  type ExactVectors,
  type FileRecord,
  type IndexKey,
  type IndexMeta,
  IndexWriter,
  type VectorMeta,
} from "../../index/mod.ts";
import { BlobIndex } from "./blob_index.ts";
import { type Delta, DELTA_SECTION } from "./delta.ts";
import { SegmentedIndex } from "./segmented_index.ts";

/** An index of this store. */
export type AnyIndex = BlobIndex | SegmentedIndex;

/** Writes a whole index; files are kept from both segments of the previous one. */
export class WholeWriter extends IndexWriter {
  readonly #previous: AnyIndex | undefined;

  constructor(file: Deno.FsFile, key: IndexKey, previous?: AnyIndex, vectors?: VectorMeta) {
    super(file, key, previous && segmentsOf(previous).map(({ reader }) => reader), vectors);
    this.#previous = previous;
  }

  override keep(record: FileRecord, file: number): void {
    const { segment, number } = placeIn(this.#previous!, file);
    super.keep(record, number, segment);
  }
}

/** Writes a delta: the files that differ from those of the base. Files of the base must be kept in their order. */
export class DeltaWriter extends IndexWriter {
  readonly #previous: AnyIndex;
  readonly #base: BlobIndex;
  /** Number of files of the base before the next file. */
  #next = 0;
  readonly #dead: number[] = [];
  readonly #places: number[] = [];
  readonly #records: [number, FileRecord][] = [];

  constructor(file: Deno.FsFile, key: IndexKey, previous: AnyIndex, vectors?: VectorMeta) {
    const [base, changed] = segmentsOf(previous);
    super(file, key, changed && [changed.reader], vectors);
    this.#previous = previous;
    this.#base = base;
  }

  override keep(record: FileRecord, file: number): void {
    const { segment, number } = placeIn(this.#previous, file);
    if (segment === 1) {
      super.keep(record, number);
      this.#places.push(this.#next);
      return;
    }
    if (number < this.#next) throw new RangeError("the files of the base are not in their order");
    this.#skipTo(number);
    this.#next++;
    if (!isSameRecord(record, this.#base.files[number]!)) this.#records.push([number, record]);
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
    embedded?: () => Promise<ExactVectors | void>,
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

/** The base of an index, and its delta if it has one. */
export function segmentsOf(index: AnyIndex): readonly [base: BlobIndex, ...changed: BlobIndex[]] {
  return index instanceof SegmentedIndex ? [index.base, index.changed] : [index];
}

function placeIn(index: AnyIndex, file: number): { segment: number; number: number } {
  return index instanceof SegmentedIndex ? index.placeOf(file) : { segment: 0, number: file };
}

/** Whether a record says the same as a stored one. */
function isSameRecord(record: FileRecord, stored: FileRecord): boolean {
  const keys = Object.keys(record) as (keyof FileRecord)[];
  // a stored file has its first chunk and the number of its chunks besides
  return keys.length === Object.keys(stored).length - 2 && keys.every((key) => {
    const now = record[key], then = stored[key];
    return now === then || typeof now === "object" && JSON.stringify(now) === JSON.stringify(then);
  });
}
