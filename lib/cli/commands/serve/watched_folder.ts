import type { SkipReason } from "../../../corpus/mod.ts";
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

/** The entries that an update found in a folder. */
export interface WalkedEntries {
  /** Relative paths of the folders that were listed, `""` for the root. */
  readonly folders: ReadonlySet<string>;
  /** Relative paths of files and folders that are skipped by their names. */
  readonly skipped: ReadonlySet<string>;
  /** Relative paths of files that may still be written. */
  readonly unsettled: ReadonlySet<string>;
}

/** Collects the entries of a walk. */
export class WalkCollector implements WalkedEntries {
  readonly folders: Set<string> = new Set();
  readonly skipped: Set<string> = new Set();
  unsettled: ReadonlySet<string> = new Set();

  readonly onFolder = (path: string): void => void this.folders.add(path);

  readonly onSkipped = (path: string, reason: SkipReason): void => {
    if (!PASSING.has(reason)) this.skipped.add(path);
  };
}

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
  #walked: WalkedEntries | undefined;
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

  /**
   * Watches the folders that an update has listed. True if some were not watched before: what has changed in them since they
   * were listed was not reported.
   */
  follow(walked: WalkedEntries): boolean {
    this.#walked = walked;
    this.#eventCount = 0;
    const isNew = [...walked.folders].some((folder) => !this.#watched.has(folder));
    this.#watched = new Set(walked.folders);
    if (this.#watch !== undefined && (WATCHES_SUBFOLDERS || !isNew)) return false;
    const before = this.#watch;
    try {
      this.#watch = watchFolder(this.root, {
        folders: walked.folders,
        onChange: (path) => this.#changed(path),
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
    this.#watched.clear();
  }

  #changed(path: string): void {
    if (++this.#eventCount > MOST_EVENTS) {
      this[Symbol.dispose]();
      return this.#events.onFlood();
    }
    // A folder that was removed or renamed is not watched any more, even if there soon is another with its name.
    this.#watched.delete(path);
    if (this.#matters(path)) this.#events.onChange();
  }

  #matters(path: string): boolean {
    const { skipped, unsettled } = this.#walked!;
    if (path === DATA_FOLDER || path.startsWith(`${DATA_FOLDER}/`)) return false;
    if (unsettled.has(path)) return false;
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      if (skipped.has(path.slice(0, end))) return false;
    }
    return IGNORE_FILES.has(name) || !skipped.has(path);
  }

  #unwatched(error: unknown): void {
    this[Symbol.dispose]();
    this.#events.onUnwatched(error);
  }
}
