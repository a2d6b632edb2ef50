import { PathTree, walk, type WalkOptions } from "../corpus/mod.ts";
import type { StoredFile } from "../index/mod.ts";
import type { OpenIndex } from "../store/mod.ts";
import type { Below } from "./scope.ts";
import type { SearchedFolder } from "./searched_folders.ts";

/** Time that the check of a search may take, in milliseconds. A listing of a large folder is not interrupted. */
const BUDGET_MS = 50;
/**
 * Entries of a folder that are compared even if the time is up, so that small folders are checked on a busy machine as well.
 */
const LEAST_ENTRIES = 16;
/** Time for which a result is used again, in milliseconds, and as a multiple of the time that it took. */
const KEPT_MS = 2000;
const KEPT_TIMES = 20;
/** Results that are kept for an index. */
const MOST_KEPT = 100;

/** Number of files that are new or have changed since their folder was indexed. */
export interface NewerFiles {
  readonly count: number;
  /** The folders that have such files. */
  readonly roots: readonly string[];
  /** Whether all files were compared before the time was up. If not, there may be more. */
  readonly isAll: boolean;
}

interface Kept extends Omit<NewerFiles, "roots"> {
  readonly until: number;
}

/**
 * Compares folders with their indexes by the sizes and modification times of the files, in a limited time. Other times,
 * which `chmod` or a copy change, say nothing about the text.
 */
export class NewerFilesCheck {
  readonly #optionsOf: (root: string) => WalkOptions;
  readonly #now: () => number;
  readonly #known = new WeakMap<OpenIndex, ReadonlyMap<string, StoredFile>>();
  /** By the paths inside the folder that were looked at. */
  readonly #kept = new WeakMap<OpenIndex, Map<string, Kept>>();

  /** `optionsOf` returns the options of a folder, `now` milliseconds since any fixed time. */
  constructor(optionsOf: (root: string) => WalkOptions, now: () => number = () => performance.now()) {
    this.#optionsOf = optionsOf;
    this.#now = now;
  }

  /** The newer files of these folders. */
  async of(folders: readonly SearchedFolder[], below: Below = new Map()): Promise<NewerFiles> {
    const deadline = this.#now() + BUDGET_MS;
    let [count, isAll] = [0, true];
    const roots: string[] = [];
    for (const { folder: { root }, index } of folders) {
      const found = await this.#ofFolder(root, index, below.get(root), deadline);
      count += found.count;
      isAll &&= found.isAll;
      if (found.count > 0) roots.push(root);
    }
    return { count, roots, isAll };
  }

  async #ofFolder(
    root: string,
    index: OpenIndex,
    below: readonly string[] | undefined,
    deadline: number,
  ): Promise<Omit<NewerFiles, "roots">> {
    const place = below?.join("\n") ?? "";
    const results = this.#kept.get(index) ?? new Map<string, Kept>();
    this.#kept.set(index, results);
    const kept = results.get(place);
    const began = this.#now();
    if (kept !== undefined && began < kept.until) return kept;
    const found = await this.#compare(root, index, below, deadline);
    const ended = this.#now();
    if (results.size >= MOST_KEPT) results.clear();
    results.set(place, { ...found, until: ended + Math.max(KEPT_MS, KEPT_TIMES * (ended - began)) });
    return found;
  }

  async #compare(
    root: string,
    index: OpenIndex,
    below: readonly string[] | undefined,
    deadline: number,
  ): Promise<Omit<NewerFiles, "roots">> {
    let [count, entries] = [0, 0];
    const known = this.#knownOf(index);
    const only = below === undefined ? {} : { only: PathTree.of(below) };
    try {
      for await (const found of walk(root, { ...this.#optionsOf(root), ...only })) {
        if (++entries > LEAST_ENTRIES && this.#now() > deadline) return { count, isAll: false };
        if (found.kind !== "file") continue;
        const old = known.get(found.path);
        if (old?.size !== found.size || old.mtimeMs !== found.mtimeMs) count++;
      }
      return { count, isAll: true };
    } catch {
      // The folder is gone, or its rules cannot be read. Other notices say so.
      return { count, isAll: false };
    }
  }

  #knownOf(index: OpenIndex): ReadonlyMap<string, StoredFile> {
    let known = this.#known.get(index);
    if (known === undefined) {
      known = new Map(index.files.map((file) => [file.path, file]));
      this.#known.set(index, known);
    }
    return known;
  }
}
