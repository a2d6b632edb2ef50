/**
 * Files and folders that the user named himself: a configuration, a backup, test questions, a client's file. Links are
 * followed, wherever they lead: he may keep his files where he likes. Nothing that a document, a folder's content or an
 * answer named may be opened by these. All throw the system's errors as they are.
 * @module
 */
import { basename, dirname, join } from "node:path";
import { isMissing } from "./file_error.ts";
import { openToRead } from "./open_to_read.ts";
import { replaceFile, type ReplaceOptions, type Write } from "./replace_file.ts";
import { fill } from "./whole.ts";

/** Kind and size of the entry at `path`. */
export async function statNamed(path: string): Promise<Deno.FileInfo> {
  return await Deno.stat(path);
}

/** Whether a folder is at `path`; false as well where that cannot be told. */
export function isNamedFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** The path itself where links on the way are followed. */
export async function realNamed(path: string): Promise<string> {
  return await Deno.realPath(path);
}

/**
 * The real path of what is at `path`, or will be there once it is made: links are followed as far as there is anything.
 * Where the system does not tell, the path as it is.
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

/** Opens what is at `path`, be it a pipe, which is waited for; the caller closes it. */
export async function openNamed(path: string, access: "read" | "write" = "read"): Promise<Deno.FsFile> {
  return await Deno.open(path, { read: access === "read", write: access === "write" });
}

/** {@linkcode openNamed} for reading, without a turn of the event loop; a pipe is not waited for, and cannot be read. */
export function openNamedSync(path: string): Deno.FsFile {
  return openToRead(path, { follow: true });
}

/** Bytes of a file, at most `limit`, whatever the system says of its size: files of `/proc` have none. */
export async function readNamed(path: string, limit?: number): Promise<Uint8Array<ArrayBuffer>> {
  if (limit === undefined) return await Deno.readFile(path);
  using file = await openNamed(path);
  const buffer = new Uint8Array(limit);
  return buffer.subarray(0, await fill(file, buffer));
}

/** The names in a folder. */
export async function listNamed(path: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name);
}

/** Makes a folder, and those above it, where they are missing. `mode`: their permission bits, less the umask. */
export async function makeNamedFolder(path: string, mode = 0o777): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode });
}

/**
 * Makes or replaces a file in one step, see {@linkcode replaceFile}. A link at `path` itself is replaced; to write what it
 * leads to, ask {@linkcode realNamed} first.
 */
export async function writeNamed<T>(
  path: string,
  write: Write<T>,
  options: ReplaceOptions = {},
): Promise<T> {
  return await replaceFile(path, write, options);
}
