/**
 * Packs lines into chunks, greedily, and ends each chunk at the best cut after its first quarter.
 * Below it: code blocks and tables as a whole, heads of tables for later rows, and overlap.
 */
import { type Document, type Fence, isPictureCaption, type Section } from "#documents/mod.ts";
import { Locator, SectionFinder } from "./locator.ts";
import { firstInlineBreak, isSpace, lastInlineBreak, Rank } from "./breaks.ts";
import {
  closesFence,
  fenceAfter,
  fenceOpened,
  isTableRule,
  LineCursor,
  lineRank,
  rankAfter,
  startsTableRow,
  type TableHead,
  TableHeads,
} from "./lines.ts";
import { type Chunk, type TableStrategy, WHOLE_TABLE } from "./types.ts";

/** Whether a heading ends a chunk: `shared` unless the chunk is small, `own` always, `none` never. */
export type SectionRule = "shared" | "own" | "none";

/** Options of {@linkcode Packer}, as in `ChunkOptions`. */
interface PackOptions {
  readonly maxChars: number;
  readonly overlap: number;
  readonly rule: SectionRule;
  readonly tables: TableStrategy;
}

/** A cut before a line, where the current chunk may end. */
interface Cut {
  readonly rank: number;
  /** End of the chunk's content, and its last line. */
  readonly end: number;
  readonly endLine: number;
  /** State to continue with: start and number of the line after the cut, the fence open there, the floor of the overlap. */
  readonly lineStart: number;
  readonly number: number;
  readonly fence: Fence;
  readonly floor: number;
}

/**
 * Packs lines into chunks, greedily. Lines are added to a chunk until one does not fit. The chunk then ends at the cut of
 * the highest rank after its first quarter, the last among equals, or else inside the line that did not fit.
 *
 *     #start     #fresh          #enough                                      #limit
 *     ├──────────┼───────────────┼────────┬─────────┬───────────┬────────┬────┤
 *       overlap    first quarter        LINE    PARAGRAPH   PARAGRAPH  LINE     ranks of the cuts between lines
 *                                                               ▲
 *                                   the chunk ends here; the next one reads the lines after it again
 *
 * Only the best cut so far is kept, so memory does not grow with the chunk. A chunk takes at least a quarter of its room in
 * new text, or ends at a heading or block that needs the room, so each line is read a bounded number of times.
 */
export class Packer {
  readonly #text: string;
  readonly #maxChars: number;
  readonly #quarter: number;
  readonly #overlap: number;
  readonly #line: LineCursor;
  readonly #block: BlockFinder;
  readonly #rule: SectionRule;
  /** The sections that decide where to cut. */
  readonly #sections: SectionFinder;
  readonly #locator: Locator;
  readonly #leads: TableLeads;
  readonly #tables: TableStrategy;
  readonly #chunks: Chunk[] = [];
  /** The best cut so far of the current chunk. */
  #cut: Cut | undefined;

  /** Of the current chunk: its start, the start of its new content, and the offset up to which it may reach. */
  #start = 0;
  #startLine = 1;
  #fresh = 0;
  #limit = 0;
  /** Least end of the content at a cut. */
  #enough = 0;
  /** End of the content added so far and its last line; -1 if there is none. */
  #end = -1;
  #endLine = 0;
  /** Least start of the next chunk's overlap: after headings, whole blocks and the start of this chunk. */
  #floor = 0;
  /** The code fence that is open at the cursor. A code block that fits in one chunk is added as a whole and never open. */
  #fence: Fence = 0;
  /** End of the chunk before, or -1. */
  #previousEnd = -1;

  constructor(document: Document, { maxChars, overlap, rule, tables }: PackOptions) {
    this.#tables = tables;
    this.#text = document.text;
    this.#maxChars = maxChars;
    this.#quarter = maxChars >> 2;
    this.#overlap = maxChars < 4 ? 0 : Math.min(overlap, maxChars >> 1);
    this.#line = new LineCursor(document.text);
    this.#block = new BlockFinder(document.text);
    this.#rule = rule;
    this.#sections = new SectionFinder(rule === "none" ? { text: document.text, sections: [] } : document);
    this.#locator = new Locator(document);
    this.#leads = new TableLeads(document.text, tables === "text" ? 0 : maxChars);
  }

  /** Returns all chunks in their order. */
  pack(): Chunk[] {
    let more = this.#line.advance();
    while (more) more = this.#packOne();
    return this.#chunks;
  }

  /**
   * Adds the chunk that begins at the cursor and moves the cursor to the start of the next. Returns false at the end of the
   * text.
   */
  #packOne(): boolean {
    const line = this.#line;
    this.#begin();
    /** Whether the chunk contains more than headings. */
    let hasBody = false;
    let afterHeading = false;
    let headingEnd = -1;
    let level = this.#sections.at(this.#fresh)?.level ?? 0;
    let afterBlock = false;
    let inTable = false;
    /** Whether the next row of a table is not part of its head. */
    let isBody = this.#leads.isActive;

    for (;;) {
      const heading = this.#headingHere();
      if (heading !== undefined) {
        const full = this.#rule === "own" || heading.apart === true ||
          this.#end - this.#start >= this.#quarter;
        if (hasBody && (full || heading.level < level)) {
          return afterHeading ? this.#endAt(this.#cut!) : this.#endBefore();
        }
        this.#fence = 0;
        level = Math.min(level, heading.level);
      }
      const isTable = startsTableRow(line);
      const inFence = this.#fence !== 0;
      // A line of a heading of several lines may look like a table.
      const begins = !inFence && !(inTable && isTable) && heading === undefined && line.start >= headingEnd;
      if (begins && isTable && hasBody && !afterHeading && this.#tables === "rows") return this.#endBefore();
      const isBlock = begins && this.#findBlock();

      // May the chunk end before this line?
      if (hasBody && !afterHeading) {
        if (heading !== undefined) this.#offer(Rank.HEADING - heading.level);
        else if (this.#end >= this.#enough && !(isTable && isTableRule(line))) {
          const atEdge = afterBlock || isBlock || (!inFence && fenceOpened(line) !== 0);
          if (atEdge) this.#offer(rankAfter(this.#text, this.#end));
          else if (!(inFence && closesFence(line, this.#fence))) this.#offer(lineRank(line, this.#end));
        }
      }
      afterBlock = false;

      if (isBlock) {
        const isWhole = isTable && this.#isWholeTable && (!hasBody || afterHeading);
        if (isWhole && this.#block.end > this.#limit) {
          // Blank lines between a heading and the table may be of any length.
          const isFar = this.#block.end - this.#start > (WHOLE_TABLE + 1) * this.#maxChars;
          return isFar ? this.#endBefore() : this.#endWithBlock();
        }
        if (this.#block.end <= this.#limit) {
          this.#end = this.#block.end;
          this.#endLine = this.#block.endLine;
          this.#floor = this.#block.end;
          hasBody = true;
          afterHeading = false;
          afterBlock = true;
          line.rewind(this.#block.next, this.#block.endLine + 1);
          if (!line.advance()) return this.#finish();
          continue;
        }
        // The block fits in one chunk, so this chunk ends before it, however short it is.
        if (this.#cut !== undefined) return this.#endAt(this.#cut);
        if (hasBody && !afterHeading) return this.#endBefore();
      }
      if (line.end > this.#limit) {
        if (this.#cut !== undefined) return this.#endAt(this.#cut);
        return heading !== undefined && this.#end >= 0 ? this.#endBefore() : this.#endInside();
      }

      this.#fence = fenceAfter(line, this.#fence);
      afterBlock = inFence && this.#fence === 0;
      inTable = isTable;
      if (heading !== undefined) headingEnd = heading.headingEnd;
      this.#end = line.end;
      this.#endLine = line.number;
      if (line.start < headingEnd) {
        afterHeading = true;
        this.#floor = line.end;
      } else {
        afterHeading = false;
        hasBody = true;
      }
      const isRow = isTable && isBody && this.#tables === "rows";
      isBody = isTable && (isBody || isTableRule(line));
      if (!line.advance()) return this.#finish();
      if (isRow) return this.#endBefore();
    }
  }

  /** Adds the block at the cursor, which is larger than a chunk, to this chunk and ends it. */
  #endWithBlock(): boolean {
    const { end, endLine, next } = this.#block;
    this.#end = end;
    this.#endLine = endLine;
    this.#floor = end;
    this.#line.rewind(next, endLine + 1);
    return this.#line.advance() ? this.#endBefore() : this.#finish();
  }

  /** Starts a chunk at the cursor, with overlap unless the line is a heading. */
  #begin(): void {
    const line = this.#line;
    // Indentation is kept unless it would fill a quarter of the chunk.
    if (line.content - line.start >= Math.max(1, this.#quarter)) line.dropIndentation();
    this.#fresh = line.start;
    this.#end = -1;
    this.#startLine = line.number;
    // Rows below a lead need no overlap.
    const reserve = this.#leads.begin(line);
    this.#start = reserve > 0 ? line.start : this.#overlapStart();
    if (this.#start < this.#fresh) this.#startLine -= countLineEnds(this.#text, this.#start, this.#fresh);
    this.#limit = this.#start + this.#maxChars - reserve;
    this.#enough = this.#fresh + ((this.#limit - this.#fresh) >> 2);
    this.#floor = this.#start + 1;
    this.#cut = undefined;
  }

  #overlapStart(): number {
    const line = this.#line;
    let low = Math.max(line.start - this.#overlap, this.#floor);
    if (this.#previousEnd < 0 || low >= line.start) return line.start;
    if (this.#headingHere() !== undefined) return line.start;
    // A block or line that fits in one chunk without overlap is not cut to make room for overlap.
    const isBlock = this.#fence === 0 && this.#block.find(line, line.start + this.#maxChars);
    const whole = isBlock ? this.#block.end : line.end;
    if (whole - line.start <= this.#maxChars) low = Math.max(low, whole - this.#maxChars);
    return overlapStart(line, low, this.#previousEnd);
  }

  /** Returns the section whose heading starts at the line at the cursor, or at blank lines before it. */
  #headingHere(): Section | undefined {
    const line = this.#line;
    if (line.continued) return undefined;
    return this.#sections.startingIn(Math.max(this.#end, this.#previousEnd, 0), line.end);
  }

  /** Whether the line starts a block that fits in one chunk. If a section starts inside, it is not a block. */
  #findBlock(): boolean {
    const line = this.#line;
    const isTable = startsTableRow(line);
    if (isTable && (this.#tables === "rows" || this.#tables === "text")) return false;
    const most = isTable && this.#isWholeTable ? WHOLE_TABLE * this.#maxChars : this.#maxChars;
    if (!this.#block.find(line, line.start + most)) return false;
    return this.#sections.startingIn(line.start, this.#block.end) === undefined;
  }

  /** Whether a table here is kept whole. The rest of one that is too large is cut as others are. */
  get #isWholeTable(): boolean {
    return this.#tables === "whole" && !this.#leads.isActive;
  }

  /** Keeps the cut before the line at the cursor, unless there is one of a higher rank. */
  #offer(rank: number): void {
    if (this.#cut !== undefined && rank < this.#cut.rank) return;
    const { start: lineStart, number } = this.#line;
    this.#cut = {
      rank,
      end: this.#end,
      endLine: this.#endLine,
      lineStart,
      number,
      fence: this.#fence,
      floor: this.#floor,
    };
  }

  #endAt({ end, endLine, lineStart, number, fence, floor }: Cut): boolean {
    this.#add(end, endLine);
    this.#fence = fence;
    this.#floor = floor;
    this.#line.rewind(lineStart, number);
    this.#line.advance();
    return true;
  }

  /** Ends the chunk before the line at the cursor. */
  #endBefore(): boolean {
    this.#add(this.#end, this.#endLine);
    return true;
  }

  /** Ends the chunk inside the line at the cursor, which does not fit. */
  #endInside(): boolean {
    const line = this.#line;
    const low = Math.max(line.content + 1, this.#enough);
    let at = lastInlineBreak(this.#text, low, this.#limit);
    if (at < 0 && this.#end >= 0) return this.#endBefore();
    if (at < 0) at = lastInlineBreak(this.#text, line.content + 1, this.#limit);
    this.#fence ||= fenceOpened(line);
    line.cutAt(at);
    let end = at;
    while (isSpace(this.#text.charCodeAt(end - 1))) end--;
    this.#add(end, line.number);
    return true;
  }

  #finish(): boolean {
    this.#add(this.#end, this.#endLine);
    return false;
  }

  #add(end: number, endLine: number): void {
    this.#chunks.push({
      start: this.#start,
      end,
      startLine: this.#startLine,
      endLine,
      ...this.#locator.locate(this.#start, end, this.#fresh),
      ...this.#leads.of(this.#start, end, endLine === this.#startLine),
    });
    this.#previousEnd = end;
  }
}

/** Matches a line that is a picture. */
const PICTURE = /^!\[[^\]]{0,1000}\]\([^)]{0,1000}\)\s*$/;

/** Looks ahead for the end of a code block, of a table, or of a picture with its caption, which should stay in one chunk. */
class BlockFinder {
  readonly #text: string;
  /** End of the content of the block, number of its last line, start of the line after it. */
  end = 0;
  endLine = 0;
  next = 0;
  readonly #ahead: LineCursor;

  constructor(text: string) {
    this.#text = text;
    this.#ahead = new LineCursor(text);
  }

  /**
   * Whether the line starts a code block, a table or a picture with a caption that ends at or before the offset `limit`. Reads no
   * further than `limit`.
   */
  find(line: LineCursor, limit: number): boolean {
    if (line.continued || line.end > limit) return false;
    const fence = fenceOpened(line);
    if (fence === 0 && !startsTableRow(line)) return this.#findPicture(line, limit);
    const ahead = this.#ahead;
    ahead.rewind(line.next, line.nextNumber);
    this.#take(line);
    if (fence === 0) {
      while (ahead.next < limit && ahead.advance() && !ahead.afterBlank && startsTableRow(ahead)) {
        if (ahead.end > limit) return false;
        this.#take(ahead);
      }
      return true;
    }
    while (ahead.next < limit && ahead.advance()) {
      if (ahead.end > limit) return false;
      if (closesFence(ahead, fence)) {
        this.#take(ahead);
        return true;
      }
    }
    return false;
  }

  /** Whether the line is a picture with its caption below it. */
  #findPicture(line: LineCursor, limit: number): boolean {
    const { content, end } = line;
    if (this.#text[content] !== "!" || !PICTURE.test(this.#text.slice(content, end))) return false;
    const ahead = this.#ahead;
    ahead.rewind(line.next, line.nextNumber);
    if (ahead.next >= limit || !ahead.advance()) return false;
    if (!isPictureCaption(this.#text.slice(ahead.content, ahead.end))) return false;
    do {
      if (ahead.end > limit) return false;
      this.#take(ahead);
    } while (ahead.next < limit && ahead.advance() && !ahead.afterBlank);
    return true;
  }

  #take(line: LineCursor): void {
    this.end = line.end;
    this.endLine = line.number;
    this.next = line.next;
  }
}

/** UTF-16 units of the smallest chunk that has room for a lead. */
const LEAST_WITH_LEAD = 40;

/**
 * Chooses the leads of chunks that begin with rows of a table. The chunks must come in the order of the text.
 *
 *     | part | price |                                          chunk 1
 *     |------|-------|
 *     | pump |   120 |
 *     - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
 *     | hose |    15 |     lead: both lines of the head         chunk 2
 *     - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
 *     |    9000 |          lead: `| price |`                    chunk 3: the end of a row that was too long
 */
class TableLeads {
  readonly #text: string;
  readonly #maxChars: number;
  readonly #heads: TableHeads;
  /** The head of the table in which the current chunk begins, and the start of its first row. */
  #head: TableHead | undefined;
  #rowStart = 0;
  #leadEnd = 0;
  #reserve = 0;

  constructor(text: string, maxChars: number) {
    this.#text = text;
    this.#maxChars = maxChars;
    this.#heads = new TableHeads(text);
  }

  /** Whether the current chunk begins with rows below a head. */
  get isActive(): boolean {
    return this.#head !== undefined;
  }

  /**
   * Begins a chunk at the line at the cursor. Returns the UTF-16 units to reserve for its lead: those of the whole head or,
   * if the row does not fit beside that, half of the chunk for the names of some columns. 0 outside a table.
   */
  begin(line: LineCursor): number {
    this.#head = this.#maxChars < LEAST_WITH_LEAD ? undefined : this.#heads.of(line.lineStart);
    this.#rowStart = line.lineStart;
    this.#reserve = this.#head === undefined ? 0 : this.#reserveFor(this.#head, line);
    return this.#reserve;
  }

  #reserveFor({ start, ruleEnd, end }: TableHead, line: LineCursor): number {
    const half = this.#maxChars >> 1;
    const row = line.continued ? Infinity : line.end - line.start;
    const fits = (whole: number) => whole <= half || whole + row <= this.#maxChars;
    // A second row of names is left out rather than the first.
    this.#leadEnd = fits(end - start + 1) ? end : ruleEnd;
    const whole = this.#leadEnd - start + 1;
    return fits(whole) ? whole : half;
  }

  /**
   * Returns the lead of the current chunk, if there is room for one. `oneRow` means that the chunk is part of a single row.
   */
  of(start: number, end: number, oneRow: boolean): { readonly lead?: string } {
    const head = this.#head;
    if (head === undefined) return {};
    if (this.#leadEnd - head.start < this.#reserve) {
      return { lead: this.#text.slice(head.start, this.#leadEnd) };
    }
    const lead = oneRow ? this.#heads.names(head, this.#rowStart, start, end) : undefined;
    return lead === undefined || lead.length >= this.#reserve ? {} : { lead };
  }
}

/**
 * Returns the start of the overlap of a chunk whose new content begins at the cursor: the first start of a line in `[low,
 * line.start)`, else of a sentence, else, if the line itself was cut, of a clause or word. Returns `line.start` if there is
 * none. `previousEnd` is the end of the chunk before.
 */
function overlapStart(line: LineCursor, low: number, previousEnd: number): number {
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
