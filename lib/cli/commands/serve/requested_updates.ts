import { UserError } from "../../../errors.ts";
import type { IngestProgress, IngestSummary } from "../../../ingest/types.ts";

/** Time for which a request waits for another process that is updating the folder, in milliseconds. */
const BUSY_MS = 30_000;
/** Requests that may wait for an update of a folder. */
const MOST_WAITING = 100;
/** Time between two tries of such a request, in milliseconds. */
const RETRY_MS = 500;

/** Options of an update that a client asks for. */
export interface RequestedUpdate {
  /** Process every file again. */
  readonly full?: boolean;
  /** Relative paths of files to read and embed again although they have not changed. */
  readonly again?: ReadonlySet<string>;
  /** Ends the request. The update stops as soon as nobody waits for it any more. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IngestProgress) => void;
}

/** A request that is not answered. */
interface OpenRequest extends RequestedUpdate {
  full: boolean;
  readonly resolve: (summary: IngestSummary) => void;
  readonly reject: (error: unknown) => void;
  readonly askedAt: number;
}

/** One update, for all requests that waited when it began. */
export interface RequestedRun {
  readonly full: boolean;
  readonly again: ReadonlySet<string>;
  /** Aborts when nobody waits for the update any more. */
  readonly signal: AbortSignal;
  done(summary: IngestSummary): void;
  failed(error: unknown): void;
  /** Another process is updating the folder: the requests wait again, but not for ever. */
  busy(error: UserError, now: number): void;
}

/**
 * The updates of a folder that clients ask for. Requests that wait share one update. A request that arrives during an update
 * waits for the next one, because the update may have passed the file that the client has just written.
 */
export class RequestedUpdates {
  readonly #waiting = new Set<OpenRequest>();
  readonly #running = new Set<OpenRequest>();
  #notBefore = -Infinity;

  /** Time at which the next update is due; `Infinity` if there is no request. */
  get dueAt(): number {
    return this.#waiting.size === 0 ? Infinity : this.#notBefore;
  }

  /**
   * Resolves with the summary of the update, or rejects with its error, the reason of the signal, or `too_many_updates` if 100
   * requests wait.
   */
  add(request: RequestedUpdate, now: number): Promise<IngestSummary> {
    const { signal, full = false } = request;
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#waiting.size >= MOST_WAITING) return Promise.reject(new UserError("too_many_updates"));
    const { promise, resolve, reject } = Promise.withResolvers<IngestSummary>();
    const open = { ...request, full, resolve, reject, askedAt: now };
    const leave = () => {
      this.#waiting.delete(open);
      this.#running.delete(open);
      reject(signal.reason);
    };
    this.#waiting.add(open);
    signal.addEventListener("abort", leave, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** Begins an update for all requests that wait; `undefined` if there are none. */
  take(): RequestedRun | undefined {
    if (this.#waiting.size === 0) return undefined;
    const taken = [...this.#waiting];
    const stop = new AbortController();
    this.#waiting.clear();
    for (const request of taken) {
      this.#running.add(request);
      request.signal.addEventListener("abort", () => {
        if (taken.every(({ signal }) => signal.aborted)) stop.abort(request.signal.reason);
      }, { once: true });
    }
    const full = taken.some((request) => request.full);
    this.#notBefore = -Infinity;
    const end = () => {
      return taken.filter((request) => this.#running.delete(request));
    };
    const done = (summary: IngestSummary) => {
      // They came while everything was processed again. Now it is enough to look for changes.
      if (full) { for (const request of this.#waiting) request.full = false; }
      for (const { resolve } of end()) resolve(summary);
    };
    return {
      full,
      again: new Set(taken.flatMap(({ again = [] }) => [...again])),
      signal: stop.signal,
      done,
      failed: (error) => end().forEach(({ reject }) => reject(error)),
      busy: (error, now) => {
        this.#notBefore = now + RETRY_MS;
        for (const request of end()) {
          if (now - request.askedAt >= BUSY_MS) request.reject(error);
          else this.#waiting.add(request);
        }
      },
    };
  }

  /** Reports the progress of an update of the folder to all who wait. */
  report(progress: IngestProgress): void {
    for (const { onProgress } of [...this.#running, ...this.#waiting]) onProgress?.(progress);
  }

  /** Rejects all requests. */
  close(reason: unknown): void {
    for (const { reject } of [...this.#running, ...this.#waiting]) reject(reason);
    this.#running.clear();
    this.#waiting.clear();
  }
}
