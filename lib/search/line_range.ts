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
export function lineRange(
  text: string,
  range: { readonly startLine?: number | undefined; readonly endLine?: number | undefined },
  lines: Lines = new Lines(text),
): LineRange {
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
