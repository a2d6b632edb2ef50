/**
 * The rules that decide by name which entries of a folder are included.
 * Below them: the rules of ignore files, those of parent folders included, and how the files are read.
 */
import {
  comparable,
  fileError,
  HOST_STYLE,
  isInside,
  linkTargetInside,
  lookAtSync,
  pathModule,
  portablePattern,
  toPortable,
} from "#foundation/boundary/mod.ts";
import { createHash } from "node:crypto";
import {
  binaryReason,
  bytesToText,
  isArchiveName,
  isMediaKind,
  isPictureName,
  typeByName,
} from "#documents/mod.ts";
import { patternLines, Patterns } from "#foundation/patterns.ts";
import type { SkipReason } from "./types.ts";
import { UserError } from "#foundation/errors.ts";
import { OS } from "#foundation/runtime.ts";
import type { MessageKey, MessageParams } from "#foundation/messages/mod.ts";
import { documentError, readFileBytes } from "./read.ts";

const { relative } = pathModule(HOST_STYLE);

/** Options that decide which names are included. */
export interface RuleOptions {
  /**
   * Patterns in the syntax of `.gitignore`, relative to the root. If there are any, only files that match one are included. A
   * pattern that ends in a file's extension (`*.svg`) or name includes the file although its name says that it is not text.
   */
  readonly include: readonly string[];
  /** Patterns in the same syntax. Files and whole folders that match are excluded. */
  readonly exclude: readonly string[];
  /** Whether `.gitignore` and `.muxueragignore` are read. */
  readonly ignoreFiles: boolean;
  /** Whether pictures are included, because their text is recognised. Default: false. */
  readonly pictures?: boolean;
  /** Whether archives are included, as folders. Default: false. */
  readonly archives?: boolean;
  /**
   * Real paths of the program's own files and folders. Those in the walked folder are excluded, whatever the patterns say.
   */
  readonly ownPlaces?: readonly string[] | undefined;
  /** Relative paths of the files that the user took out of the index. Default: none. */
  readonly removed?: ReadonlySet<string> | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** The rules that all folders of a walk share. */
interface SharedRules {
  /**
   * Paths inside the folder that belong to the program (logs, configuration) and must not be indexed, normalized for comparison. A place
   * that is the folder itself or contains it excludes nothing, because the user named that folder for its documents.
   */
  readonly own: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly includeEndings: readonly string[];
  readonly pictures: boolean;
  readonly archives: boolean;
  /** The ending of the last name, and whether it says that the file is no archive, picture or binary file. */
  readonly last: { ending: string; isPlain: boolean };
}

/** The rules that decide by name which entries of a folder are included. */
export class NameRules {
  private constructor(
    readonly shared: SharedRules,
    /** The rules of the ignore files that apply to the folder: the parents' first, its own last. */
    readonly ignored: readonly Patterns[],
    readonly exclude: Patterns,
    /** The patterns of which a file must match one; null if every file is included. */
    readonly include: Patterns | null,
  ) {}

  /** The rules for the entries of `root`, a real path. */
  static of(
    root: string,
    { include, exclude, pictures = false, archives = false, ownPlaces = [], removed = NONE }: RuleOptions,
  ): NameRules {
    // `*.md` is meant to match README.MD too.
    const patterns = (lines: readonly string[]) =>
      Patterns.of(lines.map((line) => portablePattern(line)), { ignoreCase: true });
    const includeEndings = include.filter((pattern) => !pattern.startsWith("!"))
      .map((pattern) => pattern.trim().toLowerCase());
    const inside = ownPlaces.filter((place) => isInside(place, root) && !isInside(root, place));
    const own = new Set(inside.map((place) => formOf(toPortable(relative(root, place)))));
    const included = include.length > 0 ? patterns(include) : null;
    const shared = {
      own,
      removed,
      includeEndings,
      pictures,
      archives,
      last: { ending: ".", isPlain: false },
    };
    return new NameRules(shared, [], patterns(exclude), included);
  }

  /** Adds the rules of the folder's own ignore files. */
  withIgnored(patterns: Patterns): NameRules {
    return new NameRules(this.shared, [...this.ignored, patterns], this.exclude, this.include);
  }

  /** The rules for the entries of a subfolder that is included itself. */
  below(folder: string): NameRules {
    const isIncluded = this.include === null || this.include.verdict(folder, true) === true;
    return new NameRules(
      this.shared,
      this.ignored.map((layer) => layer.below(folder)).filter(({ isEmpty }) => !isEmpty),
      this.exclude.below(folder),
      isIncluded ? null : this.include.below(folder),
    );
  }

  /** A text that differs if other files of a folder are included. */
  get digest(): string {
    const { shared: { pictures, includeEndings, removed }, ignored, exclude, include } = this;
    const layers = [...ignored, exclude, ...(include === null ? [] : [include])].map(({ source }) => source);
    // Any file that is taken out may be one of an archive.
    const out = removed.size === 0 ? [] : [[...removed]];
    const all = JSON.stringify([layers, include === null, pictures, includeEndings, ...out]);
    return createHash("sha256").update(all).digest("hex").slice(0, 16);
  }

  /** Whether the entry is an archive, which is a folder for the rules. */
  isArchive({ name, isFile }: Pick<Deno.DirEntry, "name" | "isFile">): boolean {
    return isFile && this.shared.archives && !this.#isPlain(name) && isArchiveName(name);
  }

  /** Why the entry is excluded, or null. `path`: its path below the root, separated by `/`. */
  byName(
    { name, isDirectory, isFile }: Pick<Deno.DirEntry, "name" | "isDirectory" | "isFile">,
    path: string,
  ): SkipReason | null {
    const { shared: { own, removed, pictures, archives }, exclude, include } = this;
    if (own.size > 0 && own.has(formOf(path))) return "own";
    if (removed.size > 0 && removed.has(path)) return "removed";
    if (name.startsWith(".")) return "hidden";
    if (this.#isIgnored(name, isDirectory)) return "ignored";
    if (exclude.verdict(name, isDirectory) === true) return "excluded";
    if (!isFile) return null;
    if (include !== null && include.verdict(name, false) !== true) return "excluded";
    if (this.#isPlain(name) || pictures && isPictureName(name)) return null;
    if (!archives && isArchiveName(name) && !this.#isNamed(name)) return "archive";
    return typeByName(name) === "binary" && !this.#isNamed(name) ? binaryReason(name) : null;
  }

  /** Whether the ending of a name says that the file is no archive, picture or binary file. Neighbours often have the same ending. */
  #isPlain(name: string): boolean {
    const dot = name.lastIndexOf("."), { last } = this.shared;
    if (dot < 0) return false;
    if (name.length - dot !== last.ending.length || !name.endsWith(last.ending)) {
      last.ending = name.slice(dot);
      const any = `any${last.ending}`;
      last.isPlain = !isArchiveName(any) && !isPictureName(any) && typeByName(any) !== "binary";
    }
    return last.isPlain;
  }

  #isIgnored(name: string, isFolder: boolean): boolean {
    for (let at = this.ignored.length - 1; at >= 0; at--) {
      const verdict = this.ignored[at]!.verdict(name, isFolder);
      if (verdict !== undefined) return verdict;
    }
    return false;
  }

  /** Whether a pattern of `include` names the file or its extension, and not only a folder. */
  #isNamed(name: string): boolean {
    const lower = name.toLowerCase();
    const extension = lower.slice(lower.lastIndexOf("."));
    return this.shared.includeEndings.some((pattern) =>
      pattern.endsWith(extension) || pattern.endsWith(lower)
    );
  }
}

/** A path normalized for comparison: Windows treats `Logs` and `logs` as equal. */
function formOf(path: string): string {
  return toPortable(comparable(path));
}

/** Files with rules for other files. The later one wins. */
const IGNORE_FILES = [".gitignore", ".muxueragignore"];
const MIB = 1024 * 1024;
/** Bytes. Larger ignore files are refused. */
const MAX_IGNORE_FILE = MIB;
/** The default of git (core.ignoreCase). */
export const IGNORES_CASE = OS !== "linux";

/** The error for an unusable ignore file by the error of reading it. */
const PROBLEMS: ReadonlyMap<MessageKey, MessageKey> = new Map([
  ["not_a_file", "ignore_file_not_a_file"],
  ["no_permission", "ignore_file_no_permission"],
  ["file_too_large", "ignore_file_too_large"],
  ["not_text", "ignore_file_not_text"],
  ["unsupported_encoding", "ignore_file_not_text"],
]);

const { join } = pathModule(HOST_STYLE);

/**
 * The rules of the ignore files in the folder `path` below `root`; null if there are none.
 *
 * An ignore file may have any encoding and may be a link to a file within `root`. Git reads UTF-8 only, and skips an ignore
 * file that is a link or a folder. Here an ignore file that cannot be read as rules is an error, so that the files that it
 * excludes are not indexed. Throws `UserError` `ignore_file_…` with the file's `path`.
 *
 * @param names the names in the folder that begin with a dot, if they are known
 * @param onLink called with the relative path of an ignore file that is a link
 */
export async function readIgnoreFiles(
  root: string,
  path: string,
  names?: readonly string[],
  onLink?: (path: string) => void,
): Promise<Patterns | null> {
  const present = names && new Set(names.map(asNamed));
  const lines: string[] = [];
  for (const name of IGNORE_FILES) {
    if (!(present?.has(name) ?? true)) continue;
    const linked = () => onLink?.(path === "" ? name : `${path}/${name}`);
    lines.push(...await readLines(root, join(root, path, name), linked));
  }
  return lines.length > 0 ? Patterns.of(lines, { ignoreCase: IGNORES_CASE }) : null;
}

/** Returns the lines of each ignore file in the folder `path` below `root`, the one whose rules win last. Throws as {@linkcode readIgnoreFiles}. */
export async function ignoreLines(
  root: string,
  path: string,
): Promise<{ readonly file: string; readonly lines: readonly string[] }[]> {
  const found: { readonly file: string; readonly lines: readonly string[] }[] = [];
  for (const file of IGNORE_FILES) {
    found.push({ file, lines: await readLines(root, join(root, path, file), () => {}) });
  }
  return found;
}

/**
 * A text that changes with the ignore files in the folder `path` below `root`; `undefined` if that cannot be known, as for
 * links.
 */
export function ignoreFilesState(root: string, path: string): string | undefined {
  const states: string[] = [];
  for (const name of IGNORE_FILES) {
    try {
      const info = lookAtSync(join(root, path, name));
      if (info?.isSymlink) return undefined;
      const { ino, size, mtime, ctime } = info ?? {};
      states.push(`${ino} ${size} ${mtime?.getTime()} ${ctime?.getTime()}`);
    } catch {
      return undefined;
    }
  }
  return states.join("\n");
}

/** Whether a file of this name has rules for other files. */
export function isIgnoreFile(name: string): boolean {
  return IGNORE_FILES.includes(asNamed(name));
}

/** The name of an ignore file in lower case, where the system ignores case: `.GITIGNORE` is a `.gitignore`. */
function asNamed(name: string): string {
  return IGNORES_CASE ? name.toLowerCase() : name;
}

async function readLines(root: string, path: string, onLink: () => void): Promise<string[]> {
  try {
    const info = lookAtSync(path);
    if (info === undefined) return [];
    if (info.isSymlink) onLink();
    const real = info.isSymlink ? await linkTargetInside(path, root) : path;
    if (real === undefined) throw new UserError("ignore_file_link", { path });
    const { bytes } = await readFileBytes(real, { maxBytes: MAX_IGNORE_FILE });
    const { text, replaced } = await bytesToText(bytes, { path }).catch((error) => {
      throw documentError(error, path, bytes.length);
    });
    const lines = patternLines(text);
    // A rule with an invalid character would match other names, or none.
    if (replaced > 0 && lines.some((line) => !line.startsWith("#") && line.includes("\ufffd"))) {
      throw new UserError("not_text", { path });
    }
    return lines;
  } catch (error) {
    throw problemOf(fileError(error, path), path);
  }
}

function problemOf(error: UserError, path: string): UserError {
  if (error.key === "ignore_file_link") return error;
  const params: MessageParams = { path, limit: MAX_IGNORE_FILE / MIB, error: error.message };
  return new UserError(PROBLEMS.get(error.key) ?? "ignore_file_unreadable", params, { cause: error });
}

/** Whether the reason is the type of the file, not a rule. */
export function isByType(reason: SkipReason): boolean {
  return reason === "binary_type" || reason === "no_loader" || isMediaKind(reason);
}
