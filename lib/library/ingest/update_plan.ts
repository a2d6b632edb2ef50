/**
 * The plan of a run: the files of a folder compared with the records of its index, as a whole or where something has changed.
 */
import { join } from "node:path";
import {
  archivePrefixes,
  type Found,
  type InnerFile,
  isIgnoreFile,
  isMissed,
  type KnownFiles,
  PathTree,
  readFileBytes,
  type SkipReason,
  walk,
  type WalkOptions,
} from "#library/corpus/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import { formatOf } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { Extractor } from "#library/extract/mod.ts";
import { listInside } from "#library/archives/mod.ts";
import { openInside } from "#foundation/boundary/mod.ts";
import type { OpenIndex } from "#library/store/mod.ts";
import { present } from "#foundation/present.ts";
import { withoutChunks } from "./read_file.ts";
import type { FolderChanges, WalkedEntries } from "./types.ts";

/** A file of the folder, compared with its record in the previous index. */
export interface PlannedFile extends Pick<StoredFile, "path" | "size" | "mtimeMs" | "ctimeMs"> {
  /** Number of the file in the previous index. */
  readonly known?: number;
  /** Whether the record of the previous index stays: size and times are the same, or the file cannot be read at present. */
  readonly unchanged: boolean;
  /** Whether the document is extracted again although its content is the same. */
  readonly again?: boolean;
  /** See {@linkcode StoredFile}. */
  readonly archive?: string;
  /** The path of the archive that the file is in. */
  readonly within?: string;
  /** The reason why the file is not read, although the index has a record of it. */
  readonly skip?: SkipReason;
  /** The SHA-256 of an archive that was opened, in hexadecimal. */
  readonly sha256?: string;
  /** Why the index does not have all files of the archive. */
  readonly partly?: unknown;
  /** The error that the file gave, if the previous index does not have it yet. */
  readonly problem?: unknown;
}

/** The work of an indexing run. */
export interface UpdatePlan {
  /** In the order of their paths. */
  readonly files: readonly PlannedFile[];
  /** Files of the previous index that are gone or are left out now. */
  readonly removed: readonly StoredFile[];
  /** Number of files and folders that are left out by name, place or size, by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly walked: WalkedEntries;
  /** The skipped files that may hold what a user looks for, see {@linkcode isMissed}. */
  readonly missed: readonly { readonly path: string; readonly reason: SkipReason }[];
  readonly unreadable: readonly UnreadablePath[];
  /** Sum of the sizes of the files to read, in bytes. */
  readonly bytes: number;
}

/** A folder that could not be listed, or a file that could not be stat'ed. */
interface UnreadablePath {
  readonly path: string;
  readonly error: unknown;
  /** Whether the previous index has a record of the same failure. */
  readonly known: boolean;
}

/** Reasons that can go away without changing a file's size or time. Every run tries these files again. */
const PASSING = new Set(["no_permission", "file_not_found", "file_unreadable", "extractor_unavailable"]);

const NO_STAT = { size: 0, mtimeMs: 0 };

/** Options of {@linkcode planUpdate}. */
interface PlanOptions
  extends Omit<WalkOptions, "onFolder" | "onLinkedRules" | "only" | "known" | "entriesOf"> {
  /**
   * Whether the sizes, times and texts of the previous index can be relied on. If not, every file is read, and nothing is
   * kept of a file that cannot be read. Default: true.
   */
  readonly believed?: boolean;
  /** Age in milliseconds below which a changed file may still be written. It is left as it was. Default: 0. */
  readonly settleMs?: number | undefined;
  /**
   * The paths that have changed since the run that made the previous index. Only they are looked at. Default: the
   * whole folder is looked at.
   */
  readonly changes?: FolderChanges | undefined;
  /** Whether a file whose size and times are those of its record is read nevertheless. Default: no file is. */
  readonly isToRead?: ((old: StoredFile) => boolean | Promise<boolean>) | undefined;
  /** Lists the files of changed archives. Without it, the files of the previous index are kept. */
  readonly extractor?: Extractor | undefined;
}

/** Called while a folder is looked at. Absent functions are not called. */
interface PlanEvents {
  /** Paths that were looked at, since the last call. */
  readonly onPaths?: (count: number) => Promise<void>;
  readonly onSkipped?: (found: FoundAs<"skipped">) => void;
}

/** Walks the folder and compares it with the files of the previous index by path, size and times. */
export async function planUpdate(
  root: string,
  options: PlanOptions,
  previous: readonly StoredFile[],
  { onPaths = () => Promise.resolve(), onSkipped }: PlanEvents = {},
): Promise<UpdatePlan> {
  const { changes } = options;
  const planner = new Planner(root, previous, options, onPaths);
  const only = changes && pathsToLookAt(changes, previous);
  const { addFolder: onFolder, addLinkedRules: onLinkedRules, known, entriesOf } = planner;
  for await (const found of walk(root, { ...options, only, onFolder, onLinkedRules, known, entriesOf })) {
    only?.add(found.path);
    await onPaths(1);
    if (found.kind === "skipped") onSkipped?.(found);
    if (found.kind === "skipped") planner.addSkipped(found);
    else if (found.kind === "failed") planner.addUnreadable(found);
    else if (found.kind !== "file") continue;
    else if (found.archive !== undefined) await planner.addArchive({ ...found, archive: found.archive });
    else if (found.within !== undefined) await planner.addInner({ ...found, within: found.within });
    else await planner.addFile(found);
  }
  planner.keepBelowUnreadable();
  if (only !== undefined) planner.keepAllBut(only, changes!.since);
  return planner.finish();
}

/**
 * The paths that a run has to look at: those that have changed, and those that the last run could not settle. `undefined`:
 * all. `previous`: files of the index.
 */
function pathsToLookAt(
  { since, paths }: FolderChanges,
  previous: readonly StoredFile[],
): PathTree | undefined {
  if (since.hasLinkedRules) return undefined;
  const tree = new PathTree();
  for (const path of [...paths, ...since.unsettled]) tree.add(extentOf(path, since.folders));
  for (const file of previous) if (isFailure(file)) tree.add(extentOf(file.path, since.folders));
  return tree.isWhole ? undefined : tree;
}

/** Every run tries failed files again. Some of them have the text of an earlier run. */
export function isFailure({ status, reason }: StoredFile): boolean {
  return status === "failed" || status === "indexed" && reason !== undefined;
}

/** The file or the folder in which something may differ if there was a change at `path`. */
function extentOf(path: string, folders: ReadonlySet<string>): string {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const folder = path.slice(0, end);
    if (!folders.has(folder)) return extentInFolder(folder);
  }
  return extentInFolder(path);
}

/** Names that are not UTF-8 are listed under other names: the folder is looked at for them. */
function extentInFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  return isIgnoreFile(name) || path.includes("\ufffd") ? path.slice(0, Math.max(0, slash)) : path;
}

type FoundAs<Kind extends Found["kind"]> = Extract<Found, { readonly kind: Kind }>;

/** The files in an archive. */
interface Listed {
  /** Absent if they are those of the previous index, or if there are none. */
  readonly files?: readonly InnerFile[];
  /** Whether they are those of the previous index, as far as is known. */
  readonly isSame?: boolean;
  /** Absent if the archive could not be opened. */
  readonly sha256?: string;
  readonly partly?: unknown;
}

/** States of a file of the previous index: not found yet; found or kept; as the index has it. */
const UNSEEN = 0, SEEN = 1, SAME = 2;

/** Collects what the walk finds. */
class Planner {
  readonly #root: string;
  readonly #previous: readonly StoredFile[];
  readonly #options: PlanOptions;
  readonly #believed: boolean;
  /** Numbers in the previous index by path. */
  readonly #numbers = new Map<string, number>();
  /** For each file of the previous index one of the states above. */
  readonly #states: Uint8Array;
  #knownFolders: ReadonlySet<string> | undefined;
  /** The files that are not in the state {@linkcode SAME}. */
  readonly #files: PlannedFile[] = [];
  readonly #folders = new Set<string>();
  readonly #skipped = new Map<string, SkipReason>();
  readonly #unreadable: (UnreadablePath & { readonly leftOut: boolean })[] = [];
  readonly #unsettled = new Set<string>();
  #hasLinkedRules = false;
  /** Numbers of the files in each archive of the previous index. */
  readonly #inArchives: ReadonlyMap<string, readonly number[]>;
  /** The files in the archive that was added last, and whether they are those of the previous index. */
  #inner: { readonly files: readonly InnerFile[]; readonly areKept: boolean } = { files: [], areKept: false };

  /** Absent if the previous index cannot be relied on. */
  readonly known: KnownFiles | undefined;

  constructor(
    root: string,
    previous: readonly StoredFile[],
    options: PlanOptions,
    taken: KnownFiles["taken"],
  ) {
    this.#root = root;
    this.#previous = previous;
    this.#options = options;
    this.#believed = options.believed ?? true;
    this.#states = new Uint8Array(previous.length);
    for (let i = 0; i < previous.length; i++) this.#numbers.set(previous[i]!.path, i);
    this.#inArchives = filesInArchives(previous);
    this.known = this.#believed
      ? {
        numberOf: (path) => this.#unseen(path),
        // A run that looks at the changed files alone does not ask.
        hasFolder: (path) => (this.#knownFolders ??= foldersOf(previous)).has(path),
        take: (number, info) => this.#take(number, info),
        taken,
      }
      : undefined;
  }

  /** The number of a file of the previous index that the walk has not found yet. */
  #unseen(path: string): number | undefined {
    const number = this.#numbers.get(path);
    return number !== undefined && this.#states[number] === UNSEEN ? number : undefined;
  }

  /** Keeps a file of the previous index as it is, if its size and times are the same and it is not to be read for another reason. */
  #take(number: number, { size, mtime, ctime }: Deno.FileInfo): boolean | Promise<boolean> {
    const old = this.#previous[number]!;
    const isSame = size === old.size && (mtime?.getTime() ?? 0) === old.mtimeMs &&
      ctime?.getTime() === old.ctimeMs && !isPassing(old);
    if (!isSame) return false;
    const isToRead = this.#options.isToRead?.(old) ?? false;
    return typeof isToRead === "boolean"
      ? this.#takeUnless(isToRead, number)
      : isToRead.then((isToRead) => this.#takeUnless(isToRead, number));
  }

  #takeUnless(isToRead: boolean, number: number): boolean {
    if (!isToRead) this.#states[number] = SAME;
    return !isToRead;
  }

  #see(number: number | undefined): void {
    if (number !== undefined && this.#states[number] === UNSEEN) this.#states[number] = SEEN;
  }

  readonly addFolder = (path: string): void => void this.#folders.add(path);

  /** The files in the archive that was added last. */
  readonly entriesOf = (): readonly InnerFile[] => this.#inner.files;

  readonly addLinkedRules = (): void => void (this.#hasLinkedRules = true);

  addSkipped({ path, reason }: FoundAs<"skipped">): void {
    this.#skipped.set(path, reason);
  }

  /** Adds a path that could not be examined. An indexed file keeps its text. */
  addUnreadable({ path, error, leftOut = false }: FoundAs<"failed">): void {
    const known = this.#unseen(path);
    const old = known === undefined ? undefined : this.#previous[known]!;
    if (this.#believed && !leftOut) this.#keepInside(path);
    if (this.#believed && old?.status === "indexed" && !leftOut) {
      this.#keep(path, known!, old.reason === undefined ? { problem: error } : {});
    } else {
      const isKnown = this.#believed && old?.status === "failed" &&
        old.reason === withoutChunks(path, NO_STAT, error).reason;
      this.#unreadable.push({ path, error, known: isKnown, leftOut });
    }
    if (old?.status === "failed" || !leftOut && old?.status === "indexed") this.#see(known);
  }

  async addFile(found: FoundAs<"file">): Promise<void> {
    const { path, size, mtimeMs, ctimeMs } = found;
    const known = this.#unseen(path);
    const old = known === undefined ? undefined : this.#previous[known]!;
    this.#see(known);
    if (this.#believed && old !== undefined && isPassing(old) && !await this.#canOpen(path)) {
      return this.#keep(path, known!);
    }
    const isSame = this.#believed && old !== undefined && hasSameStat(found, old) && !isPassing(old);
    const again = isSame && await this.#options.isToRead?.(old) || undefined;
    if (!isSame && this.#mayBeWritten(mtimeMs)) {
      this.#unsettled.add(path);
      if (old !== undefined && this.#believed) this.#keep(path, known!, present({ ctimeMs: old.ctimeMs }));
      return;
    }
    this.#files.push(present({ path, size, mtimeMs, ctimeMs, known, unchanged: isSame && !again, again }));
  }

  /** Adds an archive. The files in it are added one by one after it, see {@linkcode entriesOf}. */
  async addArchive(found: FoundAs<"file"> & { readonly archive: string }): Promise<void> {
    const { path, size, mtimeMs, ctimeMs, archive } = found;
    const known = this.#unseen(path);
    const old = known === undefined || !this.#believed ? undefined : this.#previous[known]!;
    this.#inner = { files: [], areKept: true };
    const add = (more: Partial<PlannedFile>) =>
      this.#files.push(
        present({ path, size, mtimeMs, ctimeMs, archive, known, unchanged: false, ...more }),
      );
    if (old !== undefined && isPassing(old) && !await this.#canOpen(path)) {
      this.#see(known);
      this.#keepInside(path);
      return this.#keep(path, known!);
    }
    const isSame = old !== undefined && hasSameStat(found, old) && !isPassing(old) && old.archive === archive;
    if (!isSame && this.#mayBeWritten(mtimeMs)) {
      this.#see(known);
      this.#unsettled.add(path);
      this.#keepInside(path);
      if (old !== undefined) this.#keep(path, known!, present({ ctimeMs: old.ctimeMs }));
      return;
    }
    this.#see(known);
    if (isSame) add({ unchanged: true });
    else {
      const { extractor } = this.#options;
      const listed: Listed = extractor === undefined
        ? { isSame: true }
        : await this.#list(found, old, extractor);
      const { sha256, partly } = listed;
      add(sha256 === undefined ? {} : present({ skip: "opened" as const, sha256, partly }));
      if (listed.files !== undefined) {
        this.#inner = { files: listed.files, areKept: false };
        return;
      }
      if (!listed.isSame || !this.#believed) return;
    }
    const inner = (this.#inArchives.get(path) ?? []).map((number) => this.#previous[number]!);
    const below = path.length + 1;
    const files = inner.map(({ path, size, mtimeMs }) => ({ path: path.slice(below), size, mtimeMs }));
    this.#inner = { files, areKept: true };
  }

  /** The files in a changed archive. */
  async #list(
    { path, archive, mtimeMs }: FoundAs<"file">,
    old: StoredFile | undefined,
    extractor: Extractor,
  ): Promise<Listed> {
    const { maxFileBytes: maxBytes, signal } = this.#options;
    try {
      const options = { maxBytes, ...(signal === undefined ? {} : { signal }) };
      const { bytes, sha256: hash } = await readFileBytes(join(this.#root, ...path.split("/")), options);
      const sha256 = hash.toHex();
      if (old?.reason === "opened" && old.archive === archive && old.sha256 === sha256) {
        return { isSame: true, sha256 };
      }
      // An Office document with the name of an archive has no files.
      if (formatOf(bytes, path) !== "archive") return {};
      const { entries, problem } = await listInside(bytes, path, { ...options, extractor });
      const files = entries.map((entry) => ({
        path: entry.path,
        size: entry.size,
        mtimeMs: entry.mtimeMs ?? mtimeMs,
      }));
      return {
        files,
        sha256,
        ...(problem === undefined ? {} : {
          partly: new UserError("archive_partly", { path, error: problem.message }),
        }),
      };
    } catch (error) {
      signal?.throwIfAborted();
      // The archive itself fails in the same way when it is read.
      return { isSame: error instanceof UserError && PASSING.has(error.key) };
    }
  }

  /** Adds a file in the archive that was added last. */
  async addInner(
    { path, size, mtimeMs, within, skip }: FoundAs<"file"> & { readonly within: string },
  ): Promise<void> {
    const known = this.#unseen(path);
    const old = known === undefined ? undefined : this.#previous[known]!;
    this.#see(known);
    const base = { path, size, mtimeMs, within, ...(known === undefined ? {} : { known }) };
    if (!this.#inner.areKept || old === undefined) {
      this.#files.push({ ...base, unchanged: false, ...(skip === undefined ? {} : { skip }) });
      return;
    }
    const again = !isPassing(old) && await this.#options.isToRead?.(old) || undefined;
    this.#files.push(present({ ...base, unchanged: !isPassing(old) && !again, again }));
  }

  /** Keeps the files in an archive of the previous index as they are. */
  #keepInside(archive: string): void {
    for (const known of this.#inArchives.get(archive) ?? []) {
      const { path } = this.#previous[known]!;
      if (this.#states[known] === UNSEEN) this.#keep(path, known);
    }
  }

  /** Keeps the files of folders that cannot be read at present: they are not gone. */
  keepBelowUnreadable(): void {
    if (!this.#believed) return;
    const closed = new Set(this.#unreadable.flatMap(({ path, leftOut }) => leftOut ? [] : path));
    if (closed.size === 0) return;
    for (let known = 0; known < this.#previous.length; known++) {
      const { path } = this.#previous[known]!;
      if (this.#states[known] === UNSEEN && isBelow(path, closed)) this.#keep(path, known);
    }
  }

  /** Takes over what the walk has not looked at. */
  keepAllBut(looked: PathTree, { folders, skipped }: WalkedEntries): void {
    for (let known = 0; known < this.#previous.length; known++) {
      if (this.#states[known] === UNSEEN && !looked.has(this.#previous[known]!.path)) {
        this.#states[known] = SAME;
      }
    }
    for (const path of folders) if (!looked.has(path)) this.#folders.add(path);
    for (const [path, reason] of skipped) if (!looked.has(path)) this.#skipped.set(path, reason);
  }

  /** Keeps a file of the previous index as it is. */
  #keep(path: string, known: number, more: Pick<PlannedFile, "ctimeMs" | "problem"> = {}): void {
    const { size, mtimeMs } = this.#previous[known]!;
    this.#see(known);
    this.#files.push({ path, size, mtimeMs, known, unchanged: true, ...more });
  }

  finish(): UpdatePlan {
    const files = this.#allFiles();
    return {
      files,
      removed: this.#previous.filter((_, known) => this.#states[known] === UNSEEN),
      skipped: countsOf(this.#skipped.values()),
      missed: [...this.#skipped].flatMap(([path, reason]) => isMissed(reason) ? { path, reason } : []),
      walked: {
        folders: this.#folders,
        skipped: this.#skipped,
        unsettled: this.#unsettled,
        hasLinkedRules: this.#hasLinkedRules,
      },
      unreadable: this.#unreadable,
      bytes: files.reduce(
        (sum, file) => sum + (file.unchanged || file.skip !== undefined ? 0 : file.size),
        0,
      ),
    };
  }

  /** The files of the plan in the order of their paths, which the previous index has, but for files that could not be read. */
  #allFiles(): PlannedFile[] {
    const others = this.#files.sort(byPath);
    const files: PlannedFile[] = [];
    let next = 0, isInOrder = true, last = "";
    // There are thousands of them. Each object beside the planned file costs a small update a collection of garbage.
    for (let known = 0; known < this.#previous.length; known++) {
      if (this.#states[known] !== SAME) continue;
      const { path, size, mtimeMs, ctimeMs } = this.#previous[known]!;
      while (next < others.length && others[next]!.path < path) files.push(others[next++]!);
      isInOrder &&= last < path;
      last = path;
      if (ctimeMs === undefined) files.push({ path, size, mtimeMs, known, unchanged: true });
      else files.push({ path, size, mtimeMs, ctimeMs, known, unchanged: true });
    }
    while (next < others.length) files.push(others[next++]!);
    return isInOrder ? files : files.sort(byPath);
  }

  /** A time that lies in the future by more than the limit is wrong, and says nothing. */
  #mayBeWritten(mtimeMs: number): boolean {
    return Math.abs(Date.now() - mtimeMs) < (this.#options.settleMs ?? 0);
  }

  async #canOpen(path: string): Promise<boolean> {
    try {
      (await openInside({ real: join(this.#root, ...path.split("/")) })).close();
      return true;
    } catch {
      return false;
    }
  }
}

function byPath(a: PlannedFile, b: PlannedFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** The numbers of the files in each archive. */
function filesInArchives(files: readonly StoredFile[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const { path, archive } of files) if (archive !== undefined) found.set(path, []);
  if (found.size === 0) return found;
  for (const [number, { path }] of files.entries()) {
    for (const archive of archivePrefixes(path)) {
      const inside = found.get(archive);
      if (inside === undefined) continue;
      inside.push(number);
      break;
    }
  }
  return found;
}

/** The folders that hold the files, and those around them. */
function foldersOf(files: readonly Pick<StoredFile, "path">[]): Set<string> {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

function countsOf(reasons: Iterable<SkipReason>): Partial<Record<SkipReason, number>> {
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** Whether the plan changes the index that it was made with. */
export function hasChanges(
  plan: UpdatePlan,
  { meta, statistics }: Pick<OpenIndex, "meta" | "statistics">,
): boolean {
  return plan.removed.length > 0 || plan.unreadable.some(({ known }) => !known) ||
    plan.files.some(({ unchanged, problem }) => !unchanged || problem !== undefined) ||
    reportsOtherSkips(plan.skipped, meta.leftOut ?? {}, statistics.chunks === 0);
}

/**
 * Returns whether the index would report wrong numbers of skipped files. Searches report only skipped files that may
 * contain an answer, or all of them if nothing is indexed (`all`). A change of the other numbers does not justify writing a
 * new index.
 */
function reportsOtherSkips(
  now: Readonly<Record<string, number>>,
  stored: Readonly<Record<string, number>>,
  all: boolean,
): boolean {
  return Object.keys({ ...now, ...stored })
    .some((reason) => (all || isMissed(reason)) && (now[reason] ?? 0) !== (stored[reason] ?? 0));
}

/** Whether a path lies in one of the folders. */
function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    if (folders.has(path.slice(0, slash))) return true;
  }
  return false;
}

/**
 * Whether a file has the size and times of its record. The change time (ctime) shows that a content was replaced by another
 * one of the same size and modification time. Permissions, names and copying change it as well: the file is then read again,
 * but no text is embedded again. Inode numbers add nothing, and on network drives they may change by themselves.
 */
export function hasSameStat(
  now: Pick<StoredFile, "size" | "mtimeMs" | "ctimeMs">,
  old: typeof now,
): boolean {
  const isSame = now.ctimeMs === undefined || old.ctimeMs === undefined || now.ctimeMs === old.ctimeMs;
  return now.size === old.size && now.mtimeMs === old.mtimeMs && isSame;
}

function isPassing({ reason }: StoredFile): boolean {
  return reason !== undefined && PASSING.has(reason);
}
