/** The progress of a run: counted, reported, and the moment at which long computations let other work go on. */
import type { IngestOptions, IngestProgress } from "./types.ts";

/** How long the program computes before it lets the event loop turn, in milliseconds, unless the options say otherwise. */
const SPELL_MS = 50;
/** After this time, in milliseconds, a file that is still being read is reported. */
const SLOW_MS = 200;

/** The embedder's counters that the progress shows. */
interface VectorCounts {
  readonly embedded: number;
  readonly toEmbed: number;
}

/** Keeps the progress of a run, reports it, and lets signals and timers have their turn during long computations. */
export class ProgressReporter {
  readonly #options: Pick<IngestOptions, "onProgress" | "signal" | "spellMs">;
  readonly #progress: { -readonly [key in keyof IngestProgress]: IngestProgress[key] } = {
    step: "scan",
    filesDone: 0,
    filesTotal: 0,
    bytesDone: 0,
    bytesTotal: 0,
    chunks: 0,
  };
  #lastPause = performance.now();

  constructor(options: Pick<IngestOptions, "onProgress" | "signal" | "spellMs">) {
    this.#options = options;
  }

  report(): void {
    this.#options.onProgress?.({ ...this.#progress });
  }

  /**
   * Reports and lets the event loop turn, if the last time was long enough ago; else it costs next to nothing. Throws the
   * signal's reason once the run is aborted.
   */
  readonly pause = async (): Promise<void> => {
    const { signal, spellMs = SPELL_MS } = this.#options;
    signal?.throwIfAborted();
    if (performance.now() - this.#lastPause < spellMs) return;
    this.report();
    // a microtask would not let the event loop turn
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#lastPause = performance.now();
    signal?.throwIfAborted();
  };

  /** Counts paths that the walk has found. */
  readonly pathsFound = async (count: number): Promise<void> => {
    this.#progress.filesTotal += count;
    await this.pause();
  };

  /** Begins a step: `check` of an index, `scan` of the folder after that, or `done`. */
  begin(step: "check" | "scan" | "done"): void {
    this.#progress.step = step;
    this.report();
  }

  /** Begins the step `read`, with `bytes` to read in `files`. */
  startReading(files: number, bytes: number): void {
    Object.assign(this.#progress, { step: "read", filesTotal: files, bytesTotal: bytes });
    this.report();
  }

  startFile(path: string): void {
    this.#progress.path = path;
  }

  /** Counts a file as done. `bytes`: its size, or 0 if it did not have to be read. */
  finishFile(bytes: number): void {
    this.#progress.filesDone++;
    this.#progress.bytesDone += bytes;
  }

  /** Waits for `work`, and reports once if it takes long: the display then names the file. */
  async reportIfSlow<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.report(), SLOW_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sets the number of chunks so far, and the counters of the embedder if there is one. */
  setChunks(chunks: number, embedder: VectorCounts | undefined): void {
    this.#progress.chunks = chunks;
    if (embedder === undefined) return;
    this.#progress.embedded = embedder.embedded;
    this.#progress.toEmbed = embedder.toEmbed;
  }

  /** Reports that the text of `count` more pages or pictures was recognised. */
  readonly reportRecognised = (count: number, what: "pages" | "pictures"): void => {
    const key = what === "pages" ? "recognised" : "recognisedPictures";
    this.#progress[key] = (this.#progress[key] ?? 0) + count;
    this.report();
  };

  startWriting(): void {
    this.#progress.step = "write";
    delete this.#progress.path;
    this.report();
  }
}
