import type { Document } from "../document/mod.ts";
import { isSpace, joinsPrevious, splitsPair } from "./_characters.ts";
import { Locator } from "./_locator.ts";
import { countLineEnds } from "./_overlap.ts";
import type { Chunk } from "./types.ts";

/** Most units to move in search of a boundary between two characters that are drawn separately. */
const MOST_STEPS = 32;

/**
 * Cuts a text after every `maxChars` UTF-16 units and repeats `overlap` units of the chunk before, regardless of lines and
 * words. Only characters are not cut in two.
 */
export function cutFixed(document: Document, maxChars: number, overlap: number): Chunk[] {
  const { text } = document;
  const locator = new Locator(document);
  const chunks: Chunk[] = [];
  overlap = maxChars < 4 ? 0 : Math.min(overlap, maxChars >> 1);
  let line = 1;
  let counted = 0;
  for (let own = skipSpace(text, 0); own < text.length;) {
    const before = chunks.at(-1);
    let start = own;
    if (before !== undefined && overlap > 0) {
      start = skipSpace(text, boundaryAfter(text, Math.max(own - overlap, before.start + 1), own));
      if (start >= before.end) start = own;
    }
    const limit = Math.min(start + maxChars, text.length);
    const cut = limit === text.length ? limit : boundaryBefore(text, limit, own + 1);
    let end = cut;
    while (isSpace(text.charCodeAt(end - 1))) end--;
    line += countLineEnds(text, counted, own);
    counted = own;
    const startLine = line - countLineEnds(text, start, own);
    const endLine = line + countLineEnds(text, own, end);
    chunks.push({ start, end, startLine, endLine, ...locator.locate(start, end, own) });
    own = skipSpace(text, cut);
  }
  return chunks;
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Whether the offset is between two characters that are drawn separately. */
function isBetween(text: string, at: number): boolean {
  return !joinsPrevious(text, at) && !(text[at - 1] === "\r" && text[at] === "\n");
}

/**
 * Returns the last offset in `[low, at]` between two characters. Combining marks may be separated from their letter if there
 * are more than {@linkcode MOST_STEPS}.
 */
function boundaryBefore(text: string, at: number, low: number): number {
  for (let offset = at; offset >= Math.max(low, at - MOST_STEPS); offset--) {
    if (!splitsPair(text, offset) && isBetween(text, offset)) return offset;
  }
  return splitsPair(text, at) ? (at - 1 >= low ? at - 1 : at + 1) : at;
}

/** Returns the first offset in `[at, end]` between two characters. */
function boundaryAfter(text: string, at: number, end: number): number {
  for (let offset = at; offset < Math.min(end, at + MOST_STEPS); offset++) {
    if (!splitsPair(text, offset) && isBetween(text, offset)) return offset;
  }
  return end;
}
