/**
 * The files of traces in the log folder: a line of JSON for each trace, in files with ascending numbers. Processes share the
 * newest file: each line is one call that appends, so lines do not mix. A file that has its full size is left for the next
 * number, and old files are deleted. Nothing is renamed, so a process that still writes into an older file loses nothing.
 */
import { fillSync, LogFolder } from "#foundation/boundary/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";

const NAME = /^muxue_rag-traces-(\d{6,12})\.jsonl$/;

const LINE_END = "\n".charCodeAt(0);

/** Whether a file with this name has traces. */
export function isTraceFile(name: string): boolean {
  return NAME.test(name);
}

/** The numbers of the files of traces among some names, the newest first. */
export function traceNumbers(names: readonly string[]): number[] {
  return names.flatMap((name) => Number(NAME.exec(name)?.[1] ?? [])).filter((number) => number > 0)
    .sort((a, b) => b - a);
}

/** The name of the file with a number. */
export function traceFileName(number: number): string {
  return `muxue_rag-traces-${String(number).padStart(6, "0")}.jsonl`;
}

/** Limits of the files. */
interface Limits {
  /** Size of a file after which the next one begins. */
  readonly maxBytes: number;
  /** Files that are kept, the one that is written included. */
  readonly keep: number;
}

type OpenFile = ReturnType<LogFolder["openToAppend"]>;

/** Writes lines to the newest file of a folder. Never throws. */
export class TraceFiles implements Disposable {
  readonly #folder: LogFolder;
  readonly #limits: Limits;
  /** The file that is open, and its number. */
  #file: OpenFile | undefined;
  #number = 0;
  /** Why the last line could not be written. */
  problem: UserError | undefined;

  /** `dir`: real path of the log folder. */
  constructor(dir: string, limits: Limits) {
    this.#folder = new LogFolder(dir);
    this.#limits = limits;
  }

  /** Opens the newest file, and so finds out whether a line could be written. Makes the first one where there is none. */
  try(): void {
    this.#attempt(() => this.#fileFor(0));
  }

  /** Appends a line. A line that cannot be written is lost, and {@linkcode problem} says why. */
  append(line: string): void {
    this.#attempt(() => {
      const bytes = new TextEncoder().encode(`${line}\n`);
      const file = this.#fileFor(bytes.length);
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
    });
  }

  #attempt(work: () => void): void {
    try {
      work();
      this.problem = undefined;
    } catch (error) {
      // The next line opens the file again, and ends a line that was written in part.
      this[Symbol.dispose]();
      const params = { path: this.#folder.path, reason: reasonOf(error) };
      this.problem = error instanceof UserError ? error : new UserError("traces_unwritable", params);
    }
  }

  [Symbol.dispose](): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** The newest file, or the next one if that has no room for so many bytes. An empty file takes a line of any length. */
  #fileFor(bytes: number): OpenFile {
    let file = this.#file ?? this.#openNumber(this.#numbers()[0] ?? 1);
    for (;;) {
      const { size } = file.statSync();
      if (size === 0 || size + bytes <= this.#limits.maxBytes) return file;
      // Another process may have begun it already.
      file = this.#openNumber(Math.max(this.#numbers()[0] ?? 1, this.#number + 1));
      this.#removeOld();
    }
  }

  #openNumber(number: number): OpenFile {
    this[Symbol.dispose]();
    const file = this.#folder.openToAppend(traceFileName(number));
    this.#file = file;
    this.#number = number;
    const { size } = file.statSync();
    const last = new Uint8Array(1);
    if (size > 0) file.seekSync(size - 1, 0);
    // A process was killed or the disk was full while a line was written.
    if (size > 0 && fillSync(file, last) > 0 && last[0] !== LINE_END) {
      file.writeSync(Uint8Array.of(LINE_END));
    }
    return file;
  }

  /** The numbers of the files that are there, the newest first. */
  #numbers(): number[] {
    return this.#folder.exists() ? traceNumbers(this.#folder.names()) : [];
  }

  #removeOld(): void {
    for (const number of this.#numbers().slice(this.#limits.keep)) {
      try {
        this.#folder.remove(traceFileName(number));
      } catch (error) {
        // The folder was replaced.
        if (error instanceof UserError) throw error;
        // Another process deleted the file, or has it open. It is deleted the next time.
      }
    }
  }
}
