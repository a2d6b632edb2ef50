import type { Document, Fence } from "../document/mod.ts";
import { fenceAfter, listMarkerEnd, startsTableRow } from "./_markdown_line.ts";
import { firstInlineBreak, inlineRank, lastInlineBreak } from "./_inline_break.ts";
import { LineCursor } from "./_line_cursor.ts";
import { Rank } from "./_rank.ts";
import { SectionFinder } from "./_section_finder.ts";

/** A sentence, a line of code or a row of a table: the smallest part that is not cut unless it is too long. */
export interface Unit {
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
export function unitsOf(document: Document, maxChars: number): Unit[] {
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
