import { comparable, HOST_STYLE, isInside, pathModule, toPortable } from "../sandbox/mod.ts";
import { binaryReason, isPictureName, typeByName } from "./classify.ts";
import { IgnoreRules } from "./_ignore_rules.ts";
import { Patterns } from "./patterns.ts";
import type { SkipReason } from "./types.ts";

const { relative } = pathModule(HOST_STYLE);

/** Options that decide which names are included. */
export interface RuleOptions {
  /**
   * Patterns in the syntax of `.gitignore`, relative to the root. If there are any, only files that match one are included.
   * A pattern that ends in a file's extension (`*.svg`) or name includes the file although its name says that it is not
   * text.
   */
  readonly include: readonly string[];
  /** Patterns in the same syntax. Files and whole folders that match are excluded. */
  readonly exclude: readonly string[];
  /** Whether `.gitignore` and `.muxueragignore` are read. */
  readonly ignoreFiles: boolean;
  /** Whether pictures are included, because their text is recognised. Default: false. */
  readonly pictures?: boolean;
  /**
   * Real paths of the program's own files and folders. Those in the walked folder are excluded, whatever the patterns say.
   */
  readonly ownPlaces?: readonly string[] | undefined;
}

/** The rules that all folders of a walk share. */
interface SharedRules {
  readonly own: OwnPlaces;
  readonly includeEndings: readonly string[];
  readonly pictures: boolean;
}

/** The rules that decide by name which entries of a folder are included. */
export class NameRules {
  readonly #shared: SharedRules;
  readonly #ignored: IgnoreRules;
  readonly #exclude: Patterns;
  /** The patterns of which a file must match one; null if every file is included. */
  readonly #include: Patterns | null;

  private constructor(
    shared: SharedRules,
    ignored: IgnoreRules,
    exclude: Patterns,
    include: Patterns | null,
  ) {
    this.#shared = shared;
    this.#ignored = ignored;
    this.#exclude = exclude;
    this.#include = include;
  }

  /** The rules for the entries of `root`, a real path. */
  static of(root: string, { include, exclude, pictures = false, ownPlaces }: RuleOptions): NameRules {
    // `*.md` is meant to match README.MD too.
    const patterns = (lines: readonly string[]) => Patterns.of(lines, { ignoreCase: true });
    const includeEndings = include.filter((pattern) => !pattern.startsWith("!"))
      .map((pattern) => pattern.trim().toLowerCase());
    const own = new OwnPlaces(root, ownPlaces);
    return new NameRules(
      { own, includeEndings, pictures },
      IgnoreRules.none(),
      patterns(exclude),
      include.length > 0 ? patterns(include) : null,
    );
  }

  /** Adds the rules of the folder's own ignore files. */
  withIgnored(patterns: Patterns): NameRules {
    return new NameRules(this.#shared, this.#ignored.with(patterns), this.#exclude, this.#include);
  }

  /** The rules for the entries of a subfolder that is included itself. */
  below(folder: string): NameRules {
    const isIncluded = this.#include === null || this.#include.verdict(folder, true) === true;
    return new NameRules(
      this.#shared,
      this.#ignored.below(folder),
      this.#exclude.below(folder),
      isIncluded ? null : this.#include.below(folder),
    );
  }

  /** Why the entry is excluded, or null. `path`: its path below the root, separated by `/`. */
  byName(
    { name, isDirectory, isFile }: Pick<Deno.DirEntry, "name" | "isDirectory" | "isFile">,
    path: string,
  ): SkipReason | null {
    if (this.#shared.own.has(path)) return "own";
    if (name.startsWith(".")) return "hidden";
    if (this.#ignored.matches(name, isDirectory)) return "ignored";
    if (this.#exclude.verdict(name, isDirectory) === true) return "excluded";
    if (!isFile) return null;
    if (this.#include !== null && this.#include.verdict(name, false) !== true) return "excluded";
    if (this.#shared.pictures && isPictureName(name)) return null;
    return typeByName(name) === "binary" && !this.#isNamed(name) ? binaryReason(name) : null;
  }

  /** Whether a pattern of `include` names the file or its extension, and not only a folder. */
  #isNamed(name: string): boolean {
    const lower = name.toLowerCase();
    const extension = lower.slice(lower.lastIndexOf("."));
    return this.#shared.includeEndings.some((pattern) =>
      pattern.endsWith(extension) || pattern.endsWith(lower)
    );
  }
}

/**
 * Paths inside the folder that belong to the program (logs, configuration) and must not be indexed. A place that is the
 * folder itself or contains it excludes nothing, because the user named that folder for its documents.
 */
class OwnPlaces {
  /** Paths relative to the folder, normalized for comparison. */
  readonly #below: ReadonlySet<string>;

  /** `root` and `places`: real paths. */
  constructor(root: string, places: readonly string[] = []) {
    const inside = places.filter((place) => isInside(place, root) && !isInside(root, place));
    this.#below = new Set(inside.map((place) => formOf(toPortable(relative(root, place)))));
  }

  /** Whether `path`, relative to the folder and separated by `/`, is one of the places. Paths below a place give false. */
  has(path: string): boolean {
    return this.#below.size > 0 && this.#below.has(formOf(path));
  }
}

/** A path normalized for comparison: Windows treats `Logs` and `logs` as equal. */
function formOf(path: string): string {
  return toPortable(comparable(path));
}
