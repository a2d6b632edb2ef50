import { basename, dirname, join, relative, sep } from "node:path";

/**
 * Returns a function that shortens full paths for readers: relative to the folder that was asked. With several folders, the
 * path begins with the folder's name, and with as many names before it as tell the folders apart.
 */
export function pathNames(roots: readonly string[]): (path: string) => string {
  const longestFirst = roots.toSorted((a, b) => b.length - a.length);
  const names = namesOf(roots);
  return (path) => {
    const root = longestFirst.find((root) => path.startsWith(root.endsWith(sep) ? root : root + sep));
    if (root === undefined) return path;
    return join(names.get(root)!, relative(root, path));
  };
}

function namesOf(roots: readonly string[]): Map<string, string> {
  const [only, ...others] = roots;
  if (only !== undefined && others.length === 0) return new Map([[only, ""]]);
  const names = new Map(roots.map((root) => [root, basename(root) || root]));
  const parents = new Map(roots.map((root) => [root, dirname(root)]));
  for (;;) {
    const same = roots.filter((root) =>
      roots.some((other) => other !== root && names.get(other) === names.get(root)) &&
      parents.get(root) !== dirname(parents.get(root)!)
    );
    if (same.length === 0) return names;
    for (const root of same) {
      const parent = parents.get(root)!;
      names.set(root, join(basename(parent), names.get(root)!));
      parents.set(root, dirname(parent));
    }
  }
}
