import { binaryReason, typeByName } from "./classify.ts";
import { IgnoreRules } from "./_ignore_rules.ts";
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

/** State that all folders of a walk share. */
interface Everywhere {
  readonly own: OwnPlaces;
  readonly includeEndings: readonly string[];
}

/** Rules that decide about a folder's entries before they are looked at. */
export class NameRules {
  readonly #everywhere: Everywhere;
  readonly #ignored: IgnoreRules;
  readonly #exclude: Patterns;
  /** The patterns still to be matched for a file to be taken; null if every file is. */
  readonly #include: Patterns | null;

  private constructor(
    everywhere: Everywhere,
    ignored: IgnoreRules,
    exclude: Patterns,
    include: Patterns | null,
  ) {
    this.#everywhere = everywhere;
    this.#ignored = ignored;
    this.#exclude = exclude;
    this.#include = include;
  }

  /** The rules for what is in `root`, a real path. */
  static of(root: string, { include, exclude, ownPlaces }: RuleOptions): NameRules {
    // People write `*.md` and mean README.MD too.
    const patterns = (lines: readonly string[]) => Patterns.of(lines, { ignoreCase: true });
    const includeEndings = include.filter((pattern) => !pattern.startsWith("!"))
      .map((pattern) => pattern.trim().toLowerCase());
    const own = new OwnPlaces(root, ownPlaces);
    return new NameRules(
      { own, includeEndings },
      IgnoreRules.none(),
      patterns(exclude),
      include.length > 0 ? patterns(include) : null,
    );
  }

  /** These rules and those of the folder's own ignore files. */
  withIgnored(patterns: Patterns): NameRules {
    return new NameRules(this.#everywhere, this.#ignored.with(patterns), this.#exclude, this.#include);
  }

  /** The rules for what is in a folder of this one, which must not be left out itself. */
  below(folder: string): NameRules {
    const isIncluded = this.#include === null || this.#include.verdict(folder, true) === true;
    return new NameRules(
      this.#everywhere,
      this.#ignored.below(folder),
      this.#exclude.below(folder),
      isIncluded ? null : this.#include.below(folder),
    );
  }

  /** Why the entry is left out, or null. `path`: its path below the root, `/` between its parts. */
  byName(
    { name, isDirectory, isFile }: Pick<Deno.DirEntry, "name" | "isDirectory" | "isFile">,
    path: string,
  ): SkipReason | null {
    if (this.#everywhere.own.has(path)) return "own";
    if (name.startsWith(".")) return "hidden";
    if (this.#ignored.matches(name, isDirectory)) return "ignored";
    if (this.#exclude.verdict(name, isDirectory) === true) return "excluded";
    if (!isFile) return null;
    if (this.#include !== null && this.#include.verdict(name, false) !== true) return "excluded";
    return typeByName(name) === "binary" && !this.#isNamed(name) ? binaryReason(name) : null;
  }

  /** Whether the user asked for files of this kind, not just for the folder they are in. */
  #isNamed(name: string): boolean {
    const lower = name.toLowerCase();
    const extension = lower.slice(lower.lastIndexOf("."));
    return this.#everywhere.includeEndings.some((pattern) =>
      pattern.endsWith(extension) || pattern.endsWith(lower)
    );
  }
}
