import { CharacterSet } from "./_character_set.ts";
import { fold } from "./_fold.ts";
import { Glob, type Piece } from "./_glob.ts";

/** Any number of folders, none included. */
export const ANY_FOLDERS = "**";

/** A rule of an ignore file. */
export interface Rule {
  /** True for `!`: what it matches is taken after all. */
  readonly negated: boolean;
  /** True for a slash at the end: it matches folders alone. */
  readonly folderOnly: boolean;
  /** Patterns for the parts of a path, from the folder that the rule belongs to; the last is a glob. */
  readonly parts: readonly (Glob | typeof ANY_FOLDERS)[];
}

/** The lines of an ignore file's text. A lone carriage return ends one too: else such a file would be one rule that matches nothing. */
export function patternLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/**
 * The rule on a line, by the rules of git (gitignore(5), and wildmatch.c where that is silent). Null for empty lines,
 * comments, and what can match nothing, such as `a//b` or a `[` without its `]`.
 */
export function parseRule(line: string, ignoreCase: boolean): Rule | null {
  let body = withoutTrailingSpaces(line);
  if (body.startsWith("#")) return null;
  const negated = body.startsWith("!");
  if (negated) body = body.slice(1);
  const folderOnly = body.endsWith("/");
  if (folderOnly) body = body.slice(0, -1);
  // a slash before the end ties a rule to its folder; without one it holds at any depth
  const isTied = body.includes("/");
  const segments = parseSegments(isTied ? body.replace(/^\//, "") : body, ignoreCase);
  if (segments === null || segments.some((segment) => segment.length === 0)) return null;

  const parts: (Glob | typeof ANY_FOLDERS)[] = isTied ? [] : [ANY_FOLDERS];
  for (const segment of segments) {
    if (segment.length < 2 || segment.some((piece) => piece !== "*")) parts.push(new Glob(segment));
    else if (parts.at(-1) !== ANY_FOLDERS) parts.push(ANY_FOLDERS);
  }
  // at its end it stands for all that is below, not for the folder itself
  if (parts.at(-1) === ANY_FOLDERS) parts.push(new Glob(["*"]));
  return { negated, folderOnly, parts };
}

/** Spaces at the end do not count, unless a backslash stands before them. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") end = ++at + 1;
    else if (line[at] !== " ") end = at + 1;
  }
  return line.slice(0, end);
}

/** The pieces between the slashes; null for what matches nothing. */
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
