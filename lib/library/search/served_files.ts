/** Reads documents of the served folders, and names the nearest paths where one is wrong. */
import { basename, dirname, join, resolve } from "node:path";
import {
  type Config,
  describesPictures,
  folderConfig,
  readsPictures,
} from "#foundation/configuration/mod.ts";
import { readFileBytes, readTextFile, tooLarge } from "#library/corpus/mod.ts";
import {
  formatOf,
  type ListedPicture,
  localPath,
  mayHoldPictures,
  pagesToRecognise,
  type PictureRequest,
  type PicturesRead,
  withPictureLines,
  withRecognisedText,
} from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import type { Extractor } from "#library/extract/mod.ts";
import { type ArchivePlace, archivePlaces } from "#library/archives/mod.ts";
import { isRefused, type Resolved, resolveInside } from "#foundation/boundary/mod.ts";
import { resolveServed, type ServedCollection } from "./served_collections.ts";
import { type CitedLines, citedLines, lineRange } from "./line_range.ts";
import type { LineRange, OriginalFile, RawFile, ServedDocument, ServedPictures } from "./types.ts";
import { editDistance } from "#foundation/edit_distance.ts";
import { SearchedFolders, type ServedFolder } from "./served_folders.ts";
import { storedDocument, storedFile } from "./stored_documents.ts";
import type { StoredFile } from "#engine/index/mod.ts";

/** A file that may be read, and how. */
interface LocatedFile {
  readonly real: string;
  /** Its path below the folder, with `/` between its parts. */
  readonly relative: string;
  readonly folder: ServedFolder;
  readonly maxBytes: number;
  readonly encoding?: string;
  readonly cited?: CitedLines;
  readonly inner?: ArchivePlace;
  /** The file as it is indexed, if it is on another machine. */
  readonly stored?: StoredFile;
  /** Reads it. Throws if it is not the one that access was granted to. */
  readonly read: typeof readFileBytes;
}

/** Refuses an archive as a whole: its bytes and its list of files contain ignored files, too. */
function refuseArchive(bytes: Uint8Array, path: string): void {
  if (formatOf(bytes, path) === "archive") throw new UserError("archive_is_folder", { path });
}

function notFound(path: string): UserError {
  return new UserError("file_not_found", { path });
}

/** Documents kept in memory, the latest read: a client that reads one soon asks for its next part. */
const MAX_KEPT = 8;
/** UTF-16 units of text kept in all of them. */
const MAX_KEPT_CHARS = 20_000_000;

/** Reads files of the served folders by their path, but only files that may be indexed. */
export class ServedFiles {
  readonly #folders: readonly ServedFolder[];
  readonly #collections: readonly ServedCollection[];
  readonly #config: Config;
  readonly #extractor: Extractor;
  /** By path and content, the one used longest ago first. */
  readonly #kept = new Map<string, ServedDocument>();

  constructor(
    folders: readonly ServedFolder[],
    collections: readonly ServedCollection[],
    config: Config,
    extractor: Extractor,
  ) {
    this.#folders = folders;
    this.#collections = collections;
    this.#config = config;
    this.#extractor = extractor;
  }

  /** See {@linkcode import("./types.ts").Library.readRawFile}. */
  async readRaw(path: string, range: LineRange, signal?: AbortSignal): Promise<RawFile> {
    const { real, folder, stored, cited, maxBytes, encoding, read } = await this.#locate(path);
    signal?.throwIfAborted();
    if (stored !== undefined) {
      const { document, ...facts } = await storedDocument(folder, stored);
      const lines = Object.keys(range).length > 0 ? range : cited ?? {};
      return { ...facts, ...lineRange(document.text, lines), encoding: "utf-8" };
    }
    const readText: typeof readFileBytes = async (real, options) => {
      const file = await read(real, options);
      refuseArchive(file.bytes, real);
      return file;
    };
    const file = await readTextFile(real, { maxBytes, encoding, signal, read: readText });
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
    const { real, folder, stored, cited, maxBytes, encoding, read } = await this.#locate(path);
    if (stored !== undefined) return present({ ...await storedDocument(folder, stored), cited });
    const { bytes, size, mtimeMs, birthtimeMs, sha256 } = await read(real, { maxBytes, signal });
    const hash = sha256.toHex();
    const key = `${real}\0${hash}`;
    let served = this.#kept.get(key);
    let isWhole = true;
    if (served === undefined) {
      const config = folderConfig(this.#config, folder.root);
      const pictures = readsPictures(config);
      const file = present({ path: real, pictures, encoding });
      refuseArchive(bytes, real);
      const { document: read, format } = await this.#extractor.read(bytes, file, signal);
      const recognises = this.#config.files.ocr !== "off";
      const scans = recognises ? pagesToRecognise(read, format) : [];
      const hasPictures = recognises && !this.#config.chunking.ignore_images && mayHoldPictures(read, format);
      const known = scans.length > 0 || hasPictures ? await folder.store.recognised.get(hash) : undefined;
      const whole = known === undefined ? read : withRecognisedText(read, known.texts, known.pictures);
      const document = describesPictures(config) ? withPictureLines(whole, { path: real }, format) : whole;
      isWhole = scans.every((page) => known?.texts.has(page)) && (!hasPictures || known?.isComplete === true);
      const name = basename(real);
      served = { document, format, path: real, name, size, modified: new Date(mtimeMs), sha256: hash };
    }
    const created = birthtimeMs === undefined ? undefined : new Date(birthtimeMs);
    served = present({ ...served, modified: new Date(mtimeMs), created });
    this.#kept.delete(key);
    // The text of a scan may be recognised at any time.
    if (isWhole) this.#kept.set(key, served);
    this.#forgetOldest();
    return cited === undefined ? served : { ...served, cited };
  }

  /** See {@linkcode import("./types.ts").Library.readOriginal}. */
  async readOriginal(path: string, maxBytes: number, signal?: AbortSignal): Promise<OriginalFile> {
    const { real, inner, stored, read, maxBytes: largest } = await this.#locate(path);
    if (stored !== undefined) throw new UserError("file_on_other_machine", { path });
    // An archive may be larger than a file in it.
    const limit = inner === undefined ? maxBytes : largest;
    const { bytes, size, mtimeMs } = await read(real, { maxBytes: limit, signal });
    if (size > maxBytes) throw tooLarge(real, size, maxBytes);
    refuseArchive(bytes, real);
    return { bytes, path: real, name: basename(real), size, modified: new Date(mtimeMs) };
  }

  /** See {@linkcode import("./types.ts").Library.readPictures}. */
  async readPictures(path: string, request: PictureRequest, signal?: AbortSignal): Promise<ServedPictures> {
    const { real, folder, relative, stored, maxBytes, encoding, read: readBytes } = await this.#locate(path);
    if (stored !== undefined) throw new UserError("file_on_other_machine", { path });
    const { bytes, sha256 } = await readBytes(real, { maxBytes, signal });
    refuseArchive(bytes, real);
    const read = await this.#extractor.pictures(bytes, present({ path: real, encoding }), request, signal);
    const captions = new Map(await folder.captionsOf(relative, sha256.toHex()));
    const served = { path: real, sha256: sha256.toHex(), ...(captions.size > 0 && { captions }) };
    if (request.want !== "pictures") return { ...served, ...read };
    const pictures: ListedPicture[] = [];
    const contents: Uint8Array[] = [];
    const own = read.contents.values();
    for (const picture of read.answer.pictures) {
      const link = picture.problem === "linked" ? localPath(picture.link!) : undefined;
      const beside = link && await this.#pictureFile(resolve(dirname(real), link), request, signal);
      if (picture.given !== undefined) contents.push(own.next().value!);
      if (!beside) {
        pictures.push(picture);
        continue;
      }
      const { problem: _, ...known } = picture;
      const { number: _number, line: _line, section: _section, ...facts } = beside.answer.pictures[0]!;
      pictures.push({ ...known, ...facts });
      contents.push(...beside.contents);
      const caption = beside.captions?.get(1);
      if (caption !== undefined) captions.set(picture.number, caption);
    }
    return {
      ...served,
      ...(captions.size > 0 && { captions }),
      answer: { ...read.answer, pictures },
      contents,
    };
  }

  /** Reads the picture in a file by itself; `undefined` if there is none that may be read. */
  async #pictureFile(
    path: string,
    request: Extract<PictureRequest, { want: "pictures" }>,
    signal?: AbortSignal,
  ): Promise<PicturesRead & Pick<ServedPictures, "captions"> | undefined> {
    try {
      const { real, folder, relative, maxBytes, read: readBytes } = await this.#locate(path);
      const { bytes, sha256 } = await readBytes(real, { maxBytes, signal });
      const read = await this.#extractor.pictures(
        bytes,
        { path: real },
        { ...request, numbers: [1] },
        signal,
      );
      if (read.answer.pictures.length !== 1) return undefined;
      return { ...read, captions: await folder.captionsOf(relative, sha256.toHex()) };
    } catch (error) {
      if (error instanceof UserError) return undefined;
      throw error;
    }
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

  /** Reads a file in an archive. `undefined` for other files. */
  #reader(inner: ArchivePlace | undefined): typeof readFileBytes | undefined {
    if (inner === undefined) return undefined;
    return async (_, options) => {
      const { FolderFiles } = await import("#library/archives/mod.ts");
      const folder = dirname(inner.archive);
      const files = new FolderFiles(folder, {
        ...options,
        extractor: this.#extractor,
        shownBefore: join(folder, "/"),
      });
      return await files.readInner({ ...inner, archive: basename(inner.archive) });
    };
  }

  /**
   * Returns a file that the client may read, which is never one that the user keeps out of the index. Where access is limited, it must be
   * in the index and unchanged since; any other file gives the error of a file that does not exist. Only `read` may read it.
   */
  async #locate(path: string): Promise<LocatedFile> {
    const { real, root, relative, cited, inner, stored } = await this.#resolve(path);
    const folder = this.#folders.find((folder) => folder.root === root)!;
    const isLimited = folder.access !== undefined;
    const reason = await folder.rules.leftOut(relative);
    if (reason !== null) throw isLimited ? notFound(path) : new UserError("no_permission", { path, reason });
    const record = isLimited ? await folder.fileAt(relative) : undefined;
    if (isLimited && (record === undefined || await folder.hides(record))) throw notFound(path);
    const { encoding: set } = folderConfig(this.#config, root).files;
    const encoding = set === "auto" ? undefined : set;
    const read: typeof readFileBytes = async (real, options) => {
      const file = await (this.#reader(inner) ?? readFileBytes)(real, options);
      if (isLimited && file.sha256.toHex() !== record?.sha256) throw notFound(path);
      return file;
    };
    return present({
      real,
      relative,
      folder,
      maxBytes: folder.options.maxFileBytes,
      encoding,
      cited,
      inner,
      stored,
      read,
    });
  }

  /**
   * Finds the file at `path`, or, if there is none, at the path of the citation `path:12-40`. The `#` of a URL begins lines, and so does
   * the query of an address.
   */
  async #resolve(path: string): Promise<Found & { readonly cited?: CitedLines }> {
    const cited = citedLines(path);
    const isUrl = /^\s*(?:file:.*#|muxue:)/is.test(path);
    try {
      if (cited === undefined || !isUrl) return await this.#find(path);
    } catch (error) {
      if (cited === undefined) throw error;
    }
    return { ...await this.#find(cited.path), cited };
  }

  /** Finds a file, also one in an archive: `a.zip/b.docx`. */
  async #find(path: string): Promise<Found> {
    const elsewhere = this.#folders.filter(({ isHere }) => !isHere);
    if (elsewhere.length === 0) return await this.#findHere(path);
    return await storedFile(path, elsewhere, this.#collections) ?? await this.#findHere(path);
  }

  async #findHere(path: string): Promise<Found> {
    const find = (path: string) => this.#findFile(path);
    try {
      return await find(path);
    } catch (error) {
      // Nobody may know of an archive then, nor of the files in it.
      if (this.#isLimited) throw error;
      const isUrl = /^\s*(?:file|muxue):/i.test(path);
      for (const place of isUserError(error) ? archivePlaces(path.replaceAll("\\", "/")) : []) {
        const found = await find(path.slice(0, place.archive.length)).catch(() => undefined);
        const inner = isUrl ? decodedPath(place.inner) : place.inner;
        if (found === undefined || inner === undefined) continue;
        const { real, root, relative } = found;
        return {
          real: join(real, inner),
          root,
          relative: `${relative}/${inner}`,
          inner: { archive: real, inner },
        };
      }
      throw error;
    }
  }

  /** Finds a file of the folders. Where access is limited, most files that clients may not know of are not found. */
  async #findFile(path: string): Promise<Resolved> {
    const find = (folders: readonly ServedFolder[]) =>
      resolveServed(path, folders.map(({ root }) => root), this.#collections, resolveInside);
    try {
      return await find(this.#folders);
    } catch (error) {
      if (!this.#isLimited || !(error instanceof UserError)) throw error;
      // A path outside of the folders is refused by its text, whether something is there or not.
      if (error.key === "no_permission" && !isRefused(error.cause)) throw error;
      if (error.key !== "path_ambiguous") throw notFound(path);
      const known: Resolved[] = [];
      for (const folder of this.#folders) {
        const found = await find([folder]).catch(() => undefined);
        if (found !== undefined && await folder.fileAt(found.relative) !== undefined) known.push(found);
      }
      if (known.length === 1) return known[0]!;
      throw known.length === 0 ? notFound(path) : error;
    }
  }

  /** Whether clients may know of some documents only. */
  get #isLimited(): boolean {
    return this.#folders.some(({ access }) => access !== undefined);
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

/** A file, and its place if it is in an archive, whose path is then the full one. */
interface Found extends Resolved {
  readonly inner?: ArchivePlace;
  readonly stored?: StoredFile;
}

function isUserError(error: unknown): boolean {
  return error instanceof UserError && ["file_not_found", "not_a_file", "no_permission"].includes(error.key);
}

function decodedPath(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/[?#].*$/s, ""));
  } catch {
    return undefined;
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

/**
 * Adds the files with a name like that of a path that does not exist to its error, as `nearest`, the nearest first. `paths`: full paths of
 * files. `sameName`: only files with the same name, in another folder or with another extension. `isServed`: whether a file may be named
 * to the client; called for few files.
 */
async function withNearest(
  error: UserError,
  asked: string,
  paths: Iterable<string>,
  sameName: boolean,
  isServed: (path: string) => Promise<boolean>,
): Promise<UserError> {
  const folders = partsOf(citedLines(asked)?.path ?? asked).slice(-MAX_PARTS);
  const name = folders.pop() ?? "";
  if (name === "" || name.length > MAX_NAME_CHARS) return error;
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
  if (named.length === 0) return error;
  return new UserError(error.key, { ...error.params, nearest: named.join("\0") }, { cause: error });
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
  return await withNearest(
    error,
    path,
    await indexedPaths(folders),
    isOutside,
    (path) => files.isServed(path),
  );
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
  return await withNearest(
    error,
    path,
    fileIn.keys(),
    false,
    (folder) => files.isServed(fileIn.get(folder)!),
  );
}

async function indexedPaths(folders: readonly ServedFolder[]): Promise<string[]> {
  using searched = await SearchedFolders.open(folders);
  return searched.indexed.flatMap(({ folder, index }) => index.files.map((file) => folder.pathOf(file.path)));
}
