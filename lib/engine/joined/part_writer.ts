/**
 * Writes the next part of an index that is kept in parts: the files that are new or different, and those of the parts that it takes up.
 */
import {
  BlobIndex,
  type BlobTarget,
  type FileRecord,
  type GeneratedOf,
  type IndexKey,
  IndexWriter,
  recordOf,
  type StoredFile,
  type TermThread,
  type VectorMeta,
} from "#engine/index/mod.ts";
import { JoinedIndex, type JoinOptions, type PartChanges } from "./joined_index.ts";
import type { Place } from "./numbering.ts";

/** Options of a {@linkcode PartWriter}. */
interface PartWriterOptions {
  /** Number of the first part that is taken up into the new one, with all that follow. Default: all parts are. */
  readonly from?: number | undefined;
  /** The vectors that the part gets. Those of the parts that are taken up must be of the same model. */
  readonly vectors?: VectorMeta | undefined;
  /** Finds the terms of the chunks, unless there is a previous index. */
  readonly thread?: TermThread | undefined;
}

/** The previous index in parts. */
export type PartedIndex = BlobIndex | JoinedIndex<BlobIndex>;

/**
 * Writes a part. Files that are kept from parts before `from` stay there, and {@linkcode changes} says how these parts have changed; they
 * must be kept in their order. All others are written into the new part.
 */
export class PartWriter extends IndexWriter {
  readonly #previous: PartedIndex | undefined;
  readonly #from: number;
  readonly #staying: readonly StayingPart[];

  constructor(
    file: BlobTarget,
    key: IndexKey,
    previous?: PartedIndex,
    { from = 0, vectors, thread }: PartWriterOptions = {},
  ) {
    const parts = previous === undefined ? [] : partsOf(previous);
    super(file, key, parts.slice(from).map(({ reader }) => reader), vectors, thread);
    this.#previous = previous;
    this.#from = from;
    this.#staying = parts.slice(0, from).map((index, i) =>
      new StayingPart(index.files, previous instanceof JoinedIndex ? previous.changes[i]!.records : [])
    );
  }

  /** How the parts that stay have changed, after the last file. */
  changes(): PartChanges[] {
    return this.#staying.map((part) => part.finish());
  }

  /** Number of files of a part that stays before the next file. */
  filesBefore(part: number): number {
    return this.#staying[part]!.next;
  }

  /** `generatedOf` is used for files of parts that are taken up, and ignored for others. */
  override keep(given: FileRecord | undefined, file: number, generatedOf?: GeneratedOf): void {
    const { part, number } = placeIn(this.#previous!, file);
    const staying = this.#staying[part];
    if (staying !== undefined && !staying.isUnexamined(number)) return staying.keep(given, number);
    // a file of an earlier part may have got its record since
    const record = given ?? recordOf(this.#previous!.files[file]!);
    if (staying === undefined) super.keep(record, number, generatedOf, part - this.#from);
    // A file that could not be examined is the last of its part. If it is kept, its place is that of its path, so it is written anew.
    else this.addEmpty(record);
  }
}

/** A part that stays as it is while files are kept from it. */
class StayingPart {
  /** Number of files before the next one that is kept. */
  next = 0;
  readonly #files: readonly StoredFile[];
  /** The records that files have by now. */
  readonly #known: ReadonlyMap<number, FileRecord>;
  readonly #dead: number[] = [];
  readonly #records: [number, FileRecord][] = [];

  constructor(files: readonly StoredFile[], records: PartChanges["records"]) {
    this.#files = files;
    this.#known = new Map(records);
  }

  keep(given: FileRecord | undefined, number: number): void {
    if (number < this.next) throw new RangeError("the files of the part are not in their order");
    this.#skipTo(number);
    this.next++;
    const record = given ?? this.#known.get(number);
    if (record !== undefined && !isSameRecord(record, this.#files[number]!)) {
      this.#records.push([number, record]);
    }
  }

  isUnexamined(file: number): boolean {
    const { status, chunkCount } = this.#files[file]!;
    return status === "failed" && chunkCount === 0;
  }

  finish(): PartChanges {
    this.#skipTo(this.#files.length);
    return { dead: this.#dead, records: this.#records };
  }

  #skipTo(file: number): void {
    for (; this.next < file; this.next++) this.#dead.push(this.next);
  }
}

/** Returns an index without the files that `shows` does not mark. It takes over the index. */
export function limited(
  index: PartedIndex,
  shows: NonNullable<JoinOptions["shows"]>,
): JoinedIndex<BlobIndex> {
  return index instanceof BlobIndex ? new JoinedIndex([{ index }], { shows }) : index.limited(shows);
}

/** The parts of an index. */
export function partsOf(index: PartedIndex): readonly [first: BlobIndex, ...more: BlobIndex[]] {
  return index instanceof BlobIndex ? [index] : index.parts as [BlobIndex, ...BlobIndex[]];
}

/** The part of a file of an index, and its number there. */
export function placeIn(index: PartedIndex, file: number): Place {
  return index instanceof BlobIndex ? { part: 0, number: file } : index.placeOf(file);
}

/** Whether two records say the same, apart from the places of chunks. */
function isSameRecord(one: FileRecord, other: FileRecord): boolean {
  return JSON.stringify(recordOf(one)) === JSON.stringify(recordOf(other));
}
