import { UserError } from "../errors.ts";
import type { MessageKey, MessageParams } from "../messages.ts";
import { fileError, HOST_STYLE, linkTargetInside, lookAtSync, pathModule } from "../sandbox/mod.ts";
import { patternLines } from "./_parse_rule.ts";
import { Patterns } from "./patterns.ts";
import { bytesToText, readFileBytes } from "./read.ts";

/** Files with rules for other files. The later one wins. */
const IGNORE_FILES = [".gitignore", ".muxueragignore"];
const MIB = 1024 * 1024;
/** Bytes. Larger ignore files are refused. */
const MAX_IGNORE_FILE = MIB;
/** The default of git (core.ignoreCase). */
const IGNORE_CASE = Deno.build.os !== "linux";

/** The error for an unusable ignore file by the error of reading it. */
const PROBLEMS: ReadonlyMap<MessageKey, MessageKey> = new Map([
  ["not_a_file", "ignore_file_not_a_file"],
  ["no_permission", "ignore_file_no_permission"],
  ["file_too_large", "ignore_file_too_large"],
  ["not_text", "ignore_file_not_text"],
  ["unsupported_encoding", "ignore_file_not_text"],
]);

const { join } = pathModule(HOST_STYLE);

/**
 * The rules of the ignore files in the folder `path` below `root`; null if there are none.
 *
 * An ignore file may have any encoding and may be a link to a file within `root`. Git reads UTF-8 only, and skips an ignore
 * file that is a link or a folder. Here an ignore file that cannot be read as rules is an error, so that the files that it
 * excludes are not indexed. Throws `UserError` `ignore_file_…` with the file's `path`.
 *
 * @param names the names in the folder, if they are known
 * @param onLink called with the relative path of an ignore file that is a link
 */
export async function readIgnoreFiles(
  root: string,
  path: string,
  names?: readonly string[],
  onLink?: (path: string) => void,
): Promise<Patterns | null> {
  const present = names && new Set(names.map(asNamed));
  const lines: string[] = [];
  for (const name of IGNORE_FILES) {
    if (!(present?.has(name) ?? true)) continue;
    const linked = () => onLink?.(path === "" ? name : `${path}/${name}`);
    lines.push(...await readLines(root, join(root, path, name), linked));
  }
  return lines.length > 0 ? Patterns.of(lines, { ignoreCase: IGNORE_CASE }) : null;
}

/**
 * A text that changes with the ignore files in the folder `path` below `root`; `undefined` if that cannot be known, as for
 * links.
 */
export function ignoreFilesState(root: string, path: string): string | undefined {
  const states: string[] = [];
  for (const name of IGNORE_FILES) {
    try {
      const info = lookAtSync(join(root, path, name));
      if (info?.isSymlink) return undefined;
      const { ino, size, mtime, ctime } = info ?? {};
      states.push(`${ino} ${size} ${mtime?.getTime()} ${ctime?.getTime()}`);
    } catch {
      return undefined;
    }
  }
  return states.join("\n");
}

/** Whether a file of this name has rules for other files. */
export function isIgnoreFile(name: string): boolean {
  return IGNORE_FILES.includes(asNamed(name));
}

/** The name of an ignore file in lower case, where the system ignores case: `.GITIGNORE` is a `.gitignore`. */
function asNamed(name: string): string {
  return IGNORE_CASE ? name.toLowerCase() : name;
}

async function readLines(root: string, path: string, onLink: () => void): Promise<string[]> {
  try {
    const info = lookAtSync(path);
    if (info === undefined) return [];
    if (info.isSymlink) onLink();
    const real = info.isSymlink ? await linkTargetInside(path, root) : path;
    if (real === undefined) throw new UserError("ignore_file_link", { path });
    const { bytes } = await readFileBytes(real, { maxBytes: MAX_IGNORE_FILE });
    const { text, replaced } = await bytesToText(bytes, { path });
    const lines = patternLines(text);
    // A rule with an invalid character would match other names, or none.
    if (replaced > 0 && lines.some((line) => !line.startsWith("#") && line.includes("\ufffd"))) {
      throw new UserError("not_text", { path });
    }
    return lines;
  } catch (error) {
    throw problemOf(fileError(error, path), path);
  }
}

function problemOf(error: UserError, path: string): UserError {
  if (error.key === "ignore_file_link") return error;
  const params: MessageParams = { path, limit: MAX_IGNORE_FILE / MIB, error: error.message };
  return new UserError(PROBLEMS.get(error.key) ?? "ignore_file_unreadable", params, { cause: error });
}
