import { posix, win32 } from "node:path";

/** How a path is written: `/a/b`, or `C:\a\b` and `\\server\share\a`. */
export type PathStyle = "posix" | "windows";

/** The style of the system the program runs on. */
export const HOST_STYLE: PathStyle = Deno.build.os === "windows" ? "windows" : "posix";

/** `node:path` for a style. */
export function pathOf(style: PathStyle): typeof posix {
  return style === "windows" ? win32 : posix;
}

/**
 * Whether `path` names one place wherever the program stands. Stricter than `node:path` on Windows, where
 * `\a` depends on the current drive and `C:a` on that drive's current folder.
 */
export function isFullPath(path: string, style: PathStyle = HOST_STYLE): boolean {
  return style === "posix" ? path.startsWith("/") : /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/])/i.test(path);
}

/**
 * Whether `path` is on another machine (`\\server\share`): merely touching it sends the user's credentials
 * there.
 */
export function isNetworkPath(path: string, style: PathStyle = HOST_STYLE): boolean {
  return style === "windows" && /^[\\/]{2}[^\\/.?]/.test(path);
}

/**
 * A form of a full path in which equal places are equal strings: `.` and `..` resolved, one kind of
 * separator, none at the end, lower case on Windows.
 */
export function comparable(path: string, style: PathStyle = HOST_STYLE): string {
  const normal = pathOf(style).normalize(path);
  const folded = style === "windows" ? normal.toLowerCase() : normal;
  const cut = folded.length - 1;
  return folded.endsWith(pathOf(style).sep) && cut > 0 ? folded.slice(0, cut) : folded;
}

/**
 * Whether `child` is `parent` or lies below it, by their names alone: links are not looked at. Both must be
 * full paths, else the answer is no. Ignores case on Windows.
 */
export function isInside(child: string, parent: string, style: PathStyle = HOST_STYLE): boolean {
  if (!isFullPath(child, style) || !isFullPath(parent, style)) return false;
  const inner = comparable(child, style);
  const outer = comparable(parent, style);
  const sep = pathOf(style).sep;
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/**
 * A path that begins with `~` as the shell would have it, from `home`: clients start servers without a shell, and nothing
 * expands it in a file. Any other path, and each where the home folder is not known, as it is. `~name` is no home here.
 */
export function expandHome(path: string, home: string | undefined, style: PathStyle = HOST_STYLE): string {
  const isHome = path === "~" || path.startsWith("~/") || (style === "windows" && path.startsWith("~\\"));
  return isHome && home !== undefined ? pathOf(style).join(home, path.slice(1)) : path;
}

/** A relative path with `/` between its parts, as the index and every answer write it. */
export function toPortable(relative: string, style: PathStyle = HOST_STYLE): string {
  return style === "windows" ? relative.replaceAll("\\", "/") : relative;
}

/** A `/` path as the system writes it. */
export function toNative(relative: string, style: PathStyle = HOST_STYLE): string {
  return style === "windows" ? relative.replaceAll("/", "\\") : relative;
}
