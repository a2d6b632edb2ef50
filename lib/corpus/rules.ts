import { typeByName } from "./classify.ts";
import { OwnPlaces } from "./own_places.ts";
import { Patterns } from "./patterns.ts";
import type { SkipReason } from "./types.ts";

/** Which names are taken and left. */
export interface RuleOptions {
  /**
   * Patterns in the manner of `.gitignore`, counted from the root. If there are any, only files that one of
   * them matches are taken. One that ends in a file's extension (`*.svg`) or name takes it although its name
   * says it is not text.
   */
  readonly include: readonly string[];
  /** Patterns like those: what they match is left out, folders whole. */
  readonly exclude: readonly string[];
  /** Whether `.gitignore` and `.muxueragignore` count. */
  readonly ignoreFiles: boolean;
  /**
   * Real paths of what is the program's own, wherever they lie: files and whole folders. What of them is in the folder is
   * left out, whatever the patterns say.
   */
  readonly ownPlaces?: readonly string[] | undefined;
}

/** What can be said of an entry before it is looked at. */
export class NameRules {
  readonly #own: OwnPlaces;
  readonly #include: Patterns | null;
  readonly #exclude: Patterns;
  readonly #includeEndings: readonly string[];

  /** `root`: real path. */
  constructor(root: string, { include, exclude, ownPlaces }: RuleOptions) {
    this.#own = new OwnPlaces(root, ownPlaces);
    // People write `*.md` and mean README.MD too.
    const all = (patterns: readonly string[]) =>
      Patterns.create({ ignoreCase: true, trusted: true }).with(patterns, "");
    this.#include = include.length > 0 ? all(include) : null;
    this.#exclude = all(exclude);
    this.#includeEndings = include.filter((pattern) => !pattern.startsWith("!")).map((p) =>
      p.trim().toLowerCase()
    );
  }

  /** Why the entry at `path` is left out, or null. `ignored`: the rules of the ignore files that hold there. */
  byName(
    { name, isDirectory, isFile }: Pick<Deno.DirEntry, "name" | "isDirectory" | "isFile">,
    path: string,
    ignored: Patterns,
  ): SkipReason | null {
    if (this.#own.has(path)) return "own";
    if (name.startsWith(".")) return "hidden";
    const asPattern = isDirectory ? `${path}/` : path;
    if (ignored.matches(asPattern)) return "ignored";
    if (this.#exclude.matches(asPattern)) return "excluded";
    if (!isFile) return null;
    if (this.#include !== null && !this.#include.matches(path)) return "excluded";
    return typeByName(name) === "binary" && !this.#isNamed(name) ? "binary_type" : null;
  }

  /** Whether the user asked for files of this kind, not just for the folder they are in. */
  #isNamed(name: string): boolean {
    const lower = name.toLowerCase();
    const extension = lower.slice(lower.lastIndexOf("."));
    return this.#includeEndings.some((pattern) => pattern.endsWith(extension) || pattern.endsWith(lower));
  }
}
