/**
 * An archive as a folder: its files, and those of the archives in it, by their paths. Everything is unpacked in memory, in a process
 * without rights; nothing is ever written.
 */
import { isArchiveName } from "../classify.ts";
import { type Document, DocumentError, fileName, guarded, type Loader } from "../types.ts";
import { zipNames } from "../zip_directory.ts";
import {
  ARCHIVE_LIMITS,
  type ArchiveLimits,
  cutOff,
  type RawEntry,
  tooComplex,
  UnpackBudget,
} from "./budget.ts";
import { type ArchiveKind, archiveKind, rawEntries } from "./containers.ts";
import { NameDecoder, safePath, UniquePaths } from "./names.ts";

/** A file in an archive. */
export interface ArchiveEntry {
  /** Path below the archive, `/` between its parts. The path of a file in an inner archive begins with that of the archive. */
  readonly path: string;
  /** Bytes, as the archive claims. */
  readonly size: number;
  readonly mtimeMs?: number;
  /** Why it cannot be read. */
  readonly problem?: DocumentError;
}

/** The files of an archive, in its order. */
export interface ArchiveListing {
  readonly entries: readonly ArchiveEntry[];
  /** Set if there may be further files: the archive is cut off or broken after these. */
  readonly problem?: DocumentError;
}

/** A call of {@linkcode readArchive}. */
export interface ArchiveRequest {
  /** Name or path of the archive. */
  readonly path: string;
  /** Paths of the files whose content is wanted. */
  readonly wanted?: readonly string[];
  /** Bytes of the largest file that is wanted or is unpacked because it is an archive. */
  readonly maxBytes?: number;
  readonly limits?: ArchiveLimits;
}

/** Lists an archive. Throws {@linkcode DocumentError} if it has no entry that can be named, or exceeds a limit. */
export function listArchive(archive: Uint8Array, request: ArchiveRequest): ArchiveListing {
  const { maxBytes = Infinity, limits = ARCHIVE_LIMITS } = request;
  const entries: ArchiveEntry[] = [];
  let bytes = 0;
  let problem: DocumentError | undefined;
  try {
    for (const { path, raw: { size, mtimeMs, problem } } of new Visit(request).files(archive)) {
      // Larger files are not read.
      if (problem === undefined && size <= maxBytes) bytes += size;
      if (bytes > limits.bytes) throw tooComplex(`the archive unpacks to more than ${limits.bytes / 1e6} MB`);
      entries.push({
        path,
        size,
        ...(mtimeMs !== undefined && Number.isFinite(mtimeMs) && mtimeMs >= 0 ? { mtimeMs } : {}),
        ...(problem === undefined ? {} : { problem }),
      });
    }
  } catch (error) {
    problem = problemOf(error);
    if (entries.length === 0 || problem.problem === "too_complex") throw problem;
  }
  return problem === undefined ? { entries } : { entries, problem };
}

/** Files that the document of an archive names. */
const MOST_NAMED = 1_000;

/** The list of an archive's files as a document, by which an archive is found and looked into. */
export const loader: Loader = guarded((bytes, { path }) => listingDocument(listArchive(bytes, { path })));

function listingDocument({ entries, problem }: ArchiveListing): Document {
  const lines = entries.slice(0, MOST_NAMED).map(({ path, size, problem }) =>
    `- ${path} (${size}${problem === undefined ? "" : `, ${problem.problem}`})`
  );
  if (entries.length > MOST_NAMED) lines.push(`- … + ${entries.length - MOST_NAMED}`);
  if (problem !== undefined) lines.push("", `(${problem.problem}: ${problem.message})`);
  return { text: lines.map((line) => `${line}\n`).join(""), sections: [] };
}

/**
 * Returns the contents of the wanted files of an archive by their paths, or the reasons why they cannot be read. A path that the archive
 * does not have is not among them.
 */
export function readArchive(
  bytes: Uint8Array,
  request: ArchiveRequest,
): Map<string, Uint8Array | DocumentError> {
  const { maxBytes = Infinity } = request;
  const wanted = new Set(request.wanted);
  const found = new Map<string, Uint8Array | DocumentError>();
  try {
    for (const { path, raw } of new Visit(request).files(bytes)) {
      if (!wanted.delete(path)) continue;
      found.set(path, contentOf(raw, maxBytes));
      if (wanted.size === 0) break;
    }
  } catch (error) {
    for (const path of wanted) found.set(path, problemOf(error));
  }
  return found;
}

function contentOf({ problem, read, size }: RawEntry, maxBytes: number): Uint8Array | DocumentError {
  if (problem !== undefined || read === undefined) return problem ?? cutOff();
  try {
    if (size > maxBytes) throw tooLarge(size, maxBytes);
    const content = read();
    // The size that the archive claims may be wrong.
    return content.length > maxBytes ? tooLarge(content.length, maxBytes) : content;
  } catch (error) {
    return problemOf(error);
  }
}

function tooLarge(size: number, limit: number): DocumentError {
  return tooComplex(`it has ${Math.ceil(size / 1e6)} MB, more than ${limit / 1e6}`);
}

/** Errors other than {@linkcode DocumentError} are caused by broken bytes. */
function problemOf(error: unknown): DocumentError {
  return error instanceof DocumentError ? error : cutOff();
}

/** A file of the archive or of one inside. */
interface Visited {
  readonly path: string;
  readonly raw: RawEntry;
}

/** One way through an archive and those in it. The paths are the same each time. */
class Visit {
  readonly #request: ArchiveRequest;
  readonly #budget: UnpackBudget;
  readonly #paths = new UniquePaths();
  /** The wanted paths and all that they lie in; `undefined` if all are wanted. */
  readonly #wanted: ReadonlySet<string> | undefined;

  constructor(request: ArchiveRequest) {
    this.#request = request;
    this.#budget = new UnpackBudget(request.limits);
    this.#wanted = request.wanted && withParents(request.wanted);
  }

  *files(bytes: Uint8Array): Generator<Visited> {
    const { path } = this.#request;
    const kind = archiveKind(bytes);
    if (kind === undefined) throw new DocumentError("damaged", "it is not an archive of a known kind");
    yield* this.#inside(bytes, kind, fileName(path), "", [bytes]);
  }

  *#inside(
    bytes: Uint8Array,
    kind: ArchiveKind,
    name: string,
    prefix: string,
    around: readonly Uint8Array[],
  ): Generator<Visited> {
    for (const { raw, path: own } of this.#named(bytes, kind, name)) {
      const path = this.#paths.take(prefix + own);
      const isArchive = isArchiveName(path) && raw.read !== undefined;
      if (!isArchive) {
        yield { path, raw };
        continue;
      }
      if (this.#wanted?.has(path) === false) continue;
      yield* this.#archiveInside(path, raw, around);
    }
  }

  /** The files of an archive inside, or the archive itself with the reason why it is not opened. */
  *#archiveInside(path: string, raw: RawEntry, around: readonly Uint8Array[]): Generator<Visited> {
    const { limits } = this.#budget;
    const content = contentOf(raw, this.#request.maxBytes ?? Infinity);
    if (content instanceof DocumentError) return yield { path, raw: { ...raw, problem: content } };
    const kind = archiveKind(content);
    const read = () => content;
    // An Office document with a wrong name, or no archive at all.
    if (kind === undefined || isDocument(content, kind)) {
      return yield { path, raw: { ...raw, read } };
    }
    const refuse = (problem: DocumentError) => ({ path, raw: { ...raw, problem } });
    if (around.some((outer) => isEqual(outer, content))) {
      return yield refuse(new DocumentError("unsupported", "the archive contains itself"));
    }
    if (around.length > limits.depth) {
      return yield refuse(
        tooComplex(`it is an archive in ${around.length} others, more than ${limits.depth}`),
      );
    }
    try {
      yield* this.#inside(content, kind, fileName(path), `${path}/`, [...around, content]);
    } catch (error) {
      // The other files stay readable. A limit for all archives together is exceeded by the next one inside, too.
      yield refuse(problemOf(error));
    }
  }

  /** The entries of one archive with their safe paths. Names without a declared encoding are decoded together. */
  *#named(bytes: Uint8Array, kind: ArchiveKind, name: string): Generator<Visited> {
    const entries: RawEntry[] = [];
    let problem: unknown;
    try {
      for (const raw of rawEntries(kind, bytes, name, this.#budget)) entries.push(raw);
    } catch (error) {
      problem = error;
    }
    const names = entries.filter(({ encoding }) => encoding === undefined).map(({ name }) => name);
    const decoder = new NameDecoder(names);
    for (const raw of entries) yield* safe(raw, decoder);
    if (problem !== undefined) throw problem;
  }
}

function withParents(paths: readonly string[]): Set<string> {
  const all = new Set<string>();
  for (let path of paths) {
    while (!all.has(path)) {
      all.add(path);
      path = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    }
  }
  return all;
}

function* safe(raw: RawEntry, decoder: NameDecoder): Generator<Visited> {
  const path = safePath(decoder.nameOf(raw));
  if (path !== "") yield { path, raw };
}

/** Files that every Office, OpenDocument and EPUB document has. */
const OF_DOCUMENTS = new Set(["[Content_Types].xml", "mimetype", "META-INF/container.xml"]);

function isDocument(bytes: Uint8Array, kind: ArchiveKind): boolean {
  return kind === "zip" && zipNames(bytes, 2000).some((name) => OF_DOCUMENTS.has(name));
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
