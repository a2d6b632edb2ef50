/**
 * Access to files and folders that the user named: a configuration, a backup, test questions, a client's file. Links are
 * followed wherever they lead, because users may keep their files where they like. Paths that come from a document, from the
 * content of a folder or from an answer must not be opened with these functions. All throw the errors of the system.
 * @module
 */
import { basename, dirname, join } from "node:path";
import { exists, isMissing } from "./paths.ts";
import { fill, openToRead, type ReadableFile } from "./open_file.ts";
import { replaceFile, type ReplaceOptions, type Write } from "./replace_file.ts";

export async function statNamed(path: string): Promise<Deno.FileInfo> {
  return await Deno.stat(path);
}

/** Whether `path` is a folder. False as well if that cannot be determined. */
export function isNamedFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** The real path of what exists at `path`. */
export async function realNamed(path: string): Promise<string> {
  return await Deno.realPath(path);
}

/**
 * The real path of what exists at `path`, or of what would be created there: links in the existing part are followed. The
 * path as it is if the system does not tell.
 */
export async function realPlaceNamed(path: string): Promise<string> {
  try {
    return await realNamed(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) return path;
    return join(await realPlaceNamed(parent), basename(path));
  }
}

/** The file that a part of `path` names, as `a.zip` of `a.zip/b.docx`; the path itself if there is none. */
export async function fileOnPath(path: string): Promise<string> {
  for (let at = path;; at = dirname(at)) {
    const found = await Deno.stat(at).catch(() => undefined);
    if (found !== undefined) return found.isFile ? at : path;
    if (at === dirname(at)) return path;
  }
}

/** Opens the file at `path`; the caller closes it. For a pipe it waits until the other end is opened. */
export async function openNamed(path: string, access: "read" | "write" = "read"): Promise<Deno.FsFile> {
  return await Deno.open(path, { read: access === "read", write: access === "write" });
}

/** Opens the file at `path` for reading, synchronously. A pipe is opened without waiting, and cannot be read. */
export function openNamedSync(path: string): ReadableFile {
  return openToRead(path, { follow: true });
}

/** At most `limit` bytes of a file. The size that the system reports is not used, because it is 0 for files of `/proc`. */
export async function readNamed(path: string, limit?: number): Promise<Uint8Array<ArrayBuffer>> {
  if (limit === undefined) return await Deno.readFile(path);
  using file = await openNamed(path);
  const buffer = new Uint8Array(limit);
  return buffer.subarray(0, await fill(file, buffer));
}

export async function listNamed(path: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name);
}

/**
 * Creates a folder and its missing parents. `mode`: their permission bits, less the umask. Returns the folders that were missing, the
 * innermost first.
 */
export async function makeNamedFolder(path: string, mode = 0o777): Promise<string[]> {
  const missing: string[] = [];
  for (let at = path; at !== dirname(at) && !await exists(at); at = dirname(at)) missing.push(at);
  await Deno.mkdir(path, { recursive: true, mode });
  return missing;
}

/**
 * Creates or replaces a file in one step, see {@linkcode replaceFile}. A link at `path` is replaced. To write its target
 * instead, pass the result of {@linkcode realNamed}.
 */
export async function writeNamed<T>(
  path: string,
  write: Write<T>,
  options: ReplaceOptions = {},
): Promise<T> {
  return await replaceFile(path, write, options);
}

/** Removes a file, an empty folder, or a link without its target. */
export async function removeNamed(path: string): Promise<void> {
  await Deno.remove(path);
}
