import { closesFenceAt, type Fence, fenceOpenedAt, listMarkerLength } from "../document/mod.ts";
import { isSpace } from "./_characters.ts";
import type { LineCursor } from "./_line_cursor.ts";

const IDEOGRAPHIC_COMMA = 0x3001;

/** Returns the fence that the line opens, also behind a list marker. A line whose start was cut off opens none. */
export function fenceOpened(line: LineCursor): Fence {
  if (line.continued) return 0;
  const { text, content, end } = line;
  const fence = fenceOpenedAt(text, content, end);
  if (fence !== 0) return fence;
  const item = listMarkerEnd(line);
  return item === content ? 0 : fenceOpenedAt(text, item, end);
}

/** Whether the line closes `fence`. */
export function closesFence(line: LineCursor, fence: Fence): boolean {
  return !line.continued && closesFenceAt(line.text, line.content, line.end, fence);
}

/** Returns the fence that is open after the line, if `fence` was open before it. */
export function fenceAfter(line: LineCursor, fence: Fence): Fence {
  if (fence === 0) return fenceOpened(line);
  return closesFence(line, fence) ? 0 : fence;
}

/**
 * Returns where the content of a list item begins, or `line.content` if the line is no list item. `•` and `1、` count as list
 * markers in addition to those of Markdown.
 */
export function listMarkerEnd({ text, content, end }: LineCursor): number {
  let at = content + listMarkerLength(text, content, true);
  if (at === content || text.charCodeAt(at - 1) === IDEOGRAPHIC_COMMA) return at;
  if (at >= end || !isSpace(text.charCodeAt(at))) return content;
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Whether the line is a row of a pipe table or a rule of a grid table. */
export function startsTableRow({ text, content }: LineCursor): boolean {
  const code = text.charCodeAt(content);
  if (code === 0x7c) return true;
  if (code !== 0x2b) return false;
  const second = text.charCodeAt(content + 1);
  return second === 0x2d || second === 0x3d;
}

/** Whether the line is the rule between the head and the body of a pipe table. */
export function isTableRule({ text, content }: LineCursor): boolean {
  if (text.charCodeAt(content) !== 0x7c) return false;
  const at = text.charCodeAt(content + 1) === 0x20 ? content + 2 : content + 1;
  const code = text.charCodeAt(at);
  return code === 0x2d || (code === 0x3a && text.charCodeAt(at + 1) === 0x2d);
}
