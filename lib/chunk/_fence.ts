import { isSpace } from "./_characters.ts";
import type { LineCursor } from "./_line_cursor.ts";
import { listMarkerEnd } from "./_line_rank.ts";

/** An open code fence: its length, negative for tildes; 0 when none is open. */
export type Fence = number;

const TICK = 0x60, TILDE = 0x7e;

/** The fence that the line opens, also behind a list marker. A part of a line opens none. */
export function fenceOpened(line: LineCursor): Fence {
  if (line.continued) return 0;
  const { text, end } = line;
  let at = line.content;
  let code = text.charCodeAt(at);
  if (code !== TICK && code !== TILDE) {
    at = listMarkerEnd(line);
    if (at === line.content) return 0;
    code = text.charCodeAt(at);
    if (code !== TICK && code !== TILDE) return 0;
  }
  const length = run(text, at, end, code);
  if (length < 3) return 0;
  if (code === TILDE) return -length;
  // ```code``` on one line is inline code
  for (let i = at + length; i < end; i++) if (text.charCodeAt(i) === TICK) return 0;
  return length;
}

/** Whether the line closes `fence`. */
export function closesFence(line: LineCursor, fence: Fence): boolean {
  if (line.continued) return false;
  const code = fence > 0 ? TICK : TILDE;
  if (line.text.charCodeAt(line.content) !== code) return false;
  const length = run(line.text, line.content, line.end, code);
  return length >= Math.abs(fence) && line.content + length === line.end &&
    !isSpace(line.text.charCodeAt(line.content));
}

function run(text: string, at: number, end: number, code: number): number {
  let stop = at;
  while (stop < end && text.charCodeAt(stop) === code) stop++;
  return stop - at;
}
