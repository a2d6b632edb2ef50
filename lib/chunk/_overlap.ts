import { isSpace } from "./_characters.ts";
import { firstInlineBreak } from "./_inline_break.ts";
import type { LineCursor } from "./_line_cursor.ts";
import { startsTableRow } from "./_markdown_line.ts";
import { Rank } from "./_rank.ts";

/**
 * Returns the start of the overlap of a chunk whose new content begins at the cursor: the first start of a line in `[low,
 * line.start)`, else of a sentence, else, if the line itself was cut, of a clause or word. Returns `line.start` if there is
 * none. `previousEnd` is the end of the chunk before.
 */
export function overlapStart(line: LineCursor, low: number, previousEnd: number): number {
  const text = line.text;
  if (low >= previousEnd) return line.start;
  if (low < line.lineStart) {
    // A line ends in the window, so this search is short even if a giant line follows.
    let at = low === 0 ? 0 : text.indexOf("\n", low - 1) + 1;
    while (at < line.start) {
      const content = lineAfterBlank(text, at);
      if (content < 0 && at < previousEnd) return at;
      if (content < 0) break;
      at = content;
    }
  }
  // A part of a table row is of no use without the rest.
  return !line.continued && startsTableRow(line) ? line.start : sentenceStart(line, low, previousEnd);
}

/** Returns the start of the next line if the line at `at` is blank, else -1. */
function lineAfterBlank(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) return at + 1;
    if (!isSpace(code)) return -1;
  }
  return at;
}

function sentenceStart(line: LineCursor, low: number, previousEnd: number): number {
  const text = line.text;
  let at = firstInlineBreak(text, low, previousEnd, line.continued ? Rank.WORD : Rank.SENTENCE);
  if (at < 0) return line.start;
  while (at < previousEnd && isSpace(text.charCodeAt(at))) at++;
  return at < previousEnd ? at : line.start;
}

/** Returns the number of line ends in `[start, end)`. */
export function countLineEnds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === 10) count++;
  return count;
}
