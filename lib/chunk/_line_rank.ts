import { Kind, kindOf } from "./_characters.ts";
import type { LineCursor } from "./_line_cursor.ts";
import { Rank } from "./_rank.ts";

const IDEOGRAPHIC_SPACE = 0x3000;

/**
 * Strength of a cut before the line at the cursor, as far as that line and the last character before it
 * (`previousEnd` is the end of the content before) tell.
 */
export function lineRank(line: LineCursor, previousEnd: number): number {
  const text = line.text;
  const code = text.charCodeAt(line.content);
  // A Chinese paragraph begins with two ideographic spaces; that is no indentation.
  const indented = line.content > line.lineStart && text.charCodeAt(line.lineStart) !== IDEOGRAPHIC_SPACE;
  const closes = code === 0x29 || code === 0x5d || code === 0x7d;
  let rank: number;
  if (line.afterBlank) rank = indented || closes ? Rank.INNER_PARAGRAPH : Rank.PARAGRAPH;
  else if (!indented) rank = closes ? Rank.LINE : Rank.ITEM;
  else rank = listMarkerEnd(line) > line.content || startsTableRow(line) ? Rank.ITEM : Rank.LINE;
  return Math.min(rank, rankAfter(text, previousEnd));
}

/** The strongest cut there can be after content that ends at `end`: what ends in a colon leads to what follows. */
export function rankAfter(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last === 0x3a || last === 0xff1a ? Rank.LINE : Rank.PARAGRAPH;
}

/** Where a list item's content begins, after `-`, `*`, `+`, `•`, `1.`, `1)`, `1、`; `content` when the line is none. */
export function listMarkerEnd(line: LineCursor): number {
  const { text, content, end } = line;
  let at = content;
  const code = text.charCodeAt(at);
  if (code === 0x2d || code === 0x2a || code === 0x2b || code === 0x2022) at++;
  else {
    while (at < content + 9 && isDigit(text.charCodeAt(at))) at++;
    if (at === content) return content;
    const mark = text.charCodeAt(at++);
    if (mark === 0x3001) return at;
    if (mark !== 0x2e && mark !== 0x29) return content;
  }
  if (at >= end || kindOf(text.charCodeAt(at)) !== Kind.SPACE) return content;
  while (at < end && kindOf(text.charCodeAt(at)) === Kind.SPACE) at++;
  return at;
}

/** A row of a pipe table, or a line of a grid table. */
export function startsTableRow(line: LineCursor): boolean {
  const code = line.text.charCodeAt(line.content);
  if (code === 0x7c) return true;
  if (code !== 0x2b) return false;
  const second = line.text.charCodeAt(line.content + 1);
  return second === 0x2d || second === 0x3d;
}

/** The line between a pipe table's head and its body, which stays with the head. */
export function isTableRule(line: LineCursor): boolean {
  const { text, content } = line;
  if (text.charCodeAt(content) !== 0x7c) return false;
  const at = text.charCodeAt(content + 1) === 0x20 ? content + 2 : content + 1;
  const code = text.charCodeAt(at);
  return code === 0x2d || (code === 0x3a && text.charCodeAt(at + 1) === 0x2d);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
