import { CurrentRules, type WalkOptions } from "../corpus/mod.ts";
import type { OpenIndex } from "../store/mod.ts";
import type { SearchedFolder } from "./searched_folders.ts";
import type { SelectedChunk } from "./select.ts";

/** Time for which the hidden files of an index are used again, in milliseconds, and as a multiple of the time that it took. */
const KEPT_MS = 2000;
const KEPT_TIMES = 20;
/** Milliseconds of computing before other requests have their turn. */
const SPELL_MS = 20;

const NONE: ReadonlySet<string> = new Set();

interface Kept {
  /** Relative paths. */
  readonly paths: ReadonlySet<string>;
  readonly until: number;
}

/**
 * Files that an index has and that the rules of their folder leave out by now: ignored or excluded after they were indexed. Nothing of
 * them is shown, also while nobody updates the index.
 */
export class HiddenFiles {
  readonly #optionsOf: (root: string) => WalkOptions;
  readonly #rules = new Map<string, CurrentRules>();
  readonly #kept = new WeakMap<OpenIndex, Kept>();

  constructor(optionsOf: (root: string) => WalkOptions) {
    this.#optionsOf = optionsOf;
  }

  /** Whether a file is hidden, by the rules as they are now. `path`: relative to the folder. */
  async has({ folder: { root } }: SearchedFolder, path: string): Promise<boolean> {
    return await this.#rulesOf(root).leftOut(path) !== null;
  }

  /** The hidden files of an index as they were found in the last seconds. Empty if none were looked for. */
  known({ index }: SearchedFolder): ReadonlySet<string> {
    const kept = this.#kept.get(index);
    return kept !== undefined && performance.now() < kept.until ? kept.paths : NONE;
  }

  /** All hidden files of an index. `isFresh`: by the rules as they are now, not as they were in the last seconds. */
  async all({ folder: { root }, index }: SearchedFolder, isFresh = false): Promise<ReadonlySet<string>> {
    const began = performance.now();
    const kept = this.#kept.get(index);
    if (!isFresh && kept !== undefined && began < kept.until) return kept.paths;
    let last = began;
    const found = await this.#rulesOf(root).allLeftOut(index.files.map(({ path }) => path), async () => {
      if (performance.now() - last < SPELL_MS) return;
      await new Promise((resolve) => setTimeout(resolve));
      last = performance.now();
    });
    const took = performance.now() - began;
    // The same set stands for the same files.
    const paths = kept !== undefined && isSame(kept.paths, found) ? kept.paths : found;
    this.#kept.set(index, { paths, until: began + took + Math.max(KEPT_MS, KEPT_TIMES * took) });
    return paths;
  }

  /** The hidden files of selected chunks, and of the other places that say the same, by their folders. */
  async among(
    selected: readonly SelectedChunk[],
    folders: readonly SearchedFolder[],
  ): Promise<Map<SearchedFolder, Set<string>>> {
    const folderOf = new Map(folders.map((folder) => [folder.index, folder]));
    const found = new Map<SearchedFolder, Set<string>>();
    for (const { index, file } of selected.flatMap((chunk) => [chunk, ...chunk.also])) {
      const folder = folderOf.get(index)!;
      const { path } = index.files[file]!;
      if (await this.has(folder, path)) found.set(folder, (found.get(folder) ?? new Set()).add(path));
    }
    return found;
  }

  #rulesOf(root: string): CurrentRules {
    let rules = this.#rules.get(root);
    if (rules === undefined) this.#rules.set(root, rules = new CurrentRules(root, this.#optionsOf(root)));
    return rules;
  }
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}
