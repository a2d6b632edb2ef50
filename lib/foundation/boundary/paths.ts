/**
 * Paths as texts (notation, comparison, containment, paths that would open another place than they say), and what the system
 * says about them: `lstat`, identity, the meaning of its errors. It needs no messages, 140 kB that the thread of `watch.ts` saves.
 */
import { posix, win32 } from "node:path";
import { isNotPermitted, OS } from "#foundation/runtime.ts";

/** The notation of paths: `/a/b`, or `C:\a\b` and `\\server\share\a`. */
export type PathStyle = "posix" | "windows";

/** The style of the running system. */
export const HOST_STYLE: PathStyle = OS === "windows" ? "windows" : "posix";

/** The variant of `node:path` for a style. */
export function pathModule(style: PathStyle): typeof posix {
  return style === "windows" ? win32 : posix;
}

/**
 * Whether `path` is independent of the working folder. On Windows this is stricter than `isAbsolute` of `node:path`: `\a`
 * depends on the current drive, and `C:a` on the current folder of that drive.
 */
export function isFullPath(path: string, style: PathStyle = HOST_STYLE): boolean {
  return style === "posix" ? path.startsWith("/") : /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/])/i.test(path);
}

/** Whether `path` is on another machine (`\\server\share`). Any access to such a path sends the user's credentials there. */
export function isNetworkPath(path: string, style: PathStyle = HOST_STYLE): boolean {
  return style === "windows" && /^[\\/]{2}[^\\/.?]/.test(path);
}

/**
 * A full path in a normal form, equal for equal places: `.` and `..` resolved, one kind of separator, no separator at the
 * end, lower case on Windows.
 */
export function comparable(path: string, style: PathStyle = HOST_STYLE): string {
  const normal = pathModule(style).normalize(path);
  const folded = style === "windows" ? normal.toLowerCase() : normal;
  const cut = folded.length - 1;
  return folded.endsWith(pathModule(style).sep) && cut > 0 ? folded.slice(0, cut) : folded;
}

/**
 * Whether `child` is `parent` or lies below it, by their text alone: links are not resolved. False unless both are full
 * paths. Ignores case on Windows.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { isInside } from "./paths.ts";
 *
 * equal(isInside("/docs/a/../b.md", "/docs", "posix"), true);
 * equal(isInside("/docs/../etc", "/docs", "posix"), false);
 * equal(isInside("C:\\Docs\\a.md", "c:\\docs", "windows"), true);
 * ```
 */
export function isInside(child: string, parent: string, style: PathStyle = HOST_STYLE): boolean {
  if (!isFullPath(child, style) || !isFullPath(parent, style)) return false;
  const inner = comparable(child, style);
  const outer = comparable(parent, style);
  const sep = pathModule(style).sep;
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/**
 * Replaces a leading `~` by `home`, as a shell does. Clients start servers without a shell, and nothing expands `~` in a
 * file. Other paths and `~name` are returned as they are, and so is every path if `home` is unknown.
 */
export function expandHome(path: string, home: string | undefined, style: PathStyle = HOST_STYLE): string {
  const isHome = path === "~" || path.startsWith("~/") || (style === "windows" && path.startsWith("~\\"));
  return isHome && home !== undefined ? pathModule(style).join(home, path.slice(1)) : path;
}

/** A relative path with `/` as its separator, as in the index and in answers. */
export function toPortable(relative: string, style: PathStyle = HOST_STYLE): string {
  return style === "windows" ? relative.replaceAll("\\", "/") : relative;
}

/**
 * A pattern of the configuration with `/` as its separator. On Windows `\\` separates names too, except before a character that a pattern gives
 * a meaning and that names there can have, such as `[` and `#`.
 */
export function portablePattern(pattern: string, style: PathStyle = HOST_STYLE): string {
  return style === "windows" ? pattern.replace(/\\(?![#![\]{} \\])/g, "/") : pattern;
}

// Device names of Windows. They name devices in every folder and with every extension: `docs\NUL.txt` is not a file. The
// digits may be superscripts. https://learn.microsoft.com/windows/win32/fileio/naming-a-file
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(?:[.:].*)?$/i;

// deno-lint-ignore no-control-regex -- control characters are searched for
const FORBIDDEN_ON_WINDOWS = /[<>"|?*\x00-\x1f]/;

/**
 * Characters of the longest path on Windows that a client may name: as many as Linux takes. Windows takes 32,767, of 16,000 names, and looking
 * for the last of them that exists would take seconds.
 */
const LONGEST_ON_WINDOWS = 4096;

/**
 * Whether the system could open another place than the text of `path` says. This is so for a NUL byte. On Windows it is also
 * so for `\\?\` and `\\.\` prefixes, alternate streams (`a.txt::$DATA`), device names, names that end in a dot or a space
 * (the system drops those), characters that file names there cannot have, and paths that are too long. Honest clients do not send such paths.
 */
export function isHostilePath(path: string, style: PathStyle = HOST_STYLE): boolean {
  if (path.includes("\0")) return true;
  if (style === "posix") return false;
  if (
    path.length > LONGEST_ON_WINDOWS || /^[\\/]{2}[?.](?:[\\/]|$)/.test(path) || /^[\\/]\?\?[\\/]/.test(path)
  ) return true;
  const withoutDrive = path.replace(/^[a-z]:(?=[\\/])/i, "");
  return withoutDrive.split(/[\\/]/).some(isHostileName);
}

function isHostileName(name: string): boolean {
  if (name === "" || name === "." || name === "..") return false;
  return /[. ]$/.test(name) || name.includes(":") || FORBIDDEN_ON_WINDOWS.test(name) || DEVICE.test(name);
}

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

/** Whether the error says that nothing exists at the path. That includes a path through a file instead of a folder. */
export function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** Whether the error says that something exists at the path already. */
export function isTaken(error: unknown): boolean {
  return error instanceof Deno.errors.AlreadyExists;
}

/** Whether the system refuses access. */
export function isRefused(error: unknown): boolean {
  return error instanceof Deno.errors.PermissionDenied;
}

/** Whether the system refuses access, or the runtime does because the thread lacks the permission. */
export function isDenied(error: unknown): boolean {
  return isRefused(error) || isNotPermitted(error);
}

/** Whether the error comes from the operating system (an unreadable disk, for example) and not from the program. */
export function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error) || isNotPermitted(error)) return false;
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
