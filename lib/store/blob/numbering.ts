import type { StoredFile } from "../../index/mod.ts";
import type { Delta } from "./delta.ts";

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
export class Numbering {
  /** The files of the whole index. */
  readonly files: readonly StoredFile[];
  readonly #runs: readonly Run[];
  /** The runs of each segment. */
  readonly #ofSegment: readonly (readonly Run[])[];

  constructor(base: readonly StoredFile[], changed: readonly StoredFile[], delta: Delta) {
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
    let next = 0, dead = 0;
    const addBase = (end: number) => {
      for (; next < end; next++) {
        if (delta.dead[dead] === next) dead++;
        else add(0, next, base[next]!);
      }
    };
    for (const [i, file] of changed.entries()) {
      addBase(delta.places[i]!);
      add(1, i, file);
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
