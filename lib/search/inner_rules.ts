import { isLeftOutByName, type WalkOptions } from "../corpus/mod.ts";
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
  readonly optionsOf: (root: string) => WalkOptions;
  readonly storeOf: (root: string) => IndexStore;
}

/** The served folders. A file in one inside of another is found by the rules of the inner one, by which it is read. */
export function servedFolders({ roots, optionsOf, storeOf }: ServedFoldersOptions): ServedFolder[] {
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

/**
 * Returns the tests of the paths of indexes, or `undefined` if all of their files may be found. `hidden`: relative paths of files that
 * may not be found.
 */
export function pathTests(
  folderOf: ReadonlyMap<OpenIndex, ServedFolder>,
  below: Below,
  hidden: ReadonlyMap<OpenIndex, ReadonlySet<string>>,
): ((index: OpenIndex) => PathTest) | undefined {
  const isAll = below.size === 0 && folderOf.values().every(({ shows }) => shows === undefined) &&
    hidden.values().every(({ size }) => size === 0);
  if (isAll) return undefined;
  return (index) => {
    const { root, shows = () => true } = folderOf.get(index)!;
    const isBelow = belowTest(below.get(root));
    const without = hidden.get(index);
    return (path) => isBelow(path) && shows(path) && without?.has(path) !== true;
  };
}

/** The files of each index that may be found, if these are not all. */
const SHOWN = new WeakMap<
  OpenIndex,
  { readonly hidden: ReadonlySet<string>; readonly files: readonly StoredFile[] }
>();

/** The files of an index that may be found, each time the same list for the same `hidden` files. */
export function shownFiles(
  { shows = () => true }: ServedFolder,
  index: OpenIndex,
  hidden: ReadonlySet<string>,
): readonly StoredFile[] {
  const known = SHOWN.get(index);
  if (known?.hidden === hidden) return known.files;
  const shown = index.files.filter(({ path }) => shows(path) && !hidden.has(path));
  const files = shown.length === index.files.length ? index.files : shown;
  SHOWN.set(index, { hidden, files });
  return files;
}
