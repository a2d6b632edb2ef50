/**
 * What the system says about a path: `lstat`, real paths, the identity of files,
 * and the meaning of its errors. It needs no messages.
 */
import { comparable } from "./paths.ts";

/** `lstat` of `path`, or `undefined` if nothing exists there. Throws the other errors of the system. */
export async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Synchronous {@linkcode lookAt}. */
export function lookAtSync(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether something exists at `path` and no part of the path is a link. False as well if that cannot be determined. */
export async function isReal(path: string): Promise<boolean> {
  return await Deno.realPath(path).then((real) => comparable(real) === comparable(path), () => false);
}

/** Whether anything exists at `path`, dangling links included. False as well if that cannot be determined. */
export async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

type FileIdentity = Pick<Deno.FileInfo, "dev" | "ino">;

/** Whether two `stat` results are of the same file: equal device and inode numbers, where the system has them. */
export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return (a.ino === null || b.ino === null || a.ino === b.ino) && (!a.dev || !b.dev || a.dev === b.dev);
}

// Apart from `file_error.ts`, which needs the messages: the thread that watches folders does without these 140 kB.

/** Whether the error says that nothing exists at the path. That includes a path through a file instead of a folder. */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** Whether the error comes from the operating system (an unreadable disk, for example) and not from the program. */
export function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Deno.errors.NotCapable) return false;
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) || /\(os error \d+\)/.test(error.message);
}

/** Error classes of the runtime by the error codes of `node:fs`. */
const CLASSES: Readonly<Record<string, new (message: string, options?: ErrorOptions) => Error>> = {
  EACCES: Deno.errors.PermissionDenied,
  EEXIST: Deno.errors.AlreadyExists,
  EISDIR: Deno.errors.IsADirectory,
  ELOOP: Deno.errors.FilesystemLoop,
  ENOENT: Deno.errors.NotFound,
  ENOTDIR: Deno.errors.NotADirectory,
  EPERM: Deno.errors.PermissionDenied,
};

/**
 * An error of `node:fs` as the class that `Deno`'s functions throw, with `path` in its message and the same `code`. Other
 * errors are returned as they are.
 */
export function asDenoError(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (!(error instanceof Error) || typeof code !== "string") return error;
  const message = error.message.includes(path) ? error.message : `${error.message} '${path}'`;
  return Object.assign(new (CLASSES[code] ?? Error)(message, { cause: error }), { code });
}
