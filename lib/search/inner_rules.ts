import { type Config, folderConfig } from "../config/mod.ts";
import { isLeftOutByName, type WalkOptions, walkOptions } from "../corpus/mod.ts";
import type { StoredFile } from "../index/mod.ts";
import { isInside, toPortable } from "../sandbox/mod.ts";
import type { IndexStore, OpenIndex } from "../store/mod.ts";
import { belowTest } from "./query/mod.ts";
import type { Below } from "./scope.ts";
import { ServedFolder } from "./served_folder.ts";

/** Whether a file may be found. `path`: relative to its served folder, `/` between the parts. */
export type PathTest = (path: string) => boolean;

/** Input of {@linkcode servedFolders}. */
export interface ServedFoldersOptions {
  readonly roots: readonly string[];
  readonly config: Config;
  readonly ownPlaces: readonly string[];
  readonly storeOf: (root: string) => IndexStore;
}

/** The served folders. A file in one inside of another is found by the rules of the inner one, by which it is read. */
export function servedFolders({ roots, config, ownPlaces, storeOf }: ServedFoldersOptions): ServedFolder[] {
  const optionsOf = (root: string) => walkOptions(folderConfig(config, root), ownPlaces);
  return [...new Set(roots)].map((root) =>
    new ServedFolder(storeOf(root), innerRules(root, roots, optionsOf))
  );
}

/**
 * Returns whether files of the served folder `root` may be found by the rules of the innermost folder inside of it. `undefined` if there is no served folder inside.
 */
function innerRules(
  root: string,
  roots: readonly string[],
  optionsOf: (root: string) => WalkOptions,
): PathTest | undefined {
  const inner = roots.filter((other) => other !== root && isInside(other, root))
    .sort((a, b) => b.length - a.length)
    .map((other) => {
      const below = toPortable(other.slice(root.length)).replace(/^\//, "");
      return { root: other, prefix: `${below}/`, options: optionsOf(other) };
    });
  if (inner.length === 0) return undefined;
  const known = new Map<string, boolean>();
  return (path) => {
    const one = inner.find(({ prefix }) => path.startsWith(prefix));
    if (one === undefined) return true;
    let isShown = known.get(path);
    if (isShown === undefined) {
      isShown = !isLeftOutByName(one.root, path.slice(one.prefix.length), one.options);
      known.set(path, isShown);
    }
    return isShown;
  };
}

/** Returns the tests of the paths of indexes, or `undefined` if all of their files may be found. */
export function pathTests(
  folderOf: ReadonlyMap<OpenIndex, ServedFolder>,
  below: Below,
): ((index: OpenIndex) => PathTest) | undefined {
  if (below.size === 0 && folderOf.values().every(({ shows }) => shows === undefined)) return undefined;
  return (index) => {
    const { root, shows } = folderOf.get(index)!;
    const isBelow = belowTest(below.get(root));
    return shows === undefined ? isBelow : (path) => isBelow(path) && shows(path);
  };
}

/** The files of each index that may be found, if these are not all. */
const SHOWN = new WeakMap<OpenIndex, readonly StoredFile[]>();

/** The files of an index that may be found, each time the same list. */
export function shownFiles({ shows }: ServedFolder, index: OpenIndex): readonly StoredFile[] {
  if (shows === undefined) return index.files;
  let files = SHOWN.get(index);
  if (files === undefined) SHOWN.set(index, files = index.files.filter(({ path }) => shows(path)));
  return files;
}
