/** Ranges of lines as requests write them, also at the end of a path. */
import { UserError } from "#foundation/errors.ts";

/**
 * The lines `startLine` to `endLine` of `text` (both inclusive) with their line ends. Default: the whole text. An end past
 * the last line means the last line. Throws `UserError` `bad_line_range`.
 */
export function lineRange(
  text: string,
  range: { readonly startLine?: number | undefined; readonly endLine?: number | undefined },
  lines: Lines = new Lines(text),
) {
  const totalLines = lines.count;
  const { startLine = 1, endLine = Math.max(totalLines, startLine) } = range;
  const whole = Number.isInteger(startLine) && Number.isInteger(endLine);
  if (!whole || startLine < 1 || endLine < startLine || startLine > Math.max(totalLines, 1)) {
    throw new UserError("bad_line_range", { start: startLine, end: endLine, total: totalLines });
  }
  const last = Math.min(endLine, totalLines);
  return {
    text: text.slice(lines.startOf(startLine), last < totalLines ? lines.startOf(last + 1) : text.length),
    startLine,
    endLine: Math.max(last, startLine),
    totalLines,
  };
}

/** Finds lines by offset and offsets by line. */
export class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
    if (this.#starts.length > 1 && this.#starts.at(-1) === text.length) this.#starts.pop();
    if (text === "") this.#starts.pop();
  }

  /** Lines of the text. */
  get count(): number {
    return this.#starts.length;
  }

  /** Number of the line that holds an offset, counted from 1. */
  at(offset: number): number {
    let low = 0, high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  }

  /** Offset of the start of a line; 0 for a line that the text does not have. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? 0;
  }
}

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
 * import { citedLines } from "./line_range.ts";
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
