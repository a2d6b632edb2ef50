/**
 * The folders behind a search: each opens its index, shares it between requests, and shows only the
 * files that its own rules allow.
 */
import { sep } from "node:path";
import {
  type FileMask,
  hasFilesHere,
  type OpenIndex,
  type Store,
  type UnusableState,
} from "#library/store/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import type { Phrase } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { isInside, lookAtSync, toPortable } from "#foundation/boundary/mod.ts";
import {
  CurrentRules,
  isLeftOutByName,
  type LookedFolders,
  readFileBytes,
  type WalkOptions,
} from "#library/corpus/mod.ts";
import type { PictureCaption, StoredFile } from "#engine/index/mod.ts";
import { belowTest } from "#engine/query/mod.ts";
import type { SelectedChunk } from "./passages.ts";

/** A folder that has an index to search. */
export interface SearchedFolder {
  readonly folder: ServedFolder;
  readonly index: OpenIndex;
}

/** The folders of one search. Their indexes stay open until it is disposed of, even if they are replaced meanwhile. */
export class SearchedFolders implements Disposable {
  readonly #leases = new DisposableStack();
  /** The folders that have an index. */
  readonly indexed: readonly SearchedFolder[];

  private constructor(readonly all: readonly ServedFolder[]) {
    this.indexed = all.flatMap((folder) => {
      const lease = folder.lease();
      return lease === undefined ? [] : [{ folder, index: this.#leases.use(lease).index }];
    });
  }

  /** Refreshes folders and takes leases of their indexes. */
  static async open(folders: readonly ServedFolder[]): Promise<SearchedFolders> {
    await Promise.all(folders.map((folder) => folder.refresh()));
    return new SearchedFolders(folders);
  }

  /**
   * Throws the error of the first folder whose store could not be asked, for an answer that would otherwise say that it has nothing there.
   */
  allAvailable(): this {
    for (const { unavailable } of this.all) if (unavailable !== undefined) throw unavailable;
    return this;
  }

  [Symbol.dispose](): void {
    this.#leases.dispose();
  }
}

/** Whether an error says that a store could not be asked. It may be possible again at any time. */
export function isOfStore(error: unknown): error is UserError {
  return error instanceof UserError && error.key.startsWith("store_");
}

/** Gives up the indexes that have a problem. Returns the folders of the others. */
export function withoutDamaged(
  folders: readonly SearchedFolder[],
  problemOf: (index: OpenIndex) => string | undefined,
): readonly SearchedFolder[] {
  return folders.filter(({ folder, index }) => {
    const problem = problemOf(index);
    if (problem !== undefined) folder.giveUp(index, problem);
    return problem === undefined;
  });
}

/** Milliseconds until a damaged index is opened again, because a disk or network drive may have failed only briefly. */
const RETRY_MS = 10_000;
/** Milliseconds of computing before other requests have their turn. */
const SPELL_MS = 20;

const NONE: ReadonlySet<string> = new Set();

/** The index of a folder as it was opened last. */
interface Opened {
  readonly shared?: SharedIndex;
  /** The reason why it cannot be searched, in English. */
  readonly problem?: string;
  readonly state?: UnusableState;
  readonly lacking?: readonly Phrase[];
  /** The value of {@linkcode Store.version} when it was opened. */
  readonly version?: string | undefined;
  /** The time at which it was found damaged. */
  readonly damagedAt?: number;
  /** Why the store could not be asked. The index is used again as soon as that can be. */
  readonly unavailable?: UserError;
}

/** A served folder with its rules, and its index on the disk. */
export class ServedFolder {
  /** The rules as they are at each question. */
  readonly rules: CurrentRules;
  #opened: Opened = {};
  #turn: Promise<void> = Promise.resolve();
  readonly #hidden = new WeakMap<OpenIndex, Kept<ReadonlySet<string>>>();
  readonly #shown = new WeakMap<
    OpenIndex,
    { readonly hidden: ReadonlySet<string>; readonly files: readonly StoredFile[] }
  >();

  /**
   * `shows`: whether a file of the index may be found; all without it. `access`: the documents that clients may know of; all without it.
   * `now` returns milliseconds since any fixed time.
   */
  constructor(
    readonly store: Store,
    readonly options: WalkOptions,
    readonly shows?: PathTest,
    readonly access?: FileMask,
    readonly now: () => number = () => performance.now(),
  ) {
    this.rules = new CurrentRules(store.root, options, () => store.removed.paths());
  }

  /** Real path of the folder. */
  get root(): string {
    return this.store.root;
  }

  /** Another text for another index, as the last {@linkcode refresh} found it. */
  get version(): string {
    const { version = "", problem = "" } = this.#opened;
    return `${version}\0${problem}`;
  }

  /** The reason why the index cannot be searched, in English; `undefined` if the folder has no index. */
  get problem(): string | undefined {
    return this.#opened.problem;
  }

  /** The missing parts of the index that is searched. */
  get lacking(): readonly Phrase[] {
    return this.#opened.lacking ?? [];
  }

  /** The state of an index that cannot be searched, if it is known. */
  get state(): UnusableState | undefined {
    return this.#opened.state;
  }

  /** Whether damage was found in the index when it was opened or searched. */
  get isDamaged(): boolean {
    return this.#opened.damagedAt !== undefined;
  }

  /** Whether the index must not be trusted, because it was made for another folder or by another installation. */
  get isElsewhere(): boolean {
    return ["moved", "foreign"].includes(this.#opened.state ?? "");
  }

  /** See {@linkcode hasFilesHere}. */
  get isHere(): boolean {
    return hasFilesHere(this.store);
  }

  /** Why the store could not be asked; `undefined` if it could. */
  get unavailable(): UserError | undefined {
    return this.#opened.unavailable;
  }

  /** The index as the last {@linkcode refresh} left it, for one search; `undefined` if it cannot be searched. */
  lease(): IndexLease | undefined {
    return this.#opened.unavailable === undefined ? this.#opened.shared?.lease() : undefined;
  }

  /**
   * Opens the index again if it was replaced, or if it was found damaged some time ago. If the new index cannot be read,
   * the old one is not used any more, because it is out of date. Calls run one after another, so that no call sees a partly
   * loaded index.
   */
  refresh(): Promise<void> {
    const turn = this.#turn.then(() => this.#refresh());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #refresh(): Promise<void> {
    try {
      const version = await this.store.version();
      const { version: before, damagedAt, unavailable, ...opened } = this.#opened;
      const isDue = damagedAt !== undefined && this.now() - damagedAt >= RETRY_MS;
      if (version !== undefined && version === before && !isDue) {
        if (unavailable !== undefined) this.#opened = present({ ...opened, version, damagedAt });
        return;
      }
      const loaded = await this.store.open({ shows: this.access });
      this.close();
      if (loaded.state === "ready") {
        const { index, lacking = [] } = loaded;
        this.#opened = { version, lacking, shared: new SharedIndex(index) };
      } else if (loaded.state === "missing") this.#opened = { version };
      else {
        const damaged = loaded.state === "damaged" ? { damagedAt: this.now() } : {};
        this.#opened = { version, problem: loaded.problem, state: loaded.state, ...damaged };
      }
    } catch (error) {
      if (isOfStore(error)) {
        this.#opened = { ...this.#opened, unavailable: error };
        return;
      }
      // The index is a link, or permission is denied. The other folders can still be searched.
      this.close();
      this.#opened = { problem: reasonOf(error) };
    }
  }

  /** Stops using a damaged index for some time, or until it is replaced. `problem`: description in English. */
  giveUp(index: OpenIndex, problem: string): void {
    const { shared, ...opened } = this.#opened;
    if (shared?.index !== index) return;
    shared.giveUp();
    this.#opened = { ...opened, problem, damagedAt: this.now() };
  }

  /** Returns the path of one of its files in the notation of the operating system. */
  pathOf(relative: string): string {
    return (this.root.endsWith(sep) ? this.root : this.root + sep) + relative.replaceAll("/", sep);
  }

  /**
   * Whether a file of the index is left out by the rules as they are now. Where access is limited, also one that has changed since:
   * its access level may have changed, too. `removed` and `looked` as of {@linkcode CurrentRules.leftOut}.
   */
  async hides(file: StoredFile, removed?: ReadonlySet<string>, looked?: LookedFolders): Promise<boolean> {
    if (await this.rules.leftOut(file.path, removed, looked) !== null) return true;
    return this.access !== undefined && await this.isOutdated(file);
  }

  /**
   * Whether a file of the index is gone or has changed since. False where the folder is on another machine. On several machines the times
   * of a file differ, so that its content is compared.
   */
  async isOutdated(file: StoredFile, path = this.pathOf(file.path)): Promise<boolean> {
    if (this.store.isShared !== true) return await isOutdated(path, file);
    return this.isHere && await isOutdated(path, file) && !await hasContent(path, file);
  }

  /** The file at a path that clients may know of, as it is indexed; `undefined` if there is none. */
  async fileAt(path: string): Promise<StoredFile | undefined> {
    return await this.#files((files) => files.find((file) => file.path === path));
  }

  /** Whether clients may know of a folder: where access is limited, one with a file that they may know of. Empty for the whole. */
  async knowsFolder(path: string): Promise<boolean> {
    if (this.access === undefined || path === "") return true;
    return await this.#files((files) => files.some((file) => file.path.startsWith(`${path}/`))) ?? false;
  }

  /** The words of models about the pictures of a file, by their numbers; empty if the file in the index has another content. */
  async captionsOf(path: string, sha256: string): Promise<ReadonlyMap<number, PictureCaption>> {
    await this.refresh();
    using lease = this.lease();
    const file = lease?.index.hasGenerated
      ? lease.index.files.find((file) => file.path === path && file.sha256 === sha256)
      : undefined;
    if (file === undefined) return new Map();
    const chunks = Int32Array.from({ length: file.chunkCount }, (_, i) => file.firstChunk + i);
    const generated = await lease!.index.generated(chunks);
    return new Map(
      generated.flatMap((one) => one?.captions?.map((caption) => [caption.image, caption]) ?? []),
    );
  }

  async #files<T>(find: (files: readonly StoredFile[]) => T): Promise<T | undefined> {
    await this.refresh();
    using lease = this.lease();
    return lease && find(lease.index.files);
  }

  /**
   * The files that an index has and that {@linkcode hides} hides: ignored or excluded after they were indexed, or changed where access
   * is limited. As they were found in the last seconds; empty if none were looked for.
   */
  knownHidden(index: OpenIndex): ReadonlySet<string> {
    const kept = this.#hidden.get(index);
    return kept !== undefined && this.now() < kept.until ? kept.result : NONE;
  }

  /** Looks for these files. `isFresh`: by the rules as they are now, not as they were in the last seconds. */
  async hiddenFiles(index: OpenIndex, isFresh = false): Promise<ReadonlySet<string>> {
    const began = this.now();
    const before = this.#hidden.get(index);
    if (!isFresh && before !== undefined && began < before.until) return before.result;
    let last = began;
    const pause = async () => {
      if (this.now() - last < SPELL_MS) return;
      await new Promise((resolve) => setTimeout(resolve));
      last = this.now();
    };
    const found = new Set(await this.rules.allLeftOut(index.files.map(({ path }) => path), pause));
    for (const file of this.access === undefined ? [] : index.files) {
      if (await this.isOutdated(file)) found.add(file.path);
      await pause();
    }
    // The same set stands for the same files.
    const isSame = before?.result.size === found.size && before.result.isSubsetOf(found);
    const times = this.access === undefined ? KEPT_TIMES : LIMITED_TIMES;
    this.#hidden.set(index, kept(isSame ? before.result : found, began, this.now(), times));
    return this.#hidden.get(index)!.result;
  }

  /** The files of an index that may be found, each time the same list for the same `hidden` files. */
  shownFiles(index: OpenIndex, hidden: ReadonlySet<string>): readonly StoredFile[] {
    const known = this.#shown.get(index);
    if (known?.hidden === hidden) return known.files;
    const { shows = () => true } = this;
    const shown = index.files.filter(({ path }) => shows(path) && !hidden.has(path));
    const files = shown.length === index.files.length ? index.files : shown;
    this.#shown.set(index, { hidden, files });
    return files;
  }

  /** Frees the index when the searches that use it have ended; the next refresh opens it again. */
  close(): void {
    this.#opened.shared?.giveUp();
    this.#opened = {};
  }
}

/** Whether a file is gone or has changed since it was indexed. If only the change time differs, as after a copy, the contents are compared. */
async function isOutdated(
  path: string,
  { size, mtimeMs, ctimeMs, sha256 }: StoredFile,
): Promise<boolean> {
  try {
    // Synchronous, because the switch to another thread takes ten times as long as the look.
    const now = lookAtSync(path);
    if (now === undefined || now.size !== size || now.mtime?.getTime() !== mtimeMs) return true;
    if (ctimeMs === undefined || now.ctime === null || now.ctime.getTime() === ctimeMs) return false;
    return (await readFileBytes(path, { maxBytes: size })).sha256.toHex() !== sha256;
  } catch {
    return true;
  }
}

/** Whether a file has the content that was indexed. */
async function hasContent(path: string, { size, sha256 }: StoredFile): Promise<boolean> {
  try {
    if (sha256 === "" || lookAtSync(path)?.size !== size) return false;
    return (await readFileBytes(path, { maxBytes: size })).sha256.toHex() === sha256;
  } catch {
    return false;
  }
}

/** A result, and the time until which it is used again. */
export interface Kept<Result> {
  readonly result: Result;
  readonly until: number;
}

/** Time for which a result is used again, in milliseconds, and as a multiple of the time that it took. */
const KEPT_MS = 2000;
const KEPT_TIMES = 20;
/** The multiple where access is limited: until then, lists name documents that clients may no longer know of. */
const LIMITED_TIMES = 1;

/** Keeps a result that took the time between two moments. */
export function kept<Result>(
  result: Result,
  began: number,
  ended: number,
  times = KEPT_TIMES,
): Kept<Result> {
  return { result, until: ended + Math.max(KEPT_MS, times * (ended - began)) };
}

/** A chunk of a file, and of others that say the same. */
type NamedChunk = Pick<SelectedChunk, "index" | "file"> & Partial<Pick<SelectedChunk, "also">>;

/** The files that the user took out of each folder, as they were when a search began. */
export type RemovedFrom = ReadonlyMap<ServedFolder, Promise<ReadonlySet<string>>>;

/** Begins to read them, beside other work. An error is thrown when they are used. */
export function removedFrom(folders: readonly ServedFolder[]): RemovedFrom {
  return new Map(folders.map((folder) => {
    const removed = folder.store.removed.paths();
    removed.catch(() => {});
    return [folder, removed];
  }));
}

/** The hidden files of chunks that an answer names, and of the other places that say the same, by their folders. */
export async function hiddenAmong(
  named: readonly NamedChunk[],
  folders: readonly SearchedFolder[],
  removed: RemovedFrom,
): Promise<Map<SearchedFolder, Set<string>>> {
  const folderOf = new Map(folders.map((folder) => [folder.index, folder]));
  const found = new Map<SearchedFolder, Set<string>>();
  const looked = new Set<StoredFile>();
  const lookedFolders = new Map(
    folders.map(({ folder }): [ServedFolder, LookedFolders] => [folder, new Map()]),
  );
  for (const { index, file } of named.flatMap((chunk) => [chunk, ...chunk.also ?? []])) {
    const one = folderOf.get(index)!;
    const stored = index.files[file]!;
    if (looked.has(stored)) continue;
    looked.add(stored);
    const { folder } = one;
    if (await folder.hides(stored, await removed.get(folder), lookedFolders.get(folder))) {
      found.set(one, (found.get(one) ?? new Set()).add(stored.path));
    }
  }
  return found;
}

/** The right of one search to use an index. Disposal ends it. */
interface IndexLease extends Disposable {
  readonly index: OpenIndex;
}

/** An open index that searches share. It is closed when it has been released and the last search has returned its lease. */
class SharedIndex {
  #leases = 0;
  #isGivenUp = false;

  /** Takes ownership of `index`. */
  constructor(readonly index: OpenIndex) {}

  /** Returns a lease of the index, which must not have been released. */
  lease(): IndexLease {
    this.#leases++;
    let isReturned = false;
    return {
      index: this.index,
      [Symbol.dispose]: () => {
        if (isReturned) return;
        isReturned = true;
        this.#leases--;
        this.#closeIfUnused();
      },
    };
  }

  /** Ends the sharing: the index is closed as soon as no search uses it. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#closeIfUnused();
  }

  #closeIfUnused(): void {
    if (this.#isGivenUp && this.#leases === 0) this.index.close();
  }
}

/**
 * Paths inside folders, by the real path of the folder, `/` between their parts: only files below one of them are searched.
 * A folder without an entry is searched whole.
 */
export type Below = ReadonlyMap<string, readonly string[]>;

/** Whether a file may be found. `path`: relative to its served folder, `/` between the parts. */
type PathTest = (path: string) => boolean;

/**
 * Returns whether files of the served folder `root` may be found by the rules of the innermost folder inside of it, by which they are read.
 * `undefined` if there is no served folder inside.
 */
export function innerRules(
  root: string,
  roots: readonly string[],
  optionsOf: (root: string) => WalkOptions,
): PathTest | undefined {
  const inner = roots.filter((other) => other !== root && isInside(other, root))
    .sort((a, b) => b.length - a.length)
    .map((other) => {
      const [below] = pathsInside(root, [other]);
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

/** The paths in a folder, `/` between their parts, of those of `roots` that lie inside it. */
export function pathsInside(root: string, roots: readonly string[]): string[] {
  return roots.filter((other) => other !== root && isInside(other, root))
    .map((other) => toPortable(other.slice(root.length)).replace(/^\//, ""));
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
