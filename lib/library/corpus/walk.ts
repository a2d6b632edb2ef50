/**
 * Lists the files of a folder in order, with the reason for each one that is skipped.
 * Below it: names that are not UTF-8.
 */
import { type Config, readsPictures } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { DATA_FOLDER } from "#foundation/constants.ts";
import {
  fileError,
  findEntries,
  HOST_STYLE,
  linkLeadsOut,
  listFolder,
  lookAtSync,
  pathModule,
} from "#foundation/boundary/mod.ts";
import { isByType, NameRules, readIgnoreFiles, type RuleOptions } from "./rules.ts";
import type { Found, SkipReason } from "./types.ts";
import { PathTree } from "./path_tree.ts";

/** Options of {@linkcode walk}. */
export interface WalkOptions extends RuleOptions {
  /** Larger files are skipped. */
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the relative path of each folder before it is listed, `""` for the root. */
  readonly onFolder?: ((path: string) => void) | undefined;
  /** Called with the relative path of each ignore file that is a link: its rules change without an event in the folder. */
  readonly onLinkedRules?: ((path: string) => void) | undefined;
  /** The files that an index has. Those that are still the same are not reported. */
  readonly known?: KnownFiles | undefined;
  /** The files in an archive that was reported. Without it no archive is opened. */
  readonly entriesOf?: ((archive: string) => readonly InnerFile[]) | undefined;
  /** Only these paths and their folders are looked at, by the same rules. */
  readonly only?: PathTree | undefined;
}

/** The files of an index, for a walk that reports what is new. Folders with no other files, hidden ones aside, are listed faster. */
export interface KnownFiles {
  /** The number of the file at a path. */
  numberOf(path: string): number | undefined;
  /** Whether files lie below a folder. */
  hasFolder(path: string): boolean;
  /**
   * Takes note of a file that is not in an archive, and returns true if it is as the index has it. The rules include it.
   * Called in no order.
   */
  take(number: number, info: Deno.FileInfo): boolean | Promise<boolean>;
  /** Called after a number of files were taken. */
  taken(count: number): Promise<void>;
}

/** A file in an archive. */
export interface InnerFile {
  /** Path below the archive, `/` between its parts. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Bytes of a megabyte. */
const MEGABYTE = 1_000_000;

/** The options that the configuration asks for. `ownPlaces`: see {@linkcode WalkOptions}. */
export function walkOptions(config: Config, ownPlaces?: readonly string[]): WalkOptions {
  const { files } = config;
  return {
    include: files.include,
    exclude: files.exclude,
    ignoreFiles: files.ignore_files,
    pictures: readsPictures(config),
    archives: files.archives === "read",
    maxFileBytes: files.max_file_mb * MEGABYTE,
    ownPlaces,
  };
}

/** Milliseconds between pauses for timers and messages. */
const PAUSE_EVERY = 20;

/**
 * Deeper folders are skipped. Checking whether a path is real takes time that grows with the square of its depth, and it is
 * checked about fifteen times for each folder: 800 nested folders took minutes, 100 take a second.
 */
const MAX_DEPTH = 100;

/** Files between two calls of `taken`. A promise for each would take longer than all that is done for it but `lstat`. */
const TAKEN_AT_ONCE = 16;

const { join, sep } = pathModule(HOST_STYLE);

/**
 * Lists the content of the folder `root` (a real path), ordered by path (UTF-16 code units). Links are never followed.
 * `.muxue_rag` is not reported. A file or folder that cannot be read is reported as `failed`, and the walk continues; if
 * that is `root` itself, the walk throws `UserError`. Throws the reason of `signal` soon after it is aborted.
 *
 * With `only`, a folder may be reported that is not in it: one that is not a folder any more, or that is closed.
 *
 * A folder with an unusable ignore file is reported as `failed`, and its content is not listed. If that is `root`, the walk
 * throws `ignore_file_…`, and the index stays as it is.
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<Found> {
  const { signal } = options;
  let resumed = performance.now();

  yield* folder("", NameRules.of(root, options), 0, options.only);

  async function* folder(
    path: string,
    inherited: NameRules,
    depth: number,
    only: PathTree | undefined,
  ): AsyncGenerator<Found> {
    signal?.throwIfAborted();
    if (depth > MAX_DEPTH) {
      const error = new UserError("folder_too_deep", { limit: MAX_DEPTH });
      yield { kind: "failed", path, error, leftOut: true };
      return;
    }
    options.onFolder?.(path);
    const limit = only?.isWhole ? undefined : only;
    const below = (name: string) => path === "" ? name : `${path}/${name}`;
    const { known } = options;
    const place = join(root, path);
    let entries: readonly Deno.DirEntry[];
    try {
      entries = limit === undefined
        ? listFolder(place, known && ((entry) => isKnown(known, below(entry.name), entry)))
        : chosenEntries(place, limit);
    } catch (error) {
      if (path === "") throw directoryError(error, root);
      yield { kind: "failed", path, error };
      return;
    }
    let rules = inherited;
    try {
      const ignored = options.ignoreFiles
        ? await readIgnoreFiles(
          root,
          path,
          limit === undefined ? dotted(entries) : undefined,
          options.onLinkedRules,
        )
        : null;
      if (ignored !== null) rules = inherited.withIgnored(ignored);
    } catch (error) {
      if (path === "") throw error;
      yield { kind: "failed", path, error, leftOut: true };
      return;
    }

    if (limit !== undefined) {
      const there = new Set(entries.map(({ name }) => name));
      for (const name of limit.names) if (!there.has(name)) yield { kind: "gone", path: below(name) };
    }
    const strange = new StrangeNames(place, entries);
    const others = known === undefined ? entries : await withoutSame(place, path, entries, rules, known);
    for (const entry of inOrder(others)) {
      if (isDue()) await pause();
      const child = below(entry.name);
      if (entry.name === DATA_FOLDER) continue;
      const isArchive = rules.isArchive(entry);
      const reason = rules.byName(
        isArchive ? { name: entry.name, isDirectory: true, isFile: false } : entry,
        child,
      );
      const told = reason === null ? strange.nameOf(entry) : undefined;
      if (reason !== null) yield { kind: "skipped", path: child, reason };
      else if (told !== undefined) {
        yield { kind: "failed", path: below(told), error: new UserError("name_not_unicode") };
      } else if (entry.isSymlink) {
        yield { kind: "skipped", path: child, reason: await linkReason(root, child) };
      } else if (entry.isDirectory) {
        yield* folder(child, rules.below(entry.name), depth + 1, limit?.below(entry.name));
      } else {
        const found = file(root, child, options.maxFileBytes);
        if (found === null) continue;
        if (!isArchive || found.kind !== "file") yield found;
        else yield* archive(found, rules);
      }
    }
  }

  /** The entries of a folder without the files that are as an index has them. `place`: full path of the folder. */
  async function withoutSame(
    place: string,
    path: string,
    entries: readonly Deno.DirEntry[],
    rules: NameRules,
    known: KnownFiles,
  ): Promise<readonly Deno.DirEntry[]> {
    const before = path === "" ? "" : `${path}/`, start = place.endsWith(sep) ? place : place + sep;
    const others: Deno.DirEntry[] = [];
    let same = 0;
    for (const entry of entries) {
      if (isDue()) await pause();
      const isSame = takeSame(start, before, entry, rules, known);
      if (isSame !== true && !await isSame) others.push(entry);
      else if (++same % TAKEN_AT_ONCE === 0) await known.taken(TAKEN_AT_ONCE);
    }
    await known.taken(same % TAKEN_AT_ONCE);
    return others;
  }

  /** Whether the index has the file as it is. `start`, `before`: the full and the relative path of its folder, with a separator. */
  function takeSame(
    start: string,
    before: string,
    entry: Deno.DirEntry,
    rules: NameRules,
    known: KnownFiles,
  ): boolean | Promise<boolean> {
    if (!entry.isFile || entry.name.includes(REPLACEMENT)) return false;
    const child = before + entry.name;
    const number = known.numberOf(child);
    if (number === undefined || rules.isArchive(entry) || rules.byName(entry, child) !== null) return false;
    let info: Deno.FileInfo | undefined;
    try {
      info = lookAtSync(start + entry.name);
    } catch {
      // It is looked at again, and the error is reported.
      return false;
    }
    if (info === undefined || !info.isFile || info.size === 0 || info.size > options.maxFileBytes) {
      return false;
    }
    return known.take(number, info);
  }

  /** A turn of the event loop takes as long as the rest of the work for a file, so it is made only when due. */
  function isDue(): boolean {
    return performance.now() - resumed > PAUSE_EVERY;
  }

  async function pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    resumed = performance.now();
  }

  /** An archive, and the files in it. Those that a rule leaves out by name or place are not reported. */
  async function* archive(
    found: Extract<Found, { readonly kind: "file" }>,
    around: NameRules,
  ): AsyncGenerator<Found> {
    const { path } = found;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const inside = around.below(name);
    yield { ...found, archive: `${inside.digest}-${options.maxFileBytes}` };
    const folders = new Map<string, NameRules | null>([[path, inside]]);
    for (const { path: inner, size, mtimeMs } of options.entriesOf?.(path) ?? []) {
      if (isDue()) await pause();
      const child = `${path}/${inner}`;
      const slash = child.lastIndexOf("/");
      const reason = rulesIn(child.slice(0, slash), folders)
        ?.byName({ name: child.slice(slash + 1), isFile: true, isDirectory: false }, child);
      if (reason === undefined || reason !== null && !isByType(reason)) continue;
      const skip = reason ?? (size === 0 ? "empty" : size > options.maxFileBytes ? "too_large" : undefined);
      yield {
        kind: "file",
        path: child,
        size,
        mtimeMs,
        within: path,
        ...(skip === undefined ? {} : { skip }),
      };
    }
  }
}

/** The names that begin with a dot, as those of ignore files do. */
function dotted(entries: readonly Deno.DirEntry[]): string[] {
  return entries.filter(({ name }) => name.startsWith(".")).map(({ name }) => name);
}

function isKnown(known: KnownFiles, path: string, { name, isFile, isDirectory }: Deno.DirEntry): boolean {
  if (name.startsWith(".")) return true;
  return isFile ? known.numberOf(path) !== undefined : isDirectory && known.hasFolder(path);
}

/** The rules for the entries of a folder in an archive; null if it is left out. `known`: those of the folders around it. */
function rulesIn(folder: string, known: Map<string, NameRules | null>): NameRules | null {
  let rules = known.get(folder);
  if (rules === undefined) {
    const slash = folder.lastIndexOf("/");
    const name = folder.slice(slash + 1);
    const around = rulesIn(folder.slice(0, slash), known);
    const isLeftOut = around?.byName({ name, isFile: false, isDirectory: true }, folder) !== null;
    rules = around === null || isLeftOut ? null : around.below(name);
    known.set(folder, rules);
  }
  return rules;
}

/** Entries of one folder above which all of them are listed: a look at an entry costs as much as a listing of a hundred. */
const MOST_LOOKS = 200;

/** The entries of a folder that are in `only`; all entries, where one of them is listed under another spelling. */
function chosenEntries(folder: string, only: PathTree): readonly Deno.DirEntry[] {
  const names = [...only.names];
  const found = names.length > MOST_LOOKS ? undefined : findEntries(folder, names);
  if (found !== undefined) return found;
  const listed = listFolder(folder);
  const chosen = listed.filter(({ name }) => only.below(name) !== undefined);
  const there = new Set(chosen.map(({ name }) => name));
  return names.some((name) => !there.has(name) && exists(join(folder, name))) ? listed : chosen;
}

function exists(path: string): boolean {
  try {
    return lookAtSync(path) !== undefined;
  } catch {
    return true;
  }
}

/** Sorts by full path: a folder's content comes where its name followed by `/` would. */
function inOrder(entries: readonly Deno.DirEntry[]): Deno.DirEntry[] {
  return entries
    .map((entry) => ({ entry, key: entry.isDirectory ? `${entry.name}/` : entry.name }))
    .sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
    .map(({ entry }) => entry);
}

async function linkReason(root: string, path: string): Promise<SkipReason> {
  return await linkLeadsOut(join(root, path), root) ? "link_outside" : "link";
}

/** The result for a file, or null if it was removed after its folder was listed. */
function file(root: string, path: string, maxFileBytes: number): Found | null {
  let info: Deno.FileInfo | undefined;
  try {
    info = lookAtSync(join(root, path));
  } catch (error) {
    return { kind: "failed", path, error };
  }
  if (info === undefined) return null;
  if (!info.isFile) return { kind: "skipped", path, reason: "special" };
  if (info.size === 0) return { kind: "skipped", path, reason: "empty" };
  if (info.size > maxFileBytes) return { kind: "skipped", path, reason: "too_large" };
  const { size, mtime, ctime } = info;
  return {
    kind: "file",
    path,
    size,
    mtimeMs: mtime?.getTime() ?? 0,
    ...(ctime ? { ctimeMs: ctime.getTime() } : {}),
  };
}

function directoryError(error: unknown, root: string): UserError {
  const known = fileError(error, root);
  return known.key === "file_not_found"
    ? new UserError("directory_not_found", { path: root }, { cause: error })
    : known;
}

/** The runtime replaces bytes that are not UTF-8 by this character, and does not give the bytes. */
const REPLACEMENT = "\ufffd";

/**
 * Finds the names in a folder that are not UTF-8. By the name that the runtime gives, the system finds nothing, or another
 * file whose name really contains U+FFFD.
 */
class StrangeNames {
  readonly #folder: string;
  readonly #entries: readonly Deno.DirEntry[];
  /** The names in the folder, and the display names given so far. */
  #taken: Set<string> | undefined;
  /** Names that really contain U+FFFD. */
  readonly #found = new Set<string>();
  readonly #told = new Set<string>();
  /** The last number given for each listed name. */
  readonly #numbers = new Map<string, number>();

  /** `folder`: real path. */
  constructor(folder: string, entries: readonly Deno.DirEntry[]) {
    this.#folder = folder;
    this.#entries = entries;
  }

  /**
   * The display name of an entry that cannot be found by its listed name; `undefined` for any other entry. Entries that are
   * listed with the same name get numbers: `caf\ufffd.txt`, `caf\ufffd.txt (2)`.
   */
  nameOf(entry: Deno.DirEntry): string | undefined {
    if (!entry.name.includes(REPLACEMENT)) return undefined;
    if (!this.#found.has(entry.name) && this.#isFound(entry)) {
      this.#found.add(entry.name);
      return undefined;
    }
    const taken = this.#taken ??= new Set(this.#entries.map(({ name }) => name));
    let name = entry.name;
    const isFree = !this.#told.has(name) && !this.#found.has(name);
    let number = this.#numbers.get(entry.name) ?? 1;
    while (!isFree && taken.has(name)) name = `${entry.name} (${++number})`;
    this.#numbers.set(entry.name, number);
    taken.add(name);
    this.#told.add(name);
    return name;
  }

  #isFound({ name, isFile, isDirectory }: Deno.DirEntry): boolean {
    try {
      const info = lookAtSync(join(this.#folder, name));
      return info?.isFile === isFile && info.isDirectory === isDirectory;
    } catch {
      return false;
    }
  }
}
