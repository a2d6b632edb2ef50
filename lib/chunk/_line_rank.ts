import type { LineCursor } from "./_line_cursor.ts";
import { listMarkerEnd, startsTableRow } from "./_markdown_line.ts";
import { Rank } from "./_rank.ts";

const IDEOGRAPHIC_SPACE = 0x3000;

/**
 * Returns the rank of a cut before the line at the cursor, as far as this line and the last character before it tell.
 * `previousEnd` is the end of the content before the line.
 */
export function lineRank(line: LineCursor, previousEnd: number): number {
  const text = line.text;
  const code = text.charCodeAt(line.content);
  // A Chinese paragraph begins with two ideographic spaces, which are no indentation.
  const indented = line.content > line.lineStart && text.charCodeAt(line.lineStart) !== IDEOGRAPHIC_SPACE;
  const closes = code === 0x29 || code === 0x5d || code === 0x7d;
  let rank: number;
  if (line.afterBlank) rank = indented || closes ? Rank.INNER_PARAGRAPH : Rank.PARAGRAPH;
  else if (!indented) rank = closes ? Rank.LINE : Rank.ITEM;
  else rank = listMarkerEnd(line) > line.content || startsTableRow(line) ? Rank.ITEM : Rank.LINE;
  return Math.min(rank, rankAfter(text, previousEnd));
}

/**
 * Returns the highest rank of a cut after content that ends at `end`. Content that ends in a colon introduces what follows.
 */
export function rankAfter(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last === 0x3a || last === 0xff1a ? Rank.LINE : Rank.PARAGRAPH;
}
