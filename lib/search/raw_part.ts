import { characterAt, cutAt } from "./document_part.ts";
import type { RawFile } from "./types.ts";

/** The lines of a file that fit one answer. */
export interface RawPart extends RawFile {
  /** The last line that was asked for. */
  readonly lastLine: number;
  /** Share of the text that was asked for and is not in the part, 0 to 1. */
  readonly missing: number;
  /** The line to continue with, if the text was cut. */
  readonly nextLine?: number;
  /** The UTF-16 unit to continue with in that line, counted from 1, if the text was cut inside it. */
  readonly nextColumn?: number;
}

/**
 * Returns the beginning of a file's text, at most `budget` UTF-16 units: whole lines, or a part of the first line if that
 * alone is longer. `startColumn`: first UTF-16 unit in the first line, counted from 1.
 */
export function rawPart(file: RawFile, budget: number, startColumn = 1): RawPart {
  const { text, startLine } = file;
  const from = characterAt(text, Math.min(startColumn - 1, text.length));
  const end = cutAt(text, from, text.length, budget);
  const part = {
    ...file,
    lastLine: file.endLine,
    missing: text.length === 0 ? 0 : (text.length - end) / text.length,
    text: text.slice(from, end),
    // A column behind the end of its line is in a later one.
    startLine: Math.min(startLine + lineEnds(text, from), file.endLine),
  };
  if (end === text.length) return part;
  const lastEnd = text.lastIndexOf("\n", end - 1);
  const nextLine = startLine + lineEnds(text, end);
  const column = end - lastEnd;
  return {
    ...part,
    endLine: column > 1 ? nextLine : nextLine - 1,
    nextLine,
    ...(column > 1 && { nextColumn: column }),
  };
}

function lineEnds(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
