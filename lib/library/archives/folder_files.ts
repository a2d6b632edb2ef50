/**
 * Reads the files of a folder, those in its archives included: `a.zip/b.docx`. An archive is unpacked in a process without rights;
 * its files are read in groups, because a `tar.gz` or a 7z is unpacked from its beginning for each group.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DocumentError } from "#documents/types.ts";
import { UserError } from "#foundation/errors.ts";
import { lookAtSync } from "#foundation/boundary/mod.ts";
import {
  archivePrefixes,
  documentError,
  type FileBytes,
  type ReadBytesOptions,
  readFileBytes,
  readTogether,
} from "#library/corpus/mod.ts";
import { type Extractor, ExtractorUnavailableError, type ListedArchive } from "#library/extract/mod.ts";

/** The place of a file in an archive. */
export interface ArchivePlace {
  /** The path of the archive. */
  readonly archive: string;
  /** The path of the file below it, `/` between its parts. */
  readonly inner: string;
}

/** The archive in the folder `root` that a relative path leads into, if a part of the path is one. */
function placeInArchive(root: string, path: string): ArchivePlace | undefined {
  return archivePlaces(path).find(({ archive }) => {
    try {
      return lookAtSync(join(root, ...archive.split("/")))?.isFile === true;
    } catch {
      return false;
    }
  });
}

/** The places that a path may name by its text, with `/` between its parts. */
export function archivePlaces(path: string): ArchivePlace[] {
  return archivePrefixes(path).map((archive) => ({ archive, inner: path.slice(archive.length + 1) }))
    .filter(({ inner }) => inner !== "");
}

/** Bytes of files that are read at once from an archive. */
const GROUP_BYTES = 32_000_000;

/** Files of one archive that are read together. */
interface Group {
  readonly archive: string;
  readonly inner: string[];
  bytes: number;
  contents?: Promise<ReadContents>;
}

/** Files that are opened together at most, and the bytes of the largest. Their contents wait in memory until they are asked for. */
const TOGETHER = 8, SMALL_BYTES = 1 << 16;

/** Small files of one folder that are read together. */
interface SmallFiles {
  readonly folder: string;
  readonly names: string[];
  /** Those that were not asked for yet, by name. */
  contents?: Map<string, FileBytes>;
}

interface ReadContents {
  readonly file: Omit<FileBytes, "bytes" | "sha256" | "size">;
  readonly found: Map<string, Uint8Array<ArrayBuffer> | DocumentError>;
}

/** Options of {@linkcode FolderFiles}. */
export interface FolderFilesOptions extends ReadBytesOptions {
  readonly extractor: Extractor;
  /** The text that errors put before the relative paths of files in archives, such as the folder with a `/`. Default: nothing. */
  readonly shownBefore?: string;
  /** The files that will be read, in this order. Others are read one by one. */
  readonly expected?: readonly { readonly path: string; readonly size: number; readonly within?: string }[];
}

/** Reads files by their paths relative to a folder. */
export class FolderFiles {
  readonly #root: string;
  readonly #options: FolderFilesOptions;
  readonly #groups = new Map<string, Group>();
  readonly #small = new Map<string, SmallFiles>();
  /** The archive that was read last. */
  #last: { readonly archive: string; readonly file: Promise<FileBytes> } | undefined;

  constructor(root: string, options: FolderFilesOptions) {
    this.#root = root;
    this.#options = options;
    let group: Group | undefined, small: SmallFiles | undefined;
    for (const { path, size, within } of options.expected ?? []) {
      if (within === undefined) {
        if (size > SMALL_BYTES) continue;
        const slash = path.lastIndexOf("/");
        const folder = path.slice(0, Math.max(0, slash));
        if (small?.folder !== folder || small.names.length === TOGETHER) small = { folder, names: [] };
        small.names.push(path.slice(slash + 1));
        this.#small.set(path, small);
        continue;
      }
      if (group?.archive !== within || group.bytes + size > GROUP_BYTES) {
        group = { archive: within, inner: [], bytes: 0 };
      }
      group.inner.push(path.slice(within.length + 1));
      group.bytes += size;
      this.#groups.set(path, group);
    }
  }

  /** Returns the bytes of a file. Throws the errors of {@linkcode readFileBytes} and {@linkcode documentError}, and `extractor_unavailable`. */
  async read(path: string): Promise<FileBytes> {
    const group = this.#groups.get(path);
    if (group === undefined) {
      const small = this.#readSmall(path);
      if (small !== undefined) return small;
      const place = placeInArchive(this.#root, path);
      return place === undefined
        ? await readFileBytes(this.#at(path), this.#options)
        : await this.readInner(place);
    }
    this.#groups.delete(path);
    const inner = path.slice(group.archive.length + 1);
    const contents = await (group.contents ??= this.#contents(group.archive, group.inner));
    const taken = this.#taken(path, contents, inner);
    contents.found.delete(inner);
    return taken;
  }

  /** Returns the bytes of a small file that was expected, unless it has to be read alone. */
  #readSmall(path: string): FileBytes | undefined {
    const small = this.#small.get(path);
    if (small === undefined) return undefined;
    this.#small.delete(path);
    const { folder, names } = small;
    if (small.contents === undefined) {
      // A file may have grown since it was expected.
      const most = Math.min(SMALL_BYTES, this.#options.maxBytes ?? Infinity);
      const read = names.length === 1 ? undefined : readTogether(this.#at(folder), names, most);
      small.contents = new Map(read?.map((bytes, i) => [names[i]!, bytes]));
    }
    const name = path.slice(path.lastIndexOf("/") + 1);
    const bytes = small.contents.get(name);
    small.contents.delete(name);
    return bytes;
  }

  /** Returns the bytes of a file in an archive. */
  async readInner({ archive, inner }: ArchivePlace): Promise<FileBytes> {
    return this.#taken(`${archive}/${inner}`, await this.#contents(archive, [inner]), inner);
  }

  #taken(path: string, { file, found }: ReadContents, inner: string): FileBytes {
    const bytes = found.get(inner);
    const shown = this.#shown(path);
    if (bytes === undefined) throw new UserError("file_not_found", { path: shown });
    if (bytes instanceof DocumentError) throw documentError(bytes, shown, 0);
    const sha256 = new Uint8Array(createHash("sha256").update(bytes).digest());
    return { ...file, bytes, size: bytes.length, sha256 };
  }

  async #contents(archive: string, wanted: readonly string[]): Promise<ReadContents> {
    const { extractor, maxBytes, signal } = this.#options;
    if (this.#last?.archive !== archive) this.#last = { archive, file: this.#read(archive) };
    const { bytes, size: _, sha256: __, ...file } = await this.#last.file;
    try {
      return { file, found: await contentsOf(bytes, archive, wanted, { extractor, maxBytes, signal }) };
    } catch (error) {
      throw archiveError(error, this.#shown(archive), bytes.length);
    }
  }

  #shown(path: string): string {
    return `${this.#options.shownBefore ?? ""}${path}`;
  }

  #read(archive: string): Promise<FileBytes> {
    const file = readFileBytes(this.#at(archive), this.#options);
    // The error is thrown where the file is awaited.
    file.catch(() => this.#last = undefined);
    return file;
  }

  #at(path: string): string {
    return join(this.#root, ...path.split("/"));
  }
}

/** Returns the files in an archive. Throws like {@linkcode FolderFiles.read}. `path`: for errors. */
export async function listInside(
  bytes: Uint8Array,
  path: string,
  { extractor, maxBytes = Number.MAX_SAFE_INTEGER, signal }: FolderFilesOptions,
): Promise<ListedArchive> {
  try {
    const request = { format: "archive", bytes, file: { path }, inside: { maxBytes } };
    const { response } = await extractor.ask(request, signal);
    if (!("archive" in response)) throw new Error("the answer has no list");
    return response.archive;
  } catch (error) {
    throw archiveError(error, path, bytes.length);
  }
}

/**
 * Returns the contents of files in an archive by their paths, or the reasons why they cannot be read. Files that it does not have are
 * not among them. `wanted`: together they should not have more than some 100 MB.
 */
async function contentsOf(
  bytes: Uint8Array,
  path: string,
  wanted: readonly string[],
  { extractor, maxBytes, signal }: FolderFilesOptions,
): Promise<Map<string, Uint8Array<ArrayBuffer> | DocumentError>> {
  const inside = { wanted, ...(maxBytes === undefined ? {} : { maxBytes }) };
  const { response, body } = await extractor.ask(
    { format: "archive", bytes, file: { path }, inside },
    signal,
  );
  if (!("parts" in response)) throw new Error("the answer has no contents");
  let at = 0;
  const found = new Map<string, Uint8Array<ArrayBuffer> | DocumentError>();
  for (const part of response.parts) {
    if ("error" in part) found.set(part.path, new DocumentError(part.error.problem, part.error.message));
    else {
      found.set(part.path, new Uint8Array(body.subarray(at, at + part.length)));
      at += part.length;
    }
  }
  return found;
}

function archiveError(error: unknown, path: string, size: number): unknown {
  if (!(error instanceof ExtractorUnavailableError)) return documentError(error, path, size);
  return new UserError("extractor_unavailable", { path, error: error.message }, { cause: error });
}
