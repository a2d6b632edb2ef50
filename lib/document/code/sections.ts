import { lineEnd, trimBlanks } from "../reader/lines.ts";
import type { Section } from "../types.ts";
import type { CodeKind } from "./languages.ts";
import type { Definition } from "./types.ts";

const DEEPEST_LEVEL = 10;
/** Longest comment, in UTF-16 units, that belongs to the definition below it. */
const LONGEST_COMMENT = 20_000;
/** Longest distance, in UTF-16 units, from the start of the comment above a definition to the definition's name. */
const LONGEST_HEADING = 500;

/** Shortest definition, in UTF-16 units, that always begins a chunk. */
const LEAST_APART = 300;

/** Kinds of definitions in which a function is a method. */
const HAVE_METHODS = new Set(
  "class struct interface trait impl record enum object union protocol extension actor mixin annotation contract role"
    .split(" "),
);

const SLASHES = /^[ \t]*(?:\/\/|\/?\*|@)/;
const HASH = /^[ \t]*(?:#(?!!)|@)/;
/** Matches lines that belong to the definition below them: comments, annotations, attributes. */
const ABOVE: Partial<Record<CodeKind, RegExp>> = {
  bash: HASH,
  powershell: HASH,
  python: HASH,
  ruby: HASH,
  rust: /^[ \t]*(?:\/\/|\/?\*|#!?\[)/,
  php: /^[ \t]*(?:\/\/|\/?\*|#)/,
  "c_sharp": /^[ \t]*(?:\/\/|\/?\*|\[)/,
  other:
    /^[ \t]*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|endif|else|import|pragma)\b)|--|;|%|'|@|rem\b|::)/i,
};

interface Open {
  readonly definition: Definition;
  readonly path: readonly string[];
  /** Lowest offset where the lines of the next nested definition may begin. */
  floor: number;
}

/**
 * Returns sections for definitions, which must be ordered by start, outer ones first. A section begins with the line of its
 * definition, or with the comment above it, and ends with the definition. A definition inside another one becomes no section
 * if it takes a single line or begins in the first line of the outer one.
 */
export function definitionSections(
  text: string,
  definitions: readonly Definition[],
  kind: CodeKind,
): Section[] {
  const sections: { -readonly [K in keyof Section]: Section[K] }[] = [];
  const open: Open[] = [];
  const above = ABOVE[kind] ?? SLASHES;
  let floor = 0;
  for (const definition of definitions) {
    for (
      let last = open.at(-1);
      last !== undefined && definition.start >= last.definition.end;
      last = open.at(-1)
    ) {
      floor = Math.max(floor, last.definition.end);
      open.pop();
    }
    const around = open.at(-1);
    if (around !== undefined && definition.end > around.definition.end) continue;
    const lineStart = text.lastIndexOf("\n", definition.start) + (text[definition.start] === "\n" ? 0 : 1);
    const lowest = Math.max(floor, around?.floor ?? 0);
    if (lineStart < lowest) continue;
    if (around !== undefined && !text.slice(definition.start, definition.end).includes("\n")) continue;
    const start = withComment(text, lineStart, lowest, above);
    const nameEnd = trimBlanks(text, start, lineEnd(text, Math.max(definition.nameAt, lineStart)));
    const firstEnd = trimBlanks(text, start, lineEnd(text, start));
    const headingEnd = nameEnd - start <= LONGEST_HEADING
      ? nameEnd
      : firstEnd - start <= LONGEST_HEADING
      ? firstEnd
      : start;
    const parentKind = around?.definition.kind;
    const isMethod = definition.kind === "function" && parentKind !== undefined &&
      HAVE_METHODS.has(parentKind);
    const title = `${isMethod ? "method" : definition.kind} ${definition.name}`.slice(0, 200);
    const path = [...around?.path ?? [], title];
    const end = Math.min(
      withLineEnd(text, definition.end),
      around === undefined ? text.length : around.definition.end,
    );
    sections.push({
      start,
      // The whole line of a one-line definition is its body. Otherwise a chunk of such lines would consist of headings.
      headingEnd: headingEnd < end ? headingEnd : start,
      end,
      level: open.length + 1,
      title,
      path,
      ...(end - start >= LEAST_APART ? { apart: true as const } : {}),
    });
    floor = Math.max(lineStart + 1, floor);
    if (open.length < DEEPEST_LEVEL - 1) {
      open.push({ definition, path, floor: lineEnd(text, definition.nameAt) });
    } else floor = Math.max(floor, definition.end);
  }
  return sections;
}

/** Returns where the comments and annotations directly above `lineStart` begin, not before `lowest`. */
function withComment(text: string, lineStart: number, lowest: number, above: RegExp): number {
  lowest = Math.max(lowest, lineStart - LONGEST_COMMENT);
  let start = lineStart;
  while (start > lowest) {
    const end = start - 1;
    const before = text.lastIndexOf("\n", end - 1) + 1;
    if (before < lowest || end <= before) break;
    const line = text.slice(before, Math.min(end, before + 200));
    if (above.test(line)) start = before;
    else if (text.slice(Math.max(before, end - 3), end).trimEnd().endsWith("*/")) {
      const opener = text.slice(lowest, end).lastIndexOf("/*");
      if (opener < 0) break;
      const from = text.lastIndexOf("\n", lowest + opener) + 1;
      if (from < lowest || text.slice(from, lowest + opener).trim() !== "") break;
      start = from;
    } else break;
  }
  return start;
}

/** Returns the end of the line if only punctuation follows `end`, else `end`. */
function withLineEnd(text: string, end: number): number {
  while (/\s/.test(text[end - 1] ?? "x")) end--;
  const newline = lineEnd(text, end);
  return newline - end < 200 && /^[\s;,)}\]]*$/.test(text.slice(end, newline)) ? newline : end;
}
