/** A path with the lines that were written after it. */
export interface CitedLines {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Splits a citation as the answers of a search write it, `path:12-40` or `path:12`, or as links do, `path#L12-L40` and `path?lines=12-40`.
 * Undefined for other texts. A file may be called `notes:12`, so try the whole text as a path first.
 *
 * ```ts
 * import { citedLines } from "./cited_lines.ts";
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(citedLines("/notes/tea.md:3-4"), { path: "/notes/tea.md", startLine: 3, endLine: 4 });
 * deepEqual(citedLines("/notes/tea.md#L3"), { path: "/notes/tea.md", startLine: 3, endLine: 3 });
 * deepEqual(citedLines("/notes/tea.md"), undefined);
 * ```
 */
export function citedLines(text: string): CitedLines | undefined {
  const parts = /^(.+)(?::|#L|\?lines=)(\d{1,9})(?:-L?(\d{1,9}))?$/s.exec(text.trim());
  if (parts === null) return undefined;
  const [, path, start, end = start] = parts;
  const [startLine, endLine] = [Number(start), Number(end)];
  return startLine < 1 || endLine < startLine ? undefined : { path: path!, startLine, endLine };
}
