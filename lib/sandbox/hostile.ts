import { HOST_STYLE, type PathStyle } from "./paths.ts";

// Windows takes these for devices in every folder, with any extension: `docs\NUL.txt` is no file. The digits
// may be superscripts. https://learn.microsoft.com/windows/win32/fileio/naming-a-file
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(?:[.:].*)?$/i;

// deno-lint-ignore no-control-regex -- control characters are what is looked for
const FORBIDDEN_ON_WINDOWS = /[<>"|?*\x00-\x1f]/;

/**
 * Whether `path` is written so that the system could take it for another place than its text says: a NUL
 * byte; on Windows also `\\?\` and `\\.\` prefixes, alternate streams (`a.txt::$DATA`), device names, names
 * that end in a dot or a space (the system drops those), and characters that no file name there can hold. No
 * honest client sends these.
 */
export function isHostilePath(path: string, style: PathStyle = HOST_STYLE): boolean {
  if (path.includes("\0")) return true;
  if (style === "posix") return false;
  if (/^[\\/]{2}[?.](?:[\\/]|$)/.test(path) || /^[\\/]\?\?[\\/]/.test(path)) return true;
  const withoutDrive = path.replace(/^[a-z]:(?=[\\/])/i, "");
  return withoutDrive.split(/[\\/]/).some(isHostileName);
}

function isHostileName(name: string): boolean {
  if (name === "" || name === "." || name === "..") return false;
  return /[. ]$/.test(name) || name.includes(":") || FORBIDDEN_ON_WINDOWS.test(name) || DEVICE.test(name);
}
