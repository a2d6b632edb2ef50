/** The marks of a hit on the lines of its document. */
import type { WireMark } from "#wire/search.ts";

/** A passage as a hit gives it. */
export interface MarkedPassage {
  readonly content: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly marks: readonly WireMark[];
}

/**
 * Returns the marks by line number. `lineAt` gives a line by its number, counted from 1. Lines that are others in the document have no marks: those of
 * a file that has changed, and the head of a table that is repeated before its rows. `found`: how many lines with marks were the same.
 */
export function marksOnLines(
  { content, startLine, endLine, marks }: MarkedPassage,
  lineAt: (line: number) => string | undefined,
): {
  readonly marks: ReadonlyMap<number, readonly WireMark[]>;
  readonly found: number;
  readonly wanted: number;
} {
  const lines = content.replace(/\n$/, "").split("\n");
  // The repeated text before the passage is not on its lines.
  const lead = Math.max(0, lines.length - (endLine - startLine + 1));
  const marked = new Map<number, WireMark[]>();
  let [found, wanted, from] = [0, 0, 0];
  for (const [i, line] of lines.entries()) {
    const own = marks.filter(({ start, end }) => start < from + line.length && end > from);
    const number = startLine + i - lead;
    // The first and the last line may be parts of lines.
    const column = i < lead || own.length === 0 ? -1 : lineAt(number)?.indexOf(line) ?? -1;
    if (i >= lead && own.length > 0) wanted++;
    if (column >= 0) {
      found++;
      marked.set(
        number,
        own.map(({ start, end }) => ({
          start: column + Math.max(0, start - from),
          end: column + Math.min(line.length, end - from),
        })),
      );
    }
    from += line.length + 1;
  }
  return { marks: marked, found, wanted };
}
