/**
 * When a folder of a server is updated: its changes as they are reported, after they have settled; at intervals;
 * and for the requests of clients that wait.
 */
import { isIgnoreFile, type SkipReason } from "#library/corpus/mod.ts";
import type { FileEnd, FolderState, IngestProgress, IngestSummary } from "#library/ingest/types.ts";
import { DATA_FOLDER } from "#foundation/constants.ts";
import { isReal, lookAt, type StartWatch, WATCHES_SUBFOLDERS } from "#foundation/boundary/mod.ts";
import { UserError } from "#foundation/errors.ts";

/** Reasons that say nothing about the same path later: the entry may become a file that is indexed. */
const PASSING: ReadonlySet<SkipReason> = new Set(["link", "link_outside", "empty", "too_large", "special"]);

/** Callbacks of a {@linkcode WatchedFolder}. */
interface WatchedFolderEvents {
  /** An entry has changed that matters to the index. */
  readonly onChange: () => void;
  /** There are so many events that the folder is not watched until {@linkcode WatchedFolder.follow} is called. */
  readonly onFlood: () => void;
  /** The folder cannot be watched. */
  readonly onUnwatched: (error: unknown) => void;
}

/** Watches a folder for changes that matter to its index. */
export class WatchedFolder implements Disposable {
  readonly root: string;
  readonly #events: WatchedFolderEvents;
  readonly #start: StartWatch;
  #watch: Disposable | undefined;
  #watched = new Set<string>();
  #isStarting = false;
  /** Number of times that a watch was given up. */
  #ended = 0;
  #walked: FolderState | undefined;
  /** Paths reported since they were last taken; `undefined` where something may have changed without a report. */
  #changed: Set<string> | undefined;
  /**
   * Device and inode of the root; `gone` while no folder is there, or a link is in its path, `undefined` before the first
   * look.
   */
  #identity: string | undefined;

  /** `root`: a real path. `start` starts a watch of it. */
  constructor(root: string, events: WatchedFolderEvents, start: StartWatch) {
    this.root = root;
    this.#events = events;
    this.#start = start;
  }

  get isWatched(): boolean {
    return this.#watch !== undefined;
  }

  /** Whether all folders are watched that the last update has listed. */
  get isComplete(): boolean {
    return this.isWatched && !this.#isStarting;
  }

  /** Looks whether the folder is there. `other`: it is there, but another one than before, or back again. */
  async look(): Promise<"same" | "other" | "gone"> {
    const info = await lookAt(this.root).catch(() => undefined);
    const now = info?.isDirectory && await isReal(this.root) ? `${info.dev}:${info.ino}` : "gone";
    const before = this.#identity;
    this.#identity = now;
    if (now !== "gone" && (before === undefined || now === before)) return "same";
    this[Symbol.dispose]();
    return now === "gone" ? "gone" : "other";
  }

  /** The paths that were reported since the last call; `undefined` where something may have changed without a report. */
  take(): ReadonlySet<string> | undefined {
    const taken = this.#changed;
    this.#changed = this.isWatched ? new Set() : undefined;
    return taken;
  }

  /** Takes back paths that no update has taken up. */
  giveBack(paths: ReadonlySet<string> | undefined): void {
    this.#changed = paths && this.#changed?.union(paths);
  }

  /**
   * Watches the folders that an update has listed. True if some were not watched before: what has changed in them since they
   * were listed was not reported.
   */
  async follow(walked: FolderState): Promise<boolean> {
    this.#walked = walked;
    // A call that waits for its watch to begin looks at the newest folders then.
    if (this.#isStarting || !this.#hasUnwatched) return false;
    this.#isStarting = true;
    let before = this.#ended;
    try {
      do {
        walked = this.#walked;
        before = this.#ended;
        const { folders } = walked;
        this.#watched = new Set(folders);
        const watch = await this.#start(this.root, {
          folders,
          onChange: (path) => this.#note(path),
          onEnd: (error) => before === this.#ended && this.#unwatched(error),
        });
        if (before !== this.#ended) {
          watch[Symbol.dispose]();
          // A newer call may have found another folder in the place of the one that was given up.
          if (walked === this.#walked) return false;
          continue;
        }
        this.#watch?.[Symbol.dispose]();
        this.#watch = watch;
        this.#changed = undefined;
      } while (walked !== this.#walked && this.#hasUnwatched);
      return true;
    } catch (error) {
      if (before === this.#ended) this.#unwatched(error);
      return false;
    } finally {
      this.#isStarting = false;
    }
  }

  get #hasUnwatched(): boolean {
    if (this.#watch !== undefined && WATCHES_SUBFOLDERS) return false;
    return this.#watch === undefined ||
      [...this.#walked!.folders].some((folder) => !this.#watched.has(folder));
  }

  [Symbol.dispose](): void {
    this.#ended++;
    this.#watch?.[Symbol.dispose]();
    this.#watch = undefined;
    this.#changed = undefined;
    this.#watched.clear();
  }

  #note(path: string): void {
    // A folder that was removed or renamed is not watched any more, even if there soon is another with its name.
    this.#watched.delete(path);
    if (this.#isOutside(path)) return;
    this.#changed?.add(path);
    if (this.#matters(path)) this.#events.onChange();
  }

  /** Whether a path is in the data folder, or in a folder that is skipped. */
  #isOutside(path: string): boolean {
    if (path === DATA_FOLDER || path.startsWith(`${DATA_FOLDER}/`)) return true;
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      if (this.#isSkipped(path.slice(0, end))) return true;
    }
    return false;
  }

  #matters(path: string): boolean {
    if (this.#walked!.unsettled.has(path)) return false;
    const name = path.slice(path.lastIndexOf("/") + 1);
    return isIgnoreFile(name) || !this.#isSkipped(path);
  }

  /** Whether an entry is skipped by its name. */
  #isSkipped(path: string): boolean {
    const reason = this.#walked!.skipped.get(path);
    return reason !== undefined && !PASSING.has(reason);
  }

  #unwatched(error: unknown): void {
    this[Symbol.dispose]();
    if (error === undefined) this.#events.onFlood();
    else this.#events.onUnwatched(error);
  }
}

/** Time without a change after which a folder is updated, in milliseconds: programs save a file in several steps. */
export const SETTLE_MS = 300;
/** Longest time that changes which follow each other put off an update, in milliseconds. */
const FLOOD_MS = 2000;
/** Time between two reconciliations of a folder whose events cannot be relied on, in milliseconds. */
const SHORT_MS = 30_000;
/** Time between two reconciliations of a folder whose events can be relied on, in milliseconds: events may get lost. */
export const LONG_MS = 300_000;
/** Time until a folder that another process is updating is tried again, in milliseconds. */
const RETRY_BUSY_MS = 2000;
/** Longest pause after an update, in milliseconds. Shorter updates are followed by a pause of their own length. */
const MAX_PAUSE_MS = 2000;

/** Why a folder is updated: changes were reported, or it was due to be compared with its index as a whole. */
type UpdateCause = "changes" | "reconciliation";

/** Result of an update. */
interface UpdateOutcome {
  /**
   * `done`: the index agrees with the folder. `busy`: another process is updating it. `failed`: the index could not be
   * written.
   */
  readonly state: "done" | "busy" | "failed";
  /** Whether the index was written. */
  readonly written?: boolean;
  /** Whether files were left out because they may still be written. */
  readonly unsettled?: boolean;
  /** Whether the folder's events arrive. */
  readonly watched: boolean;
}

/**
 * Decides when a folder is updated. All times are milliseconds of any clock that never goes back.
 *
 * An update follows 300 ms after the last change, and at most 2 s after the first. Reconciliations find what no event told.
 * They come every 30 s, and less and less often, up to every 5 minutes, while they find nothing. Of a folder that is not
 * watched they come every 30 s.
 */
export class FolderSchedule {
  #firstChange: number | undefined;
  #lastChange = 0;
  #reconcileAt: number;
  #againAt = Infinity;
  #notBefore = -Infinity;
  #interval = SHORT_MS;
  #settleMs = SETTLE_MS;
  #isFirst = true;
  #run: { readonly cause: UpdateCause; readonly told: boolean; readonly began: number } | undefined;

  /** `firstAt`: time of the first update. */
  constructor(firstAt: number) {
    this.#reconcileAt = firstAt;
  }

  /** Whether changes were reported that no update has begun to take up. */
  get hasChanges(): boolean {
    return this.#firstChange !== undefined;
  }

  /** Time of the next update. */
  get dueAt(): number {
    const settled = this.#firstChange === undefined
      ? Infinity
      : Math.min(this.#lastChange + SETTLE_MS, this.#firstChange + FLOOD_MS);
    return Math.max(this.#notBefore, Math.min(settled, this.#reconcileAt, this.#againAt));
  }

  /** Notes a change. True if it is the first one since the last update began. */
  changed(now: number): boolean {
    const isFirst = this.#firstChange === undefined;
    this.#firstChange ??= now;
    this.#lastChange = now;
    return isFirst;
  }

  /** Makes an update due after the settling time although no change was reported. */
  checkSoon(now: number): void {
    this.#againAt = Math.min(this.#againAt, now + SETTLE_MS);
  }

  /** Notes that changes come too fast to be reported: the update follows 2 s after the first. */
  flooded(now: number): void {
    this.#firstChange ??= now;
    this.#lastChange = this.#firstChange + FLOOD_MS - SETTLE_MS;
  }

  /** Makes a reconciliation due at once, since events may have been lost. */
  reconcile(now: number): void {
    this.#reconcileAt = now;
    this.#notBefore = -Infinity;
  }

  /** Makes a reconciliation due soon, since no events will come. */
  unwatched(now: number): void {
    this.#interval = SHORT_MS;
    this.#reconcileAt = Math.min(this.#reconcileAt, now + SHORT_MS);
  }

  /** Begins an update that is due. Changes from now on belong to the next one. */
  begin(now: number): UpdateCause {
    const cause = now >= this.#reconcileAt ? "reconciliation" : "changes";
    const told = this.hasChanges || this.#againAt !== Infinity || this.#isFirst;
    this.#run = { cause, told, began: now };
    this.#firstChange = undefined;
    this.#againAt = Infinity;
    return cause;
  }

  /** Ends the update that was begun and given up. The next one is not due. */
  rest(): void {
    this.#run = undefined;
    this.#reconcileAt = Infinity;
  }

  /** Ends the update that was begun. */
  end(now: number, { state, written = false, unsettled = false, watched }: UpdateOutcome): void {
    const { cause, told, began } = this.#run!;
    this.#run = undefined;
    if (state === "busy") {
      if (cause === "reconciliation") this.#reconcileAt = now + RETRY_BUSY_MS;
      else this.#againAt = now + RETRY_BUSY_MS;
      return;
    }
    this.#isFirst = false;
    if (state === "failed") {
      this.#interval = Math.min(this.#interval * 2, LONG_MS);
      this.#reconcileAt = now + this.#interval;
      // Events make no difference to a disk that is full or must not be written.
      this.#notBefore = this.#reconcileAt;
      return;
    }
    this.#notBefore = now + Math.min(now - began, MAX_PAUSE_MS);
    this.#settleMs = unsettled ? Math.min(this.#settleMs * 2, SHORT_MS) : SETTLE_MS;
    if (unsettled) this.#againAt = now + this.#settleMs;
    if (!watched || cause === "reconciliation" && written && !told) this.#interval = SHORT_MS;
    else if (cause === "reconciliation" && !told) this.#interval = Math.min(this.#interval * 2, LONG_MS);
    if (cause === "reconciliation") this.#reconcileAt = now + this.#interval;
    else if (!watched) this.#reconcileAt = Math.min(this.#reconcileAt, now + SHORT_MS);
  }
}

/** Time for which a request waits for another process that is updating the folder, in milliseconds. */
const WAIT_FOR_BUSY_MS = 30_000;
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
  /** Called with the ends of all files when the update is done. */
  readonly onEnds?: (ends: readonly FileEnd[]) => void;
  /** Called when another process is updating the folder, so that the request waits. */
  readonly onBusy?: (error: UserError) => void;
  /** The person or program that asks. */
  readonly principal?: string | undefined;
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
  /** Passes on the ends of all files; absent where nobody wants them. */
  readonly onEnds: ((ends: readonly FileEnd[]) => void) | undefined;
  /** The people and programs that asked; `undefined` if nobody is named. */
  readonly principal: string | undefined;
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
    const principals = new Set(taken.flatMap(({ principal = [] }) => principal));
    this.#notBefore = -Infinity;
    const end = () => taken.filter((request) => this.#running.delete(request));
    return {
      full,
      again: new Set(taken.flatMap(({ again = [] }) => [...again])),
      signal: stop.signal,
      onEnds: taken.some(({ onEnds }) => onEnds !== undefined)
        ? (ends) => taken.forEach(({ onEnds }) => onEnds?.(ends))
        : undefined,
      principal: principals.size === 0 ? undefined : [...principals].join(", "),
      done: (summary) => {
        // They came while everything was processed again. Now it is enough to look for changes.
        if (full) { for (const request of this.#waiting) request.full = false; }
        for (const { resolve } of end()) resolve(summary);
      },
      failed: (error) => end().forEach(({ reject }) => reject(error)),
      busy: (error, now) => {
        this.#notBefore = now + RETRY_MS;
        for (const request of end()) {
          if (now - request.askedAt >= WAIT_FOR_BUSY_MS) request.reject(error);
          else {
            this.#waiting.add(request);
            request.onBusy?.(error);
          }
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
