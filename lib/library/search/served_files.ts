/**
 * Reads documents of the served folders, and names the nearest paths where one is wrong.
 */
import { basename, dirname } from "node:path";
import { type Config, folderConfig } from "#foundation/configuration/mod.ts";
import { CurrentRules, readFileBytes, readTextFile, type WalkOptions } from "#library/corpus/mod.ts";
import { pagesToRecognise, withRecognisedText } from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { Extractor } from "#library/extract/mod.ts";
import { type Resolved, resolveInside } from "#foundation/boundary/mod.ts";
import type { OpenIndex, Store } from "#library/store/mod.ts";
import { resolveServed, type ServedCollection } from "./served_collections.ts";
import { type CitedLines, citedLines, lineRange } from "./line_range.ts";
import type { LineRange, OriginalFile, RawFile, ServedDocument } from "./types.ts";
import { editDistance } from "#foundation/edit_distance.ts";
import { type SearchedFolder, SearchedFolders, type ServedFolder } from "./served_folders.ts";
import type { SelectedChunk } from "./passages.ts";

/** Documents kept in memory, the latest read: a client that reads one soon asks for its next part. */
const MAX_KEPT = 8;
/** UTF-16 units of text kept in all of them. */
const MAX_KEPT_CHARS = 20_000_000;

/** A file that may be read. */
interface Located {
  readonly real: string;
  /** The folder that it lies in. */
  readonly root: string;
  readonly maxBytes: number;
  readonly encoding: string | undefined;
  /** The lines that were written after the path. */
  readonly cited?: CitedLines;
}

/** Reads files of the served folders by their path, but only files that may be indexed. */
export class ServedFiles {
  readonly #roots: readonly string[];
  readonly #collections: readonly ServedCollection[];
  readonly #config: Config;
  readonly #optionsOf: (root: string) => WalkOptions;
  readonly #rules = new Map<string, CurrentRules>();
  readonly #extractor: Extractor;
  readonly #storeOf: (root: string) => Store;
  /** By path, size and time, the one used longest ago first. */
  readonly #kept = new Map<string, ServedDocument>();

  constructor(
    { roots, collections, config, optionsOf, extractor, storeOf }: {
      readonly roots: readonly string[];
      readonly collections: readonly ServedCollection[];
      readonly config: Config;
      readonly optionsOf: (root: string) => WalkOptions;
      readonly extractor: Extractor;
      readonly storeOf: (root: string) => Store;
    },
  ) {
    this.#roots = roots;
    this.#collections = collections;
    this.#config = config;
    this.#optionsOf = optionsOf;
    this.#extractor = extractor;
    this.#storeOf = storeOf;
  }

  /** See {@linkcode import("./types.ts").Library.readRawFile}. */
  async readRaw(path: string, range: LineRange, signal?: AbortSignal): Promise<RawFile> {
    const { real, cited, maxBytes, encoding } = await this.#locate(path);
    signal?.throwIfAborted();
    const file = await readTextFile(real, { maxBytes, encoding, signal });
    if (cited?.pages !== undefined) throw new UserError("document_without_pages", { path: cited.path });
    return {
      ...lineRange(file.text, Object.keys(range).length > 0 ? range : cited ?? {}),
      path: real,
      size: file.size,
      modified: new Date(file.mtimeMs),
      encoding: file.encoding,
    };
  }

  /** See {@linkcode import("./types.ts").Library.readDocument}. */
  async readDocument(path: string, signal?: AbortSignal): Promise<ServedDocument> {
    const { real, root, cited, maxBytes, encoding } = await this.#locate(path);
    const { bytes, size, mtimeMs, birthtimeMs, sha256 } = await readFileBytes(real, { maxBytes, signal });
    const hash = sha256.toHex();
    const key = `${real}\0${hash}`;
    let served = this.#kept.get(key);
    let isWhole = true;
    if (served === undefined) {
      const pictures = this.#config.files.ocr !== "off";
      const file = { path: real, pictures, ...(encoding === undefined ? {} : { encoding }) };
      const { document: read, format } = await this.#extractor.read(bytes, file, signal);
      const scans = pictures ? pagesToRecognise(read, format) : [];
      const texts = scans.length > 0 ? (await this.#storeOf(root).recognised.get(hash))?.texts : undefined;
      const document = texts === undefined ? read : withRecognisedText(read, texts);
      isWhole = scans.every((page) => texts?.has(page));
      served = { document, format, path: real, name: basename(real), size, modified: new Date(mtimeMs) };
    }
    const { created: _, ...kept } = served;
    served = {
      ...kept,
      modified: new Date(mtimeMs),
      ...(birthtimeMs === undefined ? {} : { created: new Date(birthtimeMs) }),
    };
    this.#kept.delete(key);
    // The text of a scan may be recognised at any time.
    if (isWhole) this.#kept.set(key, served);
    this.#forgetOldest();
    return cited === undefined ? served : { ...served, cited };
  }

  /** See {@linkcode import("./types.ts").Library.readOriginal}. */
  async readOriginal(path: string, maxBytes: number, signal?: AbortSignal): Promise<OriginalFile> {
    const { real } = await this.#locate(path);
    const { bytes, size, mtimeMs } = await readFileBytes(real, { maxBytes, signal });
    return { bytes, path: real, name: basename(real), size, modified: new Date(mtimeMs) };
  }

  /** Whether a client may read the file at a full path. */
  async isServed(path: string): Promise<boolean> {
    try {
      await this.#locate(path);
      return true;
    } catch {
      return false;
    }
  }

  /** The file that may be read to the client: not one that the user keeps out of the index. */
  async #locate(path: string): Promise<Located> {
    const { real, root, relative, cited } = await this.#resolve(path);
    const options = this.#optionsOf(root);
    let rules = this.#rules.get(root);
    if (rules === undefined) this.#rules.set(root, rules = new CurrentRules(root, options));
    const reason = await rules.leftOut(relative);
    if (reason !== null) throw new UserError("no_permission", { path, reason });
    const { encoding } = folderConfig(this.#config, root).files;
    return {
      real,
      root,
      maxBytes: options.maxFileBytes,
      encoding: encoding === "auto" ? undefined : encoding,
      ...(cited === undefined ? {} : { cited }),
    };
  }

  /**
   * Finds the file at `path`, or, if there is none, at the path of the citation `path:12-40`. The `#` of a URL begins lines, and so does the query of an address.
   */
  async #resolve(path: string): Promise<Resolved & { readonly cited?: CitedLines }> {
    const places = { roots: this.#roots, collections: this.#collections, resolve: resolveInside };
    const cited = citedLines(path);
    const isUrl = /^\s*(?:file:.*#|muxue:)/is.test(path);
    try {
      if (cited === undefined || !isUrl) return await resolveServed(path, places);
      return { ...await resolveServed(cited.path, places), cited };
    } catch (error) {
      if (cited === undefined || isUrl) throw error;
      return { ...await resolveServed(cited.path, places), cited };
    }
  }

  #forgetOldest(): void {
    let chars = 0;
    for (const { document } of this.#kept.values()) chars += document.text.length;
    for (const [key, { document }] of this.#kept) {
      if (this.#kept.size <= 1 || this.#kept.size <= MAX_KEPT && chars <= MAX_KEPT_CHARS) return;
      this.#kept.delete(key);
      chars -= document.text.length;
    }
  }
}

/** Names of a client longer than this are not compared; no file system has longer ones. */
const MAX_NAME_CHARS = 255;
/** The last parts of a client's path, which may have any length, that are compared. */
const MAX_PARTS = 32;
/** Files that are named in an answer. */
const MAX_NAMED = 3;
/**
 * Share of a name's characters, without its extension, that may differ: enough for typing errors, too little to confuse
 * short names.
 */
const MAX_DIFFERENCE = 0.4;

/** How {@linkcode nearestFiles} compares. */
interface NearestOptions {
  /** Only files with the same name, in another folder or with another extension. */
  readonly sameName: boolean;
  /** Whether a file may be named to the client. Called for few files, the nearest first. */
  readonly isServed: (path: string) => Promise<boolean>;
}

/**
 * Returns the files with a name like that of a path that does not exist, the nearest first. `paths`: full paths of files.
 */
async function nearestFiles(
  asked: string,
  paths: Iterable<string>,
  { sameName, isServed }: NearestOptions,
): Promise<string[]> {
  const folders = partsOf(citedLines(asked)?.path ?? asked).slice(-MAX_PARTS);
  const name = folders.pop() ?? "";
  if (name === "" || name.length > MAX_NAME_CHARS) return [];
  const near: { path: string; far: number; shared: number }[] = [];
  for (const path of paths) {
    const parts = partsOf(path);
    const far = nameDistance(name, parts.pop()!, sameName);
    if (far === undefined) continue;
    near.push({ path, far, shared: folders.filter((folder) => parts.includes(folder)).length });
  }
  near.sort((a, b) => a.far - b.far || b.shared - a.shared || (a.path < b.path ? -1 : 1));
  const named: string[] = [];
  for (const { path } of near.slice(0, 4 * MAX_NAMED)) {
    if (named.length < MAX_NAMED && await isServed(path)) named.push(path);
  }
  return named;
}

function partsOf(path: string): string[] {
  return path.normalize("NFKC").toLowerCase().split(/[\\/]/);
}

/**
 * The difference of two names, 0 for equal ones; undefined if they are not alike. Another extension counts as half a
 * character.
 */
function nameDistance(wanted: string, name: string, sameName: boolean): number | undefined {
  const [asked, found] = [stemOf(wanted), stemOf(name)];
  const most = sameName ? 0 : Math.floor(asked.length * MAX_DIFFERENCE);
  if (Math.abs(asked.length - found.length) > most) return undefined;
  const far = editDistance(asked, found);
  if (far > most) return undefined;
  return wanted.slice(asked.length) === name.slice(found.length) ? far : far + 0.5;
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, "");
}

/**
 * Adds to the error for the wrong path of a file the served files with a similar name, as `nearest`. For a path outside of
 * the folders, only files with the same name are added. Other errors are returned as they are. The names come from the
 * indexes.
 */
export async function withNearestFiles(
  error: unknown,
  path: string,
  folders: readonly ServedFolder[],
  files: Pick<ServedFiles, "isServed">,
): Promise<unknown> {
  if (!(error instanceof UserError)) return error;
  const isOutside = error.key === "no_permission" && error.params.reason === undefined;
  if (error.key !== "file_not_found" && !isOutside) return error;
  const isServed = (path: string) => files.isServed(path);
  return await withNearest(error, path, await indexedPaths(folders), { sameName: isOutside, isServed });
}

/** {@linkcode withNearestFiles} for the wrong path of a folder: adds folders that contain a served file. */
export async function withNearestFolders(
  error: unknown,
  path: string | undefined,
  folders: readonly ServedFolder[],
  files: Pick<ServedFiles, "isServed">,
): Promise<unknown> {
  if (!(error instanceof UserError) || error.key !== "directory_not_found" || path === undefined) {
    return error;
  }
  const fileIn = new Map((await indexedPaths(folders)).map((file) => [dirname(file), file]));
  const isServed = (folder: string) => files.isServed(fileIn.get(folder)!);
  return await withNearest(error, path, fileIn.keys(), { sameName: false, isServed });
}

async function indexedPaths(folders: readonly ServedFolder[]): Promise<string[]> {
  using searched = await SearchedFolders.open(folders);
  return searched.indexed.flatMap(({ folder, index }) => index.files.map((file) => folder.pathOf(file.path)));
}

async function withNearest(
  error: UserError,
  path: string,
  paths: Iterable<string>,
  options: NearestOptions,
): Promise<UserError> {
  const nearest = await nearestFiles(path, paths, options);
  if (nearest.length === 0) return error;
  return new UserError(error.key, { ...error.params, nearest: nearest.join("\0") }, { cause: error });
}

/** Time for which the hidden files of an index are used again, in milliseconds, and as a multiple of the time that it took. */
const KEPT_MS = 2000;
const KEPT_TIMES = 20;
/** Milliseconds of computing before other requests have their turn. */
const SPELL_MS = 20;

const NONE: ReadonlySet<string> = new Set();

interface Kept {
  /** Relative paths. */
  readonly paths: ReadonlySet<string>;
  readonly until: number;
}

/**
 * Files that an index has and that the rules of their folder leave out by now: ignored or excluded after they were indexed. Nothing of
 * them is shown, also while nobody updates the index.
 */
export class HiddenFiles {
  readonly #optionsOf: (root: string) => WalkOptions;
  readonly #rules = new Map<string, CurrentRules>();
  readonly #kept = new WeakMap<OpenIndex, Kept>();

  constructor(optionsOf: (root: string) => WalkOptions) {
    this.#optionsOf = optionsOf;
  }

  /** Whether a file is hidden, by the rules as they are now. `path`: relative to the folder. */
  async has({ folder: { root } }: SearchedFolder, path: string): Promise<boolean> {
    return await this.#rulesOf(root).leftOut(path) !== null;
  }

  /** The hidden files of an index as they were found in the last seconds. Empty if none were looked for. */
  known({ index }: SearchedFolder): ReadonlySet<string> {
    const kept = this.#kept.get(index);
    return kept !== undefined && performance.now() < kept.until ? kept.paths : NONE;
  }

  /** All hidden files of an index. `isFresh`: by the rules as they are now, not as they were in the last seconds. */
  async all({ folder: { root }, index }: SearchedFolder, isFresh = false): Promise<ReadonlySet<string>> {
    const began = performance.now();
    const kept = this.#kept.get(index);
    if (!isFresh && kept !== undefined && began < kept.until) return kept.paths;
    let last = began;
    const found = await this.#rulesOf(root).allLeftOut(index.files.map(({ path }) => path), async () => {
      if (performance.now() - last < SPELL_MS) return;
      await new Promise((resolve) => setTimeout(resolve));
      last = performance.now();
    });
    const took = performance.now() - began;
    // The same set stands for the same files.
    const paths = kept !== undefined && isSame(kept.paths, found) ? kept.paths : found;
    this.#kept.set(index, { paths, until: began + took + Math.max(KEPT_MS, KEPT_TIMES * took) });
    return paths;
  }

  /** The hidden files of selected chunks, and of the other places that say the same, by their folders. */
  async among(
    selected: readonly SelectedChunk[],
    folders: readonly SearchedFolder[],
  ): Promise<Map<SearchedFolder, Set<string>>> {
    const folderOf = new Map(folders.map((folder) => [folder.index, folder]));
    const found = new Map<SearchedFolder, Set<string>>();
    for (const { index, file } of selected.flatMap((chunk) => [chunk, ...chunk.also])) {
      const folder = folderOf.get(index)!;
      const { path } = index.files[file]!;
      if (await this.has(folder, path)) found.set(folder, (found.get(folder) ?? new Set()).add(path));
    }
    return found;
  }

  #rulesOf(root: string): CurrentRules {
    let rules = this.#rules.get(root);
    if (rules === undefined) this.#rules.set(root, rules = new CurrentRules(root, this.#optionsOf(root)));
    return rules;
  }
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}
