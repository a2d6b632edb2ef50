import type { SkipReason } from "../../../corpus/mod.ts";
import type { FolderState } from "../../../ingest/types.ts";
import { DATA_FOLDER } from "../../../store/mod.ts";
import { isReal, lookAt, WATCHES_SUBFOLDERS, watchFolder } from "../../../sandbox/mod.ts";

/** Reasons that say nothing about the same path later: the entry may become a file that is indexed. */
const PASSING: ReadonlySet<SkipReason> = new Set(["link", "link_outside", "empty", "too_large", "special"]);

/** Files that decide which others are skipped. They are hidden, and their changes count. */
const IGNORE_FILES: ReadonlySet<string> = new Set([".gitignore", ".muxueragignore"]);

/**
 * Events since the last update after which the folder is watched no more until the next one. The runtime queues events without a
 * limit, and a program that renames files all the time makes them faster than they can be read.
 */
const MOST_EVENTS = 1000;

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
  #watch: Disposable | undefined;
  #watched = new Set<string>();
  #eventCount = 0;
  #walked: FolderState | undefined;
  /** Paths reported since they were last taken; `undefined` where something may have changed without a report. */
  #changed: Set<string> | undefined;
  /** Device and inode of the root; `gone` while no folder is there, or a link is in its path, `undefined` before the first look. */
  #identity: string | undefined;

  /** `root`: a real path. */
  constructor(root: string, events: WatchedFolderEvents) {
    this.root = root;
    this.#events = events;
  }

  get isWatched(): boolean {
    return this.#watch !== undefined;
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
  follow(walked: FolderState): boolean {
    this.#walked = walked;
    this.#eventCount = 0;
    const isNew = [...walked.folders].some((folder) => !this.#watched.has(folder));
    this.#watched = new Set(walked.folders);
    if (this.#watch !== undefined && (WATCHES_SUBFOLDERS || !isNew)) return false;
    const before = this.#watch;
    this.#changed = undefined;
    try {
      this.#watch = watchFolder(this.root, {
        folders: walked.folders,
        onChange: (path) => this.#note(path),
        onEnd: (error) => this.#unwatched(error),
      });
      return true;
    } catch (error) {
      this.#unwatched(error);
      return false;
    } finally {
      before?.[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    this.#watch?.[Symbol.dispose]();
    this.#watch = undefined;
    this.#changed = undefined;
    this.#watched.clear();
  }

  #note(path: string): void {
    if (++this.#eventCount > MOST_EVENTS) {
      this[Symbol.dispose]();
      return this.#events.onFlood();
    }
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
    return IGNORE_FILES.has(name) || !this.#isSkipped(path);
  }

  /** Whether an entry is skipped by its name. */
  #isSkipped(path: string): boolean {
    const reason = this.#walked!.skipped.get(path);
    return reason !== undefined && !PASSING.has(reason);
  }

  #unwatched(error: unknown): void {
    this[Symbol.dispose]();
    this.#events.onUnwatched(error);
  }
}
