import { HOST_STYLE, type PathStyle } from "./paths.ts";

// Device names of Windows. They name devices in every folder and with every extension: `docs\NUL.txt` is not a file. The
// digits may be superscripts. https://learn.microsoft.com/windows/win32/fileio/naming-a-file
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(?:[.:].*)?$/i;

// deno-lint-ignore no-control-regex -- control characters are searched for
const FORBIDDEN_ON_WINDOWS = /[<>"|?*\x00-\x1f]/;

/**
 * Whether the system could open another place than the text of `path` says. This is so for a NUL byte. On Windows it is also
 * so for `\\?\` and `\\.\` prefixes, alternate streams (`a.txt::$DATA`), device names, names that end in a dot or a space
 * (the system drops those), and characters that file names there cannot have. Honest clients do not send such paths.
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
