import { CharacterSet } from "./_character_set.ts";
import { fold } from "./_fold.ts";
import { Glob, type Piece } from "./_glob.ts";

/** Any number of folders, also zero. */
export const ANY_FOLDERS = "**";

/** A rule of an ignore file. */
export interface Rule {
  /** True for `!`: entries that it matches are included again. */
  readonly negated: boolean;
  /** True for a slash at the end: it matches folders only. */
  readonly folderOnly: boolean;
  /** Patterns for the parts of a path, relative to the folder of the ignore file. The last is a glob. */
  readonly parts: readonly (Glob | typeof ANY_FOLDERS)[];
}

/** The lines of an ignore file. A lone carriage return ends a line too; otherwise such a file would be a single rule. */
export function patternLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/**
 * Parses a line by the rules of git: gitignore(5), and wildmatch.c for what that leaves open. Null for empty lines, comments
 * and patterns that cannot match, such as `a//b` or a `[` without `]`.
 */
export function parseRule(line: string, ignoreCase: boolean): Rule | null {
  let body = withoutTrailingSpaces(line);
  if (body.startsWith("#")) return null;
  const negated = body.startsWith("!");
  if (negated) body = body.slice(1);
  const folderOnly = body.endsWith("/");
  if (folderOnly) body = body.slice(0, -1);
  // A slash before the end anchors a rule at its folder. Without one it matches at any depth.
  const isAnchored = body.includes("/");
  const segments = parseSegments(isAnchored ? body.replace(/^\//, "") : body, ignoreCase);
  if (segments === null || segments.some((segment) => segment.length === 0)) return null;

  const parts: (Glob | typeof ANY_FOLDERS)[] = isAnchored ? [] : [ANY_FOLDERS];
  for (const segment of segments) {
    if (segment.length < 2 || segment.some((piece) => piece !== "*")) parts.push(new Glob(segment));
    else if (parts.at(-1) !== ANY_FOLDERS) parts.push(ANY_FOLDERS);
  }
  // At the end, `**` matches everything below a folder, but not the folder.
  if (parts.at(-1) === ANY_FOLDERS) parts.push(new Glob(["*"]));
  return { negated, folderOnly, parts };
}

/** The line without trailing spaces, except those after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") end = ++at + 1;
    else if (line[at] !== " ") end = at + 1;
  }
  return line.slice(0, end);
}

/** The pieces between the slashes; null for a pattern that cannot match. */
function parseSegments(body: string, ignoreCase: boolean): Piece[][] | null {
  const characters = Array.from(body.normalize("NFC"));
  const segments: Piece[][] = [[]];
  for (let at = 0; at < characters.length; at++) {
    let character = characters[at]!;
    const segment = segments.at(-1)!;
    if (character === "*" || character === "?") {
      segment.push(character);
      continue;
    }
    if (character === "[") {
      const parsed = CharacterSet.parse(characters, at, ignoreCase);
      if (parsed === null) return null;
      segment.push(parsed.set);
      at = parsed.end;
      continue;
    }
    if (character === "\\") {
      const quoted = characters[++at];
      if (quoted === undefined) return null;
      character = quoted;
    }
    if (character === "/") segments.push([]);
    else segment.push(...Array.from(fold(character, ignoreCase), (each) => each.codePointAt(0)!));
  }
  return segments;
}
