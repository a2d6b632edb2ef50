/**
 * Cuts a document into a given number of pieces of about equal content.
 */
import type { Document, Fence } from "#documents/mod.ts";
import { inlineRank, isHighSurrogate, isLowSurrogate, isSpace, Rank, splitsPair } from "./breaks.ts";
import { Locator, SectionFinder } from "./locator.ts";
import {
  closesFence,
  fenceAfter,
  fenceOpened,
  isTableRule,
  LineCursor,
  lineRank,
  startsTableRow,
  TableHeads,
} from "./lines.ts";
import type { Chunk } from "./types.ts";

/** An offset where the text may be cut, `count` code points of content after its start. */
interface CutPoint {
  rank: number;
  count: number;
  /** End of the content before the cut and start of the content after it, with their lines. */
  end: number;
  endLine: number;
  start: number;
  startLine: number;
  /** Start of the line that contains `start`. */
  lineStart: number;
}

/**
 * Cuts a text into `pieces` pieces of about equal content, measured in code points that are not white space. Returns fewer
 * pieces only if the text has fewer such code points.
 *
 *     content   0 ─────────────┬────────────┬────────────┬───────────── total, in 4 pieces
 *     windows              [───┼───]    [───┼───]    [───┼───]          ┼ ideal cut
 *
 * Each cut is the one of the highest rank in the window around the ideal cut, and the nearest among equals. A window reaches
 * a quarter of a piece to either side. Windows never meet, so the pieces are in order and none is empty.
 */
export function balance(document: Document, pieces: number): Chunk[] {
  const { text } = document;
  const total = countContent(text, 0, text.length);
  const count = Math.min(pieces, total);
  const chunks: Chunk[] = [];
  if (count === 0) return chunks;
  const locator = new Locator(document);
  const heads = new TableHeads(text);
  const reach = Math.floor(total / count / 4);
  const walk = new Walk(document);
  let start = walk.lineStart;
  let startLine = walk.lineNumber;
  let lineStart = start;
  const add = (end: number, endLine: number) => {
    const head = heads.of(lineStart);
    chunks.push({
      start,
      end,
      startLine,
      endLine,
      ...locator.locate(start, end, start),
      ...(head === undefined ? {} : { lead: text.slice(head.start, head.end) }),
    });
  };
  for (let piece = 1; piece < count; piece++) {
    const ideal = Math.floor(piece * total / count);
    const cut = walk.best(ideal - reach, ideal, ideal + reach);
    add(cut.end, cut.endLine);
    start = cut.start;
    startLine = cut.startLine;
    lineStart = cut.lineStart;
  }
  const last = walk.last();
  add(last.end, last.number);
  return chunks;
}

/** Walks through a text once, from window to window, and counts the code points that are not white space. */
class Walk {
  readonly #text: string;
  readonly #line: LineCursor;
  readonly #sections: SectionFinder;
  /** Counts at the start and at the end of the line at the cursor. */
  #before = 0;
  #after = 0;
  /** The cut before the line at the cursor. */
  #edge: CutPoint | undefined;
  /** The offset inside the line that was reached, and the count there. */
  #at = 0;
  #count = 0;
  #fence: Fence = 0;
  #headingEnd = -1;

  constructor(document: Document) {
    this.#text = document.text;
    this.#line = new LineCursor(document.text);
    this.#sections = new SectionFinder(document);
    this.#line.advance();
    this.#enter();
  }

  get lineStart(): number {
    return this.#line.start;
  }

  get lineNumber(): number {
    return this.#line.number;
  }

  /** Returns the cut of the highest rank with a count in `[low, high]`, the nearest to `ideal` among equals. */
  best(low: number, ideal: number, high: number): CutPoint {
    let best: CutPoint | undefined;
    for (;;) {
      const edge = this.#edge;
      if (edge !== undefined && edge.count >= low && edge.count <= high) {
        if (isBetter(edge.rank, edge.count, best, ideal)) best = edge;
      }
      if (this.#after > high || !this.#nextLine()) break;
    }
    // A cut inside the line is better than one between a heading and the text below it.
    if (best === undefined || best.rank === Rank.WORST) best = this.#bestInside(low, ideal, high, best);
    return best!;
  }

  /** Returns end and number of the last line with content. */
  last(): { end: number; number: number } {
    while (this.#nextLine());
    return { end: this.#line.end, number: this.#line.number };
  }

  #nextLine(): boolean {
    const line = this.#line;
    const { end, number } = line;
    const wasInHeading = line.start < this.#headingEnd;
    if (!line.advance()) return false;
    this.#edge = {
      rank: this.#rank(end, wasInHeading),
      count: this.#after,
      end,
      endLine: number,
      start: line.start,
      startLine: line.number,
      lineStart: line.lineStart,
    };
    this.#before = this.#after;
    this.#enter();
    return true;
  }

  /** Updates the state for the line at the cursor. */
  #enter(): void {
    const line = this.#line;
    this.#after = this.#before + countContent(this.#text, line.content, line.end);
    this.#at = line.content;
    this.#count = this.#before;
    const heading = this.#sections.startingIn(line.start, line.end);
    if (heading !== undefined) this.#headingEnd = heading.headingEnd;
    this.#fence = heading !== undefined ? 0 : fenceAfter(line, this.#fence);
  }

  #rank(previousEnd: number, afterHeading: boolean): number {
    const line = this.#line;
    const heading = this.#sections.startingIn(line.start, line.end);
    if (afterHeading) return Rank.WORST;
    if (heading !== undefined) return Rank.HEADING - heading.level;
    if (this.#fence !== 0) return closesFence(line, this.#fence) ? Rank.WORST : Rank.LINE;
    if (fenceOpened(line) !== 0) return Rank.PARAGRAPH;
    if (startsTableRow(line) && isTableRule(line)) return Rank.WORST;
    return lineRank(line, previousEnd);
  }

  /** Returns the best cut in the part of the window that lies in the line at the cursor, or `best` if that is better. */
  #bestInside(low: number, ideal: number, high: number, best: CutPoint | undefined): CutPoint | undefined {
    const text = this.#text;
    const line = this.#line;
    this.#skipTo(Math.min(low, this.#after), line.end);
    while (this.#at < line.end) {
      const code = text.charCodeAt(this.#at);
      if (!isSpace(code)) {
        // White space before this character belongs to neither piece.
        if (this.#count > high) break;
        if (this.#count >= low && this.#count > this.#before && !splitsPair(text, this.#at)) {
          let end = this.#at;
          while (isSpace(text.charCodeAt(end - 1))) end--;
          const rank = Math.max(
            inlineRank(text, this.#at),
            end < this.#at ? inlineRank(text, end) : Rank.NEVER,
          );
          if (isBetter(rank, this.#count, best, ideal)) {
            best = {
              rank,
              count: this.#count,
              end,
              endLine: line.number,
              start: this.#at,
              startLine: line.number,
              lineStart: line.lineStart,
            };
          }
        }
        if (!(isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(this.#at + 1)))) this.#count++;
      }
      this.#at++;
    }
    return best;
  }

  /** Moves on in the line to the offset with this count. */
  #skipTo(count: number, end: number): void {
    const text = this.#text;
    let at = this.#at;
    let passed = this.#count;
    for (; at < end && passed < count; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x20 && code < 0x7f) passed++;
      else if (!isSpace(code) && !(isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(at + 1)))) {
        passed++;
      }
    }
    this.#at = at;
    this.#count = passed;
  }
}

function isBetter(rank: number, count: number, than: CutPoint | undefined, ideal: number): boolean {
  if (than === undefined || rank > than.rank) return true;
  return rank === than.rank && Math.abs(count - ideal) < Math.abs(than.count - ideal);
}

/** Returns the number of code points in `[from, end)` that are not white space. */
function countContent(text: string, from: number, end: number): number {
  let count = 0;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x20 && code < 0x7f) count++;
    else if (
      !isSpace(code) && !(isLowSurrogate(code) && at > 0 && isHighSurrogate(text.charCodeAt(at - 1)))
    ) {
      count++;
    }
  }
  return count;
}
