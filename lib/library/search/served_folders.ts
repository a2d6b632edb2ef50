/**
 * The folders behind a search: each opens its index, shares it between requests, and shows only the
 * files that its own rules allow.
 */
import { sep } from "node:path";
import type { OpenIndex, Store, UnusableState } from "#library/store/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { isInside, resolveFolderInside, toPortable } from "#foundation/boundary/mod.ts";
import {
  askedCollections,
  resolveServed,
  rootNamed,
  type ServedCollection,
  unknownCollection,
} from "./served_collections.ts";
import { isLeftOutByName, type WalkOptions } from "#library/corpus/mod.ts";
import type { StoredFile } from "#engine/index/mod.ts";
import { belowTest } from "#engine/query/mod.ts";

/** A folder that has an index to search. */
export interface SearchedFolder {
  readonly folder: ServedFolder;
  readonly index: OpenIndex;
}

/** The folders of one search. Their indexes stay open until it is disposed of, even if they are replaced meanwhile. */
export class SearchedFolders implements Disposable {
  readonly #leases: readonly IndexLease[];
  /** The folders that have an index. */
  readonly indexed: readonly SearchedFolder[];

  /** Takes a lease of each folder's index. */
  constructor(readonly all: readonly ServedFolder[]) {
    const leased = all.flatMap((folder) => {
      const lease = folder.lease();
      return lease === undefined ? [] : [{ folder, lease }];
    });
    this.#leases = leased.map(({ lease }) => lease);
    this.indexed = leased.map(({ folder, lease }) => ({ folder, index: lease.index }));
  }

  /** Refreshes folders and takes leases of their indexes. */
  static async open(folders: readonly ServedFolder[]): Promise<SearchedFolders> {
    await Promise.all(folders.map((folder) => folder.refresh()));
    return new SearchedFolders(folders);
  }

  [Symbol.dispose](): void {
    for (const lease of this.#leases) lease[Symbol.dispose]();
  }
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

/** A served folder and its index on the disk. */
export class ServedFolder {
  readonly #store: Store;
  readonly #now: () => number;
  #shared: SharedIndex | undefined;
  #problem: string | undefined;
  #state: UnusableState | undefined;
  /** The value of {@linkcode Store.version} when the index was opened. */
  #version: string | undefined;
  /** The time, by `now`, at which the index was found damaged. */
  #damagedAt: number | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** `shows`: whether a file of the index may be found; all without it. `now` returns milliseconds since any fixed time. */
  constructor(
    store: Store,
    readonly shows?: (path: string) => boolean,
    now: () => number = () => performance.now(),
  ) {
    this.#store = store;
    this.#now = now;
  }

  /** Real path of the folder. */
  get root(): string {
    return this.#store.root;
  }

  /** The reason why the index cannot be searched, in English; `undefined` if the folder has no index. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether the index must not be trusted, because it was made for another folder or by another installation. */
  get isElsewhere(): boolean {
    return this.#state === "moved" || this.#state === "foreign";
  }

  /** The index as the last {@linkcode refresh} left it, for one search; `undefined` if it cannot be searched. */
  lease(): IndexLease | undefined {
    return this.#shared?.lease();
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
      const version = await this.#store.version();
      const isDue = this.#damagedAt !== undefined && this.#now() - this.#damagedAt >= RETRY_MS;
      if (version !== undefined && version === this.#version && !isDue) return;
      const loaded = await this.#store.open();
      this.close();
      this.#version = version;
      if (loaded.state === "ready") this.#shared = new SharedIndex(loaded.index);
      else if (loaded.state !== "missing") {
        this.#problem = loaded.problem;
        this.#state = loaded.state;
        if (loaded.state === "damaged") this.#damagedAt = this.#now();
      }
    } catch (error) {
      // The index is a link, or permission is denied. The other folders can still be searched.
      this.close();
      this.#problem = reasonOf(error);
    }
  }

  /** Stops using a damaged index for some time, or until it is replaced. `problem`: description in English. */
  giveUp(index: OpenIndex, problem: string): void {
    if (this.#shared?.index !== index) return;
    this.#shared.giveUp();
    this.#shared = undefined;
    this.#problem = problem;
    this.#damagedAt = this.#now();
  }

  /** Returns the path of one of its files in the notation of the operating system. */
  pathOf(relative: string): string {
    return (this.root.endsWith(sep) ? this.root : this.root + sep) + relative.replaceAll("/", sep);
  }

  /** Frees the index when the searches that use it have ended; the next refresh opens it again. */
  close(): void {
    this.#shared?.giveUp();
    this.#shared = undefined;
    this.#problem = undefined;
    this.#state = undefined;
    this.#version = undefined;
    this.#damagedAt = undefined;
  }
}

/**
 * Paths inside folders, by the real path of the folder, `/` between their parts: only files below one of them are searched.
 * A folder without an entry is searched whole.
 */
export type Below = ReadonlyMap<string, readonly string[]>;

/** The folders that a search looks in. */
export interface Scope {
  readonly folders: readonly ServedFolder[];
  readonly below: Below;
}

/**
 * The scope that `dirPath` names: a served folder or a folder below one, which may begin with a name of `collections`; all served folders, limited to `below`, if it is
 * blank. Throws `UserError` `directory_not_found`, `not_a_directory`, `path_ambiguous` (a relative path that is in several
 * folders), and `dir_not_served` for every path that is outside of them or hidden in them, whether it exists or not.
 */
export async function scopeOf(
  dirPath: string | undefined,
  folders: readonly ServedFolder[],
  below: Below,
  collections: readonly ServedCollection[] = [],
): Promise<Scope> {
  if (dirPath === undefined || dirPath.trim() === "") return { folders, below };
  const roots = folders.map(({ root }) => root);
  try {
    const { root, relative } = await resolveServed(dirPath, {
      ...{ collections, roots, resolve: resolveFolderInside },
    });
    const inside = folders.filter((folder) => folder.root === root);
    return { folders: inside, below: new Map(relative === "" ? [] : [[root, [relative]]]) };
  } catch (error) {
    if (!(error instanceof UserError) || error.key !== "no_permission") throw error;
    throw new UserError("dir_not_served", { path: dirPath, served: roots.join(", ") }, { cause: error });
  }
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

/** Whether a file may be found. `path`: relative to its served folder, `/` between the parts. */
type PathTest = (path: string) => boolean;

/** Input of {@linkcode servedFolders}. */
interface ServedFoldersOptions {
  readonly roots: readonly string[];
  readonly optionsOf: (root: string) => WalkOptions;
  readonly storeOf: (root: string) => Store;
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

/** The folders that a request may ask for. */
interface AskedLocation {
  readonly dirPath?: string | undefined;
  readonly collections?: string | undefined;
}

/** The folders of a library. */
export interface ServedLocations {
  readonly folders: readonly ServedFolder[];
  readonly below: Below;
  readonly collections: readonly ServedCollection[];
}

/**
 * The scope that a request asks for. `collections`: names of collections or paths of folders, one to a line or separated by
 * commas; blank or `all` for all. `dirPath`: a path, or, if there is no such folder, the name of a collection. Throws what
 * {@linkcode scopeOf} throws, and `UserError` `collection_unknown`.
 */
export async function askedScope(
  { dirPath, collections }: AskedLocation,
  { folders, below, collections: known }: ServedLocations,
): Promise<Scope> {
  const rootOf = (name: string) => rootNamed(name, known);
  const asked = askedCollections(collections, known);
  if (asked === "all" && (collections ?? "").trim() === "") {
    return await scopeOf(dirPath, folders, below, known).catch((error) => {
      const root = isNoFolder(error) && dirPath !== undefined ? rootOf(dirPath) : undefined;
      if (root === undefined) throw error;
      return whole(folders, root);
    });
  }
  if (asked === "all") return { folders, below };
  const scopes: Scope[] = [];
  for (const name of asked) {
    const root = rootOf(name);
    scopes.push(root === undefined ? await folderScope(name, folders, known) : whole(folders, root));
  }
  return joined(folders, scopes);
}

function whole(folders: readonly ServedFolder[], root: string): Scope {
  return { folders: folders.filter((folder) => folder.root === root), below: new Map() };
}

/** The scope of a path in a list of collections. */
async function folderScope(
  path: string,
  folders: readonly ServedFolder[],
  known: readonly ServedCollection[],
): Promise<Scope> {
  try {
    return await scopeOf(path, folders, new Map(), known);
  } catch (error) {
    if (!isNoFolder(error) || /[\\/]/.test(path)) throw error;
    throw unknownCollection(path, known, error);
  }
}

function isNoFolder(error: unknown): boolean {
  return error instanceof UserError &&
    ["directory_not_found", "not_a_directory", "path_ambiguous", "dir_not_served"].includes(error.key);
}

/** All of the scopes together. A folder that is asked for whole has no limit. */
function joined(folders: readonly ServedFolder[], scopes: readonly Scope[]): Scope {
  const below = new Map<string, readonly string[]>();
  const roots = new Set(scopes.flatMap((scope) => scope.folders.map(({ root }) => root)));
  for (const root of roots) {
    const limits = scopes.filter((scope) => scope.folders.some((folder) => folder.root === root))
      .map((scope) => scope.below.get(root));
    const paths = limits.flatMap((limit) => limit ?? []);
    if (limits.every((limit) => limit !== undefined)) below.set(root, paths);
  }
  return { folders: folders.filter(({ root }) => roots.has(root)), below };
}
