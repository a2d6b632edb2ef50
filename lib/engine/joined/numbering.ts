/**
 * The numbers of files and chunks where several indexes are one: those of an index that is written anew, with its files in the order of
 * the walk.
 */
import type { FileRecord, StoredFile } from "#engine/index/mod.ts";

/** The number of a file in its part. */
export interface Place {
  readonly part: number;
  readonly number: number;
}

/** Files of a part that follow one another in the whole index, the last one exclusive. Some of them may be dead. */
export interface FileRange {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the files of all parts in the order of the walk: by their paths, those that could not be examined last. Each part must have that
 * order.
 */
export function inOrderOfPaths(parts: readonly (readonly StoredFile[])[]): FileRange[] {
  const examined = parts.map((files) => files.findLastIndex((file) => !isUnexamined(file)) + 1);
  return [
    ...mergedByPath(parts, parts.map(() => 0), examined),
    ...mergedByPath(parts, examined, parts.map(({ length }) => length)),
  ];
}

/** Whether a file could not be examined, so that nothing but its path is known. */
function isUnexamined({ status, chunkCount, sha256, size, mtimeMs }: StoredFile): boolean {
  return status === "failed" && chunkCount === 0 && sha256 === "" && size === 0 && mtimeMs === 0;
}

/** Merges the files of parts between given numbers, the last ones exclusive. */
function mergedByPath(
  parts: readonly (readonly StoredFile[])[],
  from: readonly number[],
  to: readonly number[],
): FileRange[] {
  const ranges: FileRange[] = [];
  const next = [...from];
  const pathOf = (part: number) => parts[part]![next[part]!]!.path;
  const left = new Set(parts.keys().filter((part) => from[part]! < to[part]!));
  while (left.size > 0) {
    // the part with the least path, and the least path of the others
    let part = -1, least: string | undefined, end: string | undefined;
    for (const other of left) {
      const path = pathOf(other);
      if (least === undefined || path < least) [part, least, end] = [other, path, least];
      else if (end === undefined || path < end) end = path;
    }
    const first = next[part]!;
    do next[part]!++; while (next[part]! < to[part]! && (end === undefined || pathOf(part) < end));
    ranges.push({ part, from: first, to: next[part]! });
    if (next[part] === to[part]) left.delete(part);
  }
  return ranges;
}

/** Files of one part that follow one another there and in the whole index, none of them dead. */
interface Run {
  readonly part: number;
  /** Numbers of the first file and the first chunk in the whole index and in the part. */
  readonly file: number;
  readonly chunk: number;
  readonly localFile: number;
  readonly localChunk: number;
  files: number;
  chunks: number;
}

/** A part as it is numbered. */
interface NumberedPart {
  readonly files: readonly StoredFile[];
  /** Numbers of the files that are not in the whole index. */
  readonly dead: ReadonlySet<number>;
  /** The records that have taken the place of the stored ones. */
  readonly records: ReadonlyMap<number, FileRecord>;
}

/**
 * The records of a part's files as an index of several parts had them last, whose chunks have other numbers there. An update that leaves
 * the number of chunks of a file would make thousands of the same records otherwise.
 */
class ShiftedRecords {
  readonly #shifted: ({ readonly of: FileRecord; readonly record: StoredFile } | undefined)[] = [];

  at(file: number, of: FileRecord, { chunkCount }: StoredFile, firstChunk: number): StoredFile {
    const last = this.#shifted[file];
    if (last !== undefined && last.of === of && last.record.firstChunk === firstChunk) return last.record;
    const record = { ...of, firstChunk, chunkCount };
    this.#shifted[file] = { of, record };
    return record;
  }
}

/** By the files of a part, which are open as long as its index is. */
const shifted = new WeakMap<readonly StoredFile[], ShiftedRecords>();

function shiftedOf(files: readonly StoredFile[]): ShiftedRecords {
  let records = shifted.get(files);
  if (records === undefined) shifted.set(files, records = new ShiftedRecords());
  return records;
}

/** Numbers the files and chunks of parts as those of one index. */
export class Numbering {
  /** The files of the whole index. */
  readonly files: readonly StoredFile[];
  readonly #runs: readonly Run[];
  /** The runs of each part. */
  readonly #ofPart: readonly (readonly Run[])[];

  constructor(parts: readonly NumberedPart[], order: readonly FileRange[]) {
    const files: StoredFile[] = [];
    const runs: Run[] = [];
    let chunk = 0;
    for (const { part, from, to } of order) {
      const { files: ofPart, dead, records } = parts[part]!;
      const before = shiftedOf(ofPart);
      for (let localFile = from; localFile < to; localFile++) {
        if (dead.has(localFile)) continue;
        const stored = ofPart[localFile]!;
        let run = runs.at(-1);
        if (run?.part !== part || run.localFile + run.files !== localFile) {
          const localChunk = stored.firstChunk;
          run = { part, file: files.length, chunk, localFile, localChunk, files: 0, chunks: 0 };
          runs.push(run);
        }
        run.files++;
        run.chunks += stored.chunkCount;
        const record = records.get(localFile) ?? stored;
        const isAsStored = record === stored && stored.firstChunk === chunk;
        files.push(isAsStored ? stored : before.at(localFile, record, stored, chunk));
        chunk += stored.chunkCount;
      }
    }
    this.files = files;
    this.#runs = runs;
    this.#ofPart = parts.map((_, part) => runs.filter((run) => run.part === part));
  }

  /** The part of a file, and its number there. */
  placeOfFile(file: number): Place {
    const run = this.#runs[lastNotAbove(this.#runs, "file", file)]!;
    return { part: run.part, number: file - run.file + run.localFile };
  }

  /** The number in the whole index of a file of a part. */
  fileOf(part: number, file: number): number {
    const runs = this.#ofPart[part]!;
    const run = runs[lastNotAbove(runs, "localFile", file)]!;
    return file - run.localFile + run.file;
  }

  /** The number in the whole index of a chunk of a part. */
  chunkOf(part: number, chunk: number): number {
    const runs = this.#ofPart[part]!;
    const run = runs[lastNotAbove(runs, "localChunk", chunk)]!;
    return chunk - run.localChunk + run.chunk;
  }

  /** For each part, the numbers there of given chunks (ascending), and their positions in the list. */
  split(chunks: Int32Array): { readonly chunks: Int32Array; readonly at: Int32Array }[] {
    const numbers = this.#ofPart.map((): number[] => []), positions = this.#ofPart.map((): number[] => []);
    let at = chunks.length === 0 ? 0 : lastNotAbove(this.#runs, "chunk", chunks[0]!);
    for (let i = 0; i < chunks.length; i++) {
      const chunk = chunks[i]!;
      if (chunk < this.#runs[at]!.chunk) throw new RangeError("the chunks do not ascend");
      while (chunk >= this.#runs[at]!.chunk + this.#runs[at]!.chunks) at++;
      const { part, localChunk, chunk: first } = this.#runs[at]!;
      numbers[part]!.push(chunk - first + localChunk);
      positions[part]!.push(i);
    }
    return numbers.map((ofPart, part) => ({
      chunks: Int32Array.from(ofPart),
      at: Int32Array.from(positions[part]!),
    }));
  }

  /** The scores of the chunks of a part from those of the whole index. Other chunks of the part get a 0. */
  scoresOf(part: number, scores: Float64Array, chunks: number): Float64Array {
    const local = new Float64Array(chunks);
    for (const run of this.#ofPart[part]!) {
      copy(scores, run.chunk, run.chunks, local, run.localChunk);
    }
    return local;
  }

  /** The marks of the files of the whole index from those of the parts. */
  joinedMarks(marks: readonly Uint8Array[]): Uint8Array {
    const all = new Uint8Array(this.files.length);
    for (const { part, file, files, localFile } of this.#runs) {
      copy(marks[part]!, localFile, files, all, file);
    }
    return all;
  }

  /** Copies the marks of a part's files from those of the whole index. Other files of the part get a 0. */
  marksOf(part: number, marks: Uint8Array, files: number): Uint8Array {
    const local = new Uint8Array(files);
    for (const run of this.#ofPart[part]!) {
      copy(marks, run.file, run.files, local, run.localFile);
    }
    return local;
  }
}

/** Copies numbers from one array into another. Parts whose files alternate have runs of one file, which need no new view of the array. */
function copy<Numbers extends Uint8Array | Float64Array>(
  from: Numbers,
  start: number,
  count: number,
  into: Numbers,
  at: number,
): void {
  if (count > 32) into.set(from.subarray(start, start + count), at);
  else for (let i = 0; i < count; i++) into[at + i] = from[start + i]!;
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
