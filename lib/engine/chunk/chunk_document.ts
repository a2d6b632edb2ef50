/**
 * Cuts a document into chunks by one of several strategies.
 * Below it, the strategies that are not packing: by size alone, and where neighbouring sentences differ most.
 */
import type { Document, Fence, Section } from "#documents/mod.ts";
import { balance } from "./balance.ts";
import { countLineEnds, Packer, type SectionRule } from "./pack.ts";
import type { Chunk, ChunkOptions, ChunkStrategy, Similarity } from "./types.ts";
import {
  firstInlineBreak,
  inlineRank,
  isSpace,
  joinsPrevious,
  lastInlineBreak,
  Rank,
  splitsPair,
} from "./breaks.ts";
import { Locator, SectionFinder } from "./locator.ts";
import { fenceAfter, LineCursor, listMarkerEnd, startsTableRow, TableHeads } from "./lines.ts";

const SECTION_RULES: Readonly<Record<Exclude<ChunkStrategy, "fixed">, SectionRule>> = {
  auto: "shared",
  semantic: "shared",
  structure: "own",
  recursive: "none",
};

/**
 * Cuts a document into chunks. Together they contain every character behind the front matter that is not white space.
 *
 * With `chunksPerFile: "auto"`, a chunk is filled up to `maxChars` and ends at the boundary of the highest rank after its
 * first quarter, the last one among equals. The ranks are, from high to low: heading; paragraph or edge of a code block;
 * list item, table row or line that is not indented; line; sentence; clause; word; code point. In addition:
 * - a chunk that is a quarter full ends at the next heading, and any chunk at a heading that leaves its section or stands
 * apart;
 * - a heading stays with the text below it; code blocks and tables that fit in one chunk are not cut;
 * - within a section, the next chunk repeats up to `overlap` units, from the start of a line or sentence on;
 * - blank lines before a chunk and white space after it are not part of it;
 * - a chunk that begins with later rows of a table has the head of the table as its `lead`.
 *
 * Chunks may extend over the end of a page. See {@linkcode ChunkOptions.strategy} for the other strategies.
 *
 * With `chunksPerFile: n`, there are n pieces of about equal content, cut at the best boundaries near the ideal cuts. There
 * are fewer only if the text has fewer code points that are not white space.
 *
 * Takes linear time. Throws `RangeError` for `maxChars` under 2, a negative `overlap` or `chunksPerFile` under 1.
 *
 * ```ts
 * import { chunkDocument } from "./chunk_document.ts";
 * import { deepEqual } from "node:assert/strict";
 *
 * const text = "A pump moves water. It needs power.";
 * const options = { maxChars: 20, overlap: 0, chunksPerFile: "auto" } as const;
 * const chunks = chunkDocument({ text, sections: [] }, options);
 * deepEqual(chunks.map(({ start, end }) => text.slice(start, end)), ["A pump moves water.", "It needs power."]);
 * ```
 */
export function chunkDocument(document: Document, options: ChunkOptions): Chunk[] {
  const { text, sections, bodyStart = 0 } = document;
  if (bodyStart === 0) return cut(document, options);
  // Front matter belongs to texts without pages.
  const body = { text: text.slice(bodyStart), sections: sections.map((one) => movedBy(one, -bodyStart)) };
  const lines = countLineEnds(text, 0, bodyStart);
  return cut(body, options).map((chunk) => ({
    ...movedBy(chunk, bodyStart),
    startLine: chunk.startLine + lines,
    endLine: chunk.endLine + lines,
  }));
}

function movedBy<T extends Chunk | Section>(part: T, by: number): T {
  const moved = { ...part, start: part.start + by, end: part.end + by };
  return "headingEnd" in part ? { ...moved, headingEnd: part.headingEnd + by } : moved;
}

function cut(document: Document, options: ChunkOptions): Chunk[] {
  const { maxChars, overlap, chunksPerFile } = options;
  if (chunksPerFile !== "auto") {
    check("chunksPerFile", chunksPerFile, 1);
    return balance(document, chunksPerFile);
  }
  check("maxChars", maxChars, 2);
  check("overlap", overlap, 0);
  const { strategy = "auto", similarity, tables = "auto" } = options;
  if (strategy === "fixed") return cutFixed(document, maxChars, overlap);
  if (strategy === "semantic" && similarity !== undefined) {
    return cutSemantic(document, maxChars, similarity, tables !== "text");
  }
  return new Packer(document, { maxChars, overlap, rule: SECTION_RULES[strategy], tables }).pack();
}

function check(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${name} must be a whole number of at least ${least}, got ${value}`);
  }
}

/** Most units to move in search of a boundary between two characters that are drawn separately. */
const MOST_STEPS = 32;

/**
 * Cuts a text after every `maxChars` UTF-16 units and repeats `overlap` units of the chunk before, regardless of lines and
 * words. Only characters are not cut in two.
 */
function cutFixed(document: Document, maxChars: number, overlap: number): Chunk[] {
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

/** A cut is made where the similarity is below the mean by more than this many standard deviations. */
const DEVIATIONS = 1;

/**
 * Cuts a text where neighbouring sentences are least similar. Once a chunk is a quarter full, it ends at a heading, or
 * between two sentences whose similarity is far below the mean of the document. When it is full, it ends at the least
 * similar pair after its first quarter. Headings stay with the text below them; tables and code are cut only if they do not
 * fit.
 */
function cutSemantic(
  document: Document,
  maxChars: number,
  similarity: Similarity,
  withHeads: boolean,
): Chunk[] {
  const units = unitsOf(document, maxChars);
  const similarities = similaritiesOf(document.text, units, similarity);
  const threshold = thresholdOf(similarities);
  const locator = new Locator(document);
  const heads = new TableHeads(document.text);
  const chunks: Chunk[] = [];
  const quarter = maxChars >> 2;

  for (let from = 0; from < units.length;) {
    const first = units[from]!;
    const head = withHeads ? heads.of(first.lineStart) : undefined;
    const lead = head !== undefined && head.end - head.start < maxChars >> 1
      ? document.text.slice(head.start, head.end)
      : undefined;
    const limit = first.start + maxChars - (lead === undefined ? 0 : lead.length + 1);
    let weakest = -1;
    let to = from + 1;
    for (; to < units.length; to++) {
      const unit = units[to]!;
      const size = units[to - 1]!.end - first.start;
      if (unit.level > 0 && (size >= quarter || unit.level < first.level)) break;
      if (size >= quarter && (weakest < 0 || similarities[to]! <= similarities[weakest]!)) weakest = to;
      if (size >= quarter && similarities[to]! < threshold) break;
      if (unit.end > limit) {
        if (weakest >= 0) to = weakest;
        break;
      }
    }
    const last = units[to - 1]!;
    // A single unit may be longer than the room beside the lead.
    const fits = last.end <= limit;
    chunks.push({
      start: first.start,
      end: last.end,
      startLine: first.startLine,
      endLine: last.endLine,
      ...locator.locate(first.start, last.end, first.start),
      ...(lead === undefined || !fits ? {} : { lead }),
    });
    from = to;
  }
  return chunks;
}

/**
 * Returns the similarity of each unit to the one before: 2 if they should stay together, 1 if the similarity is unknown. The
 * first unit has 2.
 */
function similaritiesOf(text: string, units: readonly Unit[], similarity: Similarity): Float64Array {
  const similarities = new Float64Array(units.length).fill(1);
  if (units.length < 2) return similarities;
  const found = similarity(units.map(({ start, end }) => text.slice(start, end)));
  for (const [at, unit] of units.entries()) {
    const value = at === 0 || unit.joins ? 2 : found[at - 1];
    similarities[at] = value !== undefined && Number.isFinite(value) ? value : 1;
  }
  return similarities;
}

/** Returns the similarity below which a cut is made, or -Infinity if there are too few values to tell. */
function thresholdOf(similarities: Float64Array): number {
  const values = similarities.subarray(1).filter((value) => value < 2);
  if (values.length < 4) return -Infinity;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return mean - DEVIATIONS * Math.sqrt(variance);
}

/** A sentence, a line of code or a row of a table: the smallest part that is not cut unless it is too long. */
interface Unit {
  readonly start: number;
  end: number;
  readonly startLine: number;
  endLine: number;
  /** Start of the line in which it begins. */
  readonly lineStart: number;
  /** Level of the heading that it begins, or 0. */
  readonly level: number;
  /** Whether it belongs to the unit before: below a heading, or in the same code block or table. */
  readonly joins: boolean;
}

/** Returns the units of a document, none longer than `maxChars`. */
function unitsOf(document: Document, maxChars: number): Unit[] {
  const { text } = document;
  const line = new LineCursor(text);
  const sections = new SectionFinder(document);
  const units: Unit[] = [];
  let fence: Fence = 0;
  let headingEnd = -1;
  let wasHeading = false;
  let wasRow = false;
  let previousEnd = 0;

  while (line.advance()) {
    const heading = sections.startingIn(previousEnd, line.end);
    if (heading !== undefined) {
      headingEnd = heading.headingEnd;
      fence = 0;
    }
    const inFence = fence !== 0;
    const isRow = !inFence && startsTableRow(line);
    const isHeading = heading !== undefined || line.start < headingEnd;
    const goesOn = heading === undefined && !line.afterBlank && !inFence && !isRow && !wasRow &&
      !wasHeading &&
      listMarkerEnd(line) === line.content && units.length > 0 && !endsSentence(text, units.at(-1)!.end);
    const joins = heading === undefined &&
      (wasHeading || isHeading || inFence || (isRow && wasRow && !line.afterBlank));
    fence = fenceAfter(line, fence);
    const whole = isHeading || inFence || fence !== 0 || isRow;
    addLine(whole, goesOn, joins, heading?.level ?? 0);
    wasHeading = isHeading && line.end >= Math.min(headingEnd, line.end) && headingEnd > line.start;
    wasRow = isRow;
    previousEnd = line.end;
  }
  return units;

  /**
   * Adds the line at the cursor: as one unit if it is `whole`, else as sentences. Parts that are too long are cut further.
   * With `goesOn`, its first sentence continues the last unit.
   */
  function addLine(whole: boolean, goesOn: boolean, joins: boolean, level: number): void {
    let at = line.start;
    // Indentation is kept unless it would fill a quarter of the unit.
    if (line.content - at >= Math.max(1, maxChars >> 2)) at = line.content;
    for (let first = true; at < line.end; first = false) {
      let end = whole ? line.end : sentenceEnd(at, line.end);
      const last = units.at(-1);
      if (first && goesOn && end - last!.start <= maxChars) {
        last!.end = trimmed(end);
        last!.endLine = line.number;
      } else {
        if (end - at > maxChars) end = lastInlineBreak(text, Math.max(at, line.content) + 1, at + maxChars);
        units.push({
          start: at,
          end: trimmed(end),
          startLine: line.number,
          endLine: line.number,
          lineStart: line.lineStart,
          level: first ? level : 0,
          joins: first && joins,
        });
      }
      at = end;
      while (at < line.end && /\s/.test(text[at]!)) at++;
    }
  }

  /** Returns the end of the first sentence, or of the line if no sentence ends within `maxChars` units. */
  function sentenceEnd(from: number, end: number): number {
    const found = firstInlineBreak(text, from + 1, Math.min(from + 1 + maxChars, end), Rank.SENTENCE);
    return found >= 0 ? found : end;
  }

  function trimmed(end: number): number {
    while (/\s/.test(text[end - 1]!)) end--;
    return end;
  }
}

/** Whether content that ends at `end`, before a line end, ends a sentence. */
function endsSentence(text: string, end: number): boolean {
  return inlineRank(text, end) === Rank.SENTENCE || /[:：]/.test(text[end - 1]!);
}
