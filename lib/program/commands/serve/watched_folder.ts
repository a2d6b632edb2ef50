import { isIgnoreFile, type SkipReason } from "#library/corpus/mod.ts";
import type { FolderState } from "#library/ingest/types.ts";
import { DATA_FOLDER } from "#foundation/constants.ts";
import { isReal, lookAt, type StartWatch, WATCHES_SUBFOLDERS } from "#foundation/boundary/mod.ts";

/** Reasons that say nothing about the same path later: the entry may become a file that is indexed. */
const PASSING: ReadonlySet<SkipReason> = new Set(["link", "link_outside", "empty", "too_large", "special"]);

/** Callbacks of a {@linkcode WatchedFolder}. */
export interface WatchedFolderEvents {
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
