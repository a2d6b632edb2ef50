/** Sets of paths, such as those that a walk looks at. */

/**
 * A set of relative paths, `/` between their parts. A path stands for itself and for all that lies below it.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { PathTree } from "./path_tree.ts";
 *
 * const tree = PathTree.of(["a/b"]);
 * equal(tree.has("a/b/c.md"), true);
 * equal(tree.has("a/c.md"), false);
 * ```
 */
export class PathTree {
  #isWhole = false;
  readonly #children = new Map<string, PathTree>();

  /** `""` stands for every path. */
  static of(paths: Iterable<string>): PathTree {
    const tree = new PathTree();
    for (const path of paths) tree.add(path);
    return tree;
  }

  /** Whether every path is in the set. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The first parts of the paths that are in the set. */
  get names(): Iterable<string> {
    return this.#children.keys();
  }

  /** The paths below `name`, without it; `undefined` if none of them is in the set. */
  below(name: string): PathTree | undefined {
    return this.#children.get(name);
  }

  add(path: string): void {
    if (path === "") {
      this.#isWhole = true;
      return;
    }
    const [name, rest] = split(path);
    let child = this.#children.get(name);
    if (child === undefined) this.#children.set(name, child = new PathTree());
    child.add(rest);
  }

  /** Whether a path or one of its folders is in the set. */
  has(path: string): boolean {
    if (this.#isWhole) return true;
    if (path === "") return false;
    const slash = path.indexOf("/");
    if (slash < 0) return this.#children.get(path)?.isWhole ?? false;
    return this.#children.get(path.slice(0, slash))?.has(path.slice(slash + 1)) ?? false;
  }
}

/** The first part of a path, and the others. */
function split(path: string): [string, string] {
  const slash = path.indexOf("/");
  return slash < 0 ? [path, ""] : [path.slice(0, slash), path.slice(slash + 1)];
}
