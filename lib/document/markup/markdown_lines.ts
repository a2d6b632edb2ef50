import { runLength, skipBlanks } from "../reader/lines.ts";

/** Length of an open code fence, negative for a fence of tildes; 0 if no fence is open. */
export type Fence = number;

const TICK = 0x60, TILDE = 0x7e;

/** Returns the fence that opens at `at`, where the content of a line begins; the line ends at `end`. */
export function fenceOpenedAt(text: string, at: number, end: number): Fence {
  const code = text.charCodeAt(at);
  if (code !== TICK && code !== TILDE) return 0;
  const length = runLength(text, at, end, code);
  if (length < 3) return 0;
  if (code === TILDE) return -length;
  // ```code``` on one line is inline code.
  for (let i = at + length; i < end; i++) if (text.charCodeAt(i) === TICK) return 0;
  return length;
}

/** Whether the line whose content is `[at, end)` closes `fence`. */
export function closesFenceAt(text: string, at: number, end: number, fence: Fence): boolean {
  const length = runLength(text, at, end, fence > 0 ? TICK : TILDE);
  return length >= Math.abs(fence) && skipBlanks(text, at + length, end) === end;
}

/**
 * Returns the length of the list marker at `at`, as `-` or `12.`; 0 if there is none. CommonMark also requires a blank after
 * the marker, which the caller checks. With `extended`, `•` and `1、` count too, which Markdown does not know.
 */
export function listMarkerLength(text: string, at: number, extended = false): number {
  const code = text.charCodeAt(at);
  if (code > 0x39) return extended && code === 0x2022 ? 1 : 0;
  if (code === 0x2d || code === 0x2a || code === 0x2b) return 1;
  let end = at;
  while (end < at + 9 && isDigit(text.charCodeAt(end))) end++;
  if (end === at) return 0;
  const delimiter = text.charCodeAt(end);
  const isMarker = delimiter === 0x2e || delimiter === 0x29 || (extended && delimiter === 0x3001);
  return isMarker ? end + 1 - at : 0;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
