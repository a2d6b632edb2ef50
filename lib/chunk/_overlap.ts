import { isSpace } from "./_characters.ts";
import { firstInlineBreak } from "./_inline_break.ts";
import type { LineCursor } from "./_line_cursor.ts";
import { startsTableRow } from "./_markdown_line.ts";
import { Rank } from "./_rank.ts";

/**
 * Where a chunk whose new content begins at the cursor may begin instead, to repeat the end of the one before:
 * at the first line start in `[low, line.start)`; else at its first sentence; else, when the line itself was
 * cut, at its first clause or word. `previousEnd` is where the chunk before ends. Gives `line.start` when there
 * is no such place.
 */
export function overlapStart(line: LineCursor, low: number, previousEnd: number): number {
  const text = line.text;
  if (low >= previousEnd) return line.start;
  if (low < line.lineStart) {
    // A line ends in the window, so this search is short even when a giant line follows.
    let at = low === 0 ? 0 : text.indexOf("\n", low - 1) + 1;
    while (at < line.start) {
      const content = contentOf(text, at);
      if (content < 0 && at < previousEnd) return at;
      if (content < 0) break;
      at = content;
    }
  }
  // A piece of a table row says nothing without the rest of it.
  return !line.continued && startsTableRow(line) ? line.start : sentenceStart(line, low, previousEnd);
}

/** Start of the next line when the line at `at` is blank; -1 when it has content. */
function contentOf(text: string, at: number): number {
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

/** How many lines end in `[start, end)`. */
export function countLineEnds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === 10) count++;
  return count;
}
