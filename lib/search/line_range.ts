import { UserError } from "../errors.ts";

/** A part of a text. Lines are counted from 1 and end with LF. */
export interface LineRange {
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
}

/**
 * The lines `startLine` to `endLine` of `text` (both inclusive) with their line ends. Default: the whole text. An end past
 * the last line means the last line. Throws `UserError` `bad_line_range`.
 */
export function lineRange(text: string, range: { startLine?: number; endLine?: number }): LineRange {
  const totalLines = countLines(text);
  const { startLine = 1, endLine = Math.max(totalLines, startLine) } = range;
  const whole = Number.isInteger(startLine) && Number.isInteger(endLine);
  if (!whole || startLine < 1 || endLine < startLine || startLine > Math.max(totalLines, 1)) {
    throw new UserError("bad_line_range", { start: startLine, end: endLine, total: totalLines });
  }
  const last = Math.min(endLine, totalLines);
  const from = lineStart(text, 0, startLine - 1);
  return {
    text: text.slice(from, lineStart(text, from, last - startLine + 1)),
    startLine,
    endLine: Math.max(last, startLine),
    totalLines,
  };
}

/** Number of lines of a text: 0 for an empty one. A last line without LF counts. */
function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}

/** The offset `lines` lines after `from`, or the end of the text. */
function lineStart(text: string, from: number, lines: number): number {
  let at = from;
  for (let i = 0; i < lines; i++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}
