/** The updates that the pages start: each can be watched by several tabs, also by one that comes back, and is kept for a while. */
import { UserError } from "#foundation/errors.ts";
import type { FileEnd, IngestProgress, IngestSummary } from "#library/ingest/mod.ts";
import type { Upkeep } from "#server/mod.ts";
import type { WireProgress, WireRun } from "./wire/ingestion.ts";

/** Runs that are kept after their end. */
const MOST_KEPT = 20;
/** Milliseconds between two reports of progress. The end is reported at once. */
const REPORT_MS = 150;

/** The updates of a server. A folder has one at a time. */
export class Runs {
  readonly #upkeep: Upkeep;
  readonly #signal: AbortSignal;
  #all: readonly Run[] = [];

  /** `signal` ends all. */
  constructor(upkeep: Upkeep, signal: AbortSignal) {
    this.#upkeep = upkeep;
    this.#signal = signal;
  }

  /** The runs, the latest first. */
  get all(): readonly Run[] {
    return this.#all;
  }

  isRunning(root: string): boolean {
    return this.#all.some((run) => run.root === root && run.ended === undefined);
  }

  /** Updates a folder. A run that is under way is given instead; one that is to process everything again comes after it. */
  start(root: string, full: boolean): { readonly run: Run; readonly isNew: boolean } {
    const running = this.#all.find((run) => run.root === root && run.ended === undefined);
    if (running !== undefined && (running.full || !full)) return { run: running, isNew: false };
    return { run: this.#begin(root, full), isNew: true };
  }

  /** Updates a folder after a change that a run under way may have missed. */
  startAfter(root: string): Run {
    return this.#begin(root, false);
  }

  /** Throws `UserError` `pages_no_run`. */
  named(id: string): Run {
    const run = this.#all.find((run) => run.id === id);
    if (run === undefined) throw new UserError("pages_no_run");
    return run;
  }

  #begin(root: string, full: boolean): Run {
    const run = new Run(root, full);
    const kept = this.#all.filter(({ ended }, at) => ended === undefined || at < MOST_KEPT - 1);
    this.#all = [run, ...kept];
    void run.work(this.#upkeep, this.#signal);
    return run;
  }
}

/** One update of a folder. */
export class Run {
  readonly id: string = crypto.randomUUID();
  readonly began: string = new Date().toISOString();
  readonly #stop = new AbortController();
  #ended: string | undefined;
  #state: WireRun["state"] = "waiting";
  #progress: WireProgress | undefined;
  #error: Error | undefined;
  #summary: IngestSummary | undefined;
  #ends: readonly FileEnd[] = [];
  #reported = 0;
  #change = Promise.withResolvers<void>();

  /** `root`: real path of the folder. `full`: every file is processed again. */
  constructor(readonly root: string, readonly full: boolean) {}

  get ended(): string | undefined {
    return this.#ended;
  }

  get state(): WireRun["state"] {
    return this.#state;
  }

  get progress(): WireProgress | undefined {
    return this.#progress;
  }

  /** Why it waits or failed. */
  get error(): Error | undefined {
    return this.#error;
  }

  get summary(): IngestSummary | undefined {
    return this.#summary;
  }

  /** The ends of all files, when it is done. */
  get ends(): readonly FileEnd[] {
    return this.#ends;
  }

  /** The files by their ends; `undefined` before it is done. */
  get counts(): WireRun["counts"] {
    if (this.#state !== "done") return undefined;
    const counts = { indexed: 0, unchanged: 0, skipped: 0, failed: 0, removed: 0, found: 0 };
    for (const { end } of this.#ends) {
      counts[end]++;
      if (end !== "removed") counts.found++;
    }
    return counts;
  }

  /** Does the work. Never throws. */
  async work(upkeep: Upkeep, signal: AbortSignal): Promise<void> {
    try {
      this.#summary = await upkeep.update(this.root, {
        full: this.full,
        signal: AbortSignal.any([signal, this.#stop.signal]),
        onProgress: (progress) => {
          this.#state = "running";
          this.#error = undefined;
          this.#progress = progressOf(progress);
          this.#report(false);
        },
        onBusy: (error) => {
          this.#state = "waiting";
          this.#error = error;
          this.#report(true);
        },
        onEnds: (ends) => this.#ends = ends,
      });
      this.#error = undefined;
      this.#state = "done";
    } catch (error) {
      const isCancelled = this.#stop.signal.aborted || signal.aborted;
      this.#state = isCancelled ? "cancelled" : "failed";
      this.#error = isCancelled ? undefined : error instanceof Error ? error : new Error(String(error));
    }
    this.#ended = new Date().toISOString();
    this.#report(true);
  }

  /** Stops it. The index stays as it was. */
  cancel(): void {
    this.#stop.abort();
  }

  /** Yields at once, after each change, and for the last time when it has ended. */
  async *changes(signal: AbortSignal): AsyncGenerator<void> {
    const gone = new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true })
    );
    while (!signal.aborted) {
      const { promise } = this.#change;
      yield;
      if (this.#ended !== undefined && this.#change.promise === promise) return;
      await Promise.race([promise, gone]);
    }
  }

  #report(isUrgent: boolean): void {
    const now = performance.now();
    if (!isUrgent && now - this.#reported < REPORT_MS) return;
    this.#reported = now;
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }
}

/** Progress as the pages show it: a total is there only when it is known. */
export function progressOf(progress: IngestProgress): WireProgress {
  const { step, filesDone, filesTotal, bytesDone, bytesTotal, chunks, embedded, toEmbed, path } = progress;
  const { recognised = 0, recognisedPictures = 0 } = progress;
  const isCounting = step === "scan" || step === "check";
  return {
    step,
    // While the folder is listed, the total counts what was found so far.
    files: isCounting ? filesTotal : filesDone,
    ...(!isCounting && filesTotal > 0 && { totalFiles: filesTotal }),
    ...(!isCounting && bytesTotal > 0 && { bytes: bytesDone, totalBytes: bytesTotal }),
    chunks,
    ...(embedded !== undefined && toEmbed !== undefined && toEmbed > 0 && { embedded, toEmbed }),
    ...(recognised + recognisedPictures > 0 && { recognised: recognised + recognisedPictures }),
    ...(path !== undefined && { path }),
  };
}
