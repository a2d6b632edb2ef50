/**
 * The files of an index: how a second file changes the first, and how both are opened and copied.
 *
 * An index has one or two segments. `index.bin` is the base, an index of the whole folder. `changes.bin` is the delta: an index of
 * the files that have changed since, and of nothing else. It names its base, and says which files of the base it replaces.
 * An update of a large index that changes a few files writes a new delta and leaves the base as it is.
 *
 * ```
 * index.bin     a.md  b.md  c.md  d.md        delta: replaces b.md and d.md
 * changes.bin         b.md              new.md
 *               ───────────────────────────
 * searched      a.md  b.md  c.md  new.md      files and chunks are numbered in this order, as in an index that was written anew
 * ```
 *
 * Each segment is a blob of its own, is sealed, and is replaced in one step. A new base makes the delta void, since that
 * names another base; so a crash between replacing the base and removing the delta does no harm.
 * @module
 */
import {
  BlobIndex,
  DamagedIndexError,
  ForeignIndexError,
  type IndexKey,
  type IndexMeta,
  IndexReader,
  isFileRecord,
  type OpenIndex,
  OutdatedIndexError,
  type StoredFile,
  type VectorMeta,
} from "#engine/index/mod.ts";
import {
  type FileRange,
  type PartChanges,
  type PartedIndex,
  partsOf,
  PartWriter,
} from "#engine/joined/mod.ts";
import { writeAllSync } from "#foundation/boundary/mod.ts";
import { type ByteSink, type ByteSource, isPathInside, type LoadedIndex } from "../store.ts";

/** Name of the section of a delta that holds {@linkcode Delta}. */
const DELTA_SECTION = "delta";

/** How a delta changes its base. */
interface Delta extends PartChanges {
  /** `IndexReader.id` of the base. */
  readonly base: string;
  /** For each file of the delta, the number of files of the base that come before it, the dead ones included. */
  readonly places: readonly number[];
}

/** When an update is written as a delta. */
export interface DeltaLimits {
  /** Bytes of text that a base must have. A smaller one is written anew in an instant. */
  readonly fromBytes: number;
  /** Share of the base, in bytes of text and in chunks, that a delta may add, and that it may replace. */
  readonly share: number;
}

/** Files that a backup takes over without a pause. */
const FILES_AT_ONCE = 256;

export const DELTA_LIMITS: DeltaLimits = { fromBytes: 8 * 1024 * 1024, share: 1 / 16 };

/** Returns how an index changes its base; `undefined` if it is no delta. Throws `DamagedIndexError`. */
export function deltaOf(reader: IndexReader): Delta | undefined {
  const json = reader.extra(DELTA_SECTION);
  if (json === undefined) return undefined;
  const { base, dead, places, records } = (json ?? {}) as Partial<Record<keyof Delta, unknown>>;
  const isDelta = typeof base === "string" && isAscending(dead, 1) && isAscending(places, 0) &&
    places.length === reader.files.length && Array.isArray(records) &&
    isAscending(records.map((entry: unknown) => Array.isArray(entry) ? entry[0] : undefined), 1);
  if (!isDelta) throw new DamagedIndexError("section delta");
  return { base, dead, places, records };
}

/** Throws `DamagedIndexError` if a delta names files that its base does not have. */
export function checkDelta({ dead, places, records }: Delta, base: readonly StoredFile[]): void {
  const fits = (dead.at(-1) ?? -1) < base.length && (places.at(-1) ?? 0) <= base.length &&
    (records.at(-1)?.[0] ?? -1) < base.length &&
    records.every(([, record]) => isFileRecord(record) && isPathInside(record.path));
  if (!fits) throw new DamagedIndexError("files of the delta");
}

/** The order of the files of a base and its delta. */
export function orderOf({ places }: Delta, baseFiles: number): FileRange[] {
  const order: FileRange[] = [];
  let next = 0;
  for (const [file, place] of places.entries()) {
    if (next < place) order.push({ part: 0, from: next, to: place });
    next = place;
    order.push({ part: 1, from: file, to: file + 1 });
  }
  return [...order, { part: 0, from: next, to: baseFiles }];
}

/** Whether a value is a list of numbers from 0 on, each greater than the one before by `step` or more. */
function isAscending(value: unknown, step: number): value is number[] {
  let least = 0;
  return Array.isArray(value) && value.every((number) => {
    if (!Number.isSafeInteger(number) || number < least) return false;
    least = number + step;
    return true;
  });
}

/** Bytes copied at once, and without a pause. */
const COPY_BYTES = 1 << 20;
const PAUSE_BYTES = 16 * COPY_BYTES;

/** Copies the bytes of a verified index without checking them again. Returns their number. */
export async function copyIndex(reader: IndexReader, sink: ByteSink): Promise<number> {
  for (let at = 0; at < reader.size; at += COPY_BYTES) {
    const bytes = reader.bytes(at, Math.min(at + COPY_BYTES, reader.size));
    writeAllSync(sink, bytes);
    if (at % PAUSE_BYTES === 0) await pause();
  }
  return reader.size;
}

/** Like {@linkcode openReader}, but a delta is refused: it has only a part of the files. */
export function openWhole(file: ByteSource, key: IndexKey): IndexReader {
  const reader = openReader(file, key);
  if (reader.extra(DELTA_SECTION) === undefined) return reader;
  reader.close();
  throw new DamagedIndexError("a delta without its base");
}

/** Writes a delta, which takes up the one before. Files of the base must be kept in their order. */
export class DeltaWriter extends PartWriter {
  readonly #base: string;
  readonly #places: number[] = [];

  constructor(file: ByteSink, key: IndexKey, previous: PartedIndex, vectors?: VectorMeta) {
    super(file, key, previous, { from: 1, vectors });
    this.#base = partsOf(previous)[0]!.reader.id;
  }

  protected override fileAdded(): void {
    this.#places.push(this.filesBefore(0));
  }

  override finish(
    meta: Omit<IndexMeta, "tokenizer">,
    pause: () => Promise<void>,
    embedded?: () => Promise<void>,
  ): Promise<{ size: number; terms: number }> {
    const { dead, records } = this.changes()[0]!;
    const delta: Delta = { base: this.#base, dead, places: this.#places, records };
    return super.finish(meta, pause, embedded, { [DELTA_SECTION]: delta });
  }
}

/**
 * Opens the index in a file that is open for reading, see {@linkcode IndexReader.open}. Also throws `DamagedIndexError` if a
 * path in its file table cannot be that of a file in the folder.
 */
export function openReader(file: ByteSource, key: IndexKey): IndexReader {
  const reader = IndexReader.open(file, { key });
  for (const [at, { path }] of reader.files.entries()) {
    if (isPathInside(path)) continue;
    reader.close();
    throw new DamagedIndexError(`path of file ${at}`);
  }
  return reader;
}

/** Returns the state of an index that cannot be opened because of an error. Throws errors of any other kind. */
export function unusable(error: unknown): LoadedIndex {
  if (error instanceof OutdatedIndexError) return { state: "outdated", problem: error.message };
  if (error instanceof DamagedIndexError) return { state: "damaged", problem: error.message };
  if (error instanceof ForeignIndexError) return { state: "foreign", problem: error.message };
  throw error;
}

/** Opens a backup and checks every byte. It takes over the source. Throws as {@linkcode openWhole}. */
export function openVerified(source: ByteSource, key: IndexKey): BlobIndex {
  const reader = openWhole(source, key);
  try {
    reader.verify();
    return new BlobIndex(reader);
  } catch (error) {
    reader.close();
    throw error;
  }
}

/** Writes an index of several parts as one, with the metadata of `of`. Returns the number of bytes. */
export async function writeAsOne(
  index: PartedIndex,
  of: Pick<OpenIndex, "meta" | "vectors">,
  sink: ByteSink,
  key: IndexKey,
): Promise<number> {
  const writer = new PartWriter(sink, key, index, { vectors: of.vectors });
  for (const number of index.files.keys()) {
    writer.keep(undefined, number);
    if (number % FILES_AT_ONCE === 0) await pause();
  }
  return (await writer.finish(of.meta, pause)).size;
}

/** Lets other work go on, such as that of a signal handler. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
