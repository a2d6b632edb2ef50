import type { Document } from "../document/mod.ts";
import { isSpace, joinsPrevious, splitsPair } from "./_characters.ts";
import { ChunkFacts } from "./_chunk_facts.ts";
import { countLineEnds } from "./_overlap.ts";
import type { Chunk } from "./types.ts";

/** How many units are tried for a place between two characters that are drawn apart. */
const MOST_STEPS = 32;

/**
 * Pieces of `maxChars` units, each of which repeats `overlap` of the one before, whatever stands there; only characters stay
 * whole.
 */
export function cutFixed(document: Document, maxChars: number, overlap: number): Chunk[] {
  const { text } = document;
  const facts = new ChunkFacts(document);
  const chunks: Chunk[] = [];
  overlap = maxChars < 4 ? 0 : Math.min(overlap, maxChars >> 1);
  let line = 1;
  let counted = 0;
  for (let own = skipSpace(text, 0); own < text.length;) {
    const before = chunks.at(-1);
    let start = own;
    if (before !== undefined && overlap > 0) {
      start = skipSpace(text, boundary(text, Math.max(own - overlap, before.start + 1), own));
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
    chunks.push({ start, end, startLine, endLine, ...facts.of(start, end, own) });
    own = skipSpace(text, cut);
  }
  return chunks;
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isBetween(text: string, at: number): boolean {
  return !joinsPrevious(text, at) && !(text[at - 1] === "\r" && text[at] === "\n");
}

/** The last place in `[low, at]` where no character is cut in two; marks may lose their letters where they come in heaps. */
function boundaryBefore(text: string, at: number, low: number): number {
  for (let place = at; place >= Math.max(low, at - MOST_STEPS); place--) {
    if (!splitsPair(text, place) && isBetween(text, place)) return place;
  }
  return splitsPair(text, at) ? (at - 1 >= low ? at - 1 : at + 1) : at;
}

/** The first place from `at` on, up to `end`, where no character is cut in two. */
function boundary(text: string, at: number, end: number): number {
  for (let place = at; place < Math.min(end, at + MOST_STEPS); place++) {
    if (!splitsPair(text, place) && isBetween(text, place)) return place;
  }
  return end;
}
