/** A path with the lines or the pages that were written after it. */
export interface CitedLines {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
  /** Pages as people write them: `3-5`, or `3`. */
  readonly pages?: string;
}

/**
 * Splits a citation as the answers of a search write it, `path:12-40` or `path:12`, or as links do, `path#L12-L40`, `path?lines=12-40`,
 * and, of a PDF, `path#page=3`, also for several pages: `path#page=3-5`.
 * Undefined for other texts. A file may be called `notes:12`, so try the whole text as a path first.
 *
 * ```ts
 * import { citedLines } from "./cited_lines.ts";
 * import { deepEqual } from "node:assert/strict";
 *
 * deepEqual(citedLines("/notes/tea.md:3-4"), { path: "/notes/tea.md", startLine: 3, endLine: 4 });
 * deepEqual(citedLines("/notes/tea.md#L3"), { path: "/notes/tea.md", startLine: 3, endLine: 3 });
 * deepEqual(citedLines("/notes/tea.pdf#page=3-5"), { path: "/notes/tea.pdf", pages: "3-5" });
 * deepEqual(citedLines("/notes/tea.md"), undefined);
 * ```
 */
export function citedLines(text: string): CitedLines | undefined {
  const [, file, pages] = /^(.+)#pages?=(\d{1,7}(?:-\d{1,7})?)$/s.exec(text.trim()) ?? [];
  if (file !== undefined && pages !== undefined) return { path: file, pages };
  const parts = /^(.+)(?::|#L|\?lines=)(\d{1,9})(?:-L?(\d{1,9}))?$/s.exec(text.trim());
  if (parts === null) return undefined;
  const [, path, start, end = start] = parts;
  const [startLine, endLine] = [Number(start), Number(end)];
  return startLine < 1 || endLine < startLine ? undefined : { path: path!, startLine, endLine };
}
