/** Headings are read up to this many units, more than the outline takes. */
const LONGEST_HEADING = 1000;

/** Offset of the line end after `from`: of its LF, or the length of the text. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** True for blanks within a line: space, tab, CR. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** First offset in `[from, end)` that is no blank, or `end`. */
export function skipBlanks(text: string, from: number, end: number): number {
  while (from < end && isBlank(text.charCodeAt(from))) from++;
  return from;
}

/** End of `[from, end)` without the blanks it ends in. */
export function trimBlanks(text: string, from: number, end: number): number {
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** How often `code` stands at `from`, counted no further than `end`. */
export function runLength(text: string, from: number, end: number, code: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === code) at++;
  return at - from;
}

/** The heading text in `[from, end)`, capped. */
export function headingText(text: string, from: number, end: number): string {
  return text.slice(from, Math.min(end, from + LONGEST_HEADING)).trim();
}

/** A document of this text and outline; without a title when there is none. */
export function titled<T extends { readonly text: string }>(
  document: T,
  title: string | undefined,
): T & { title?: string } {
  return title === undefined || title === "" ? document : { ...document, title };
}
