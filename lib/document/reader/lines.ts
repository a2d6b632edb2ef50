/** UTF-16 units of a heading that are read; more than the outline accepts. */
const LONGEST_HEADING = 1000;

/** Returns the offset of the next LF from `from` on, or the length of the text. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Returns whether a character code is a blank within a line: space, tab or CR. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** Returns the first offset in `[from, end)` that is not a blank, or `end`. */
export function skipBlanks(text: string, from: number, end: number): number {
  while (from < end && isBlank(text.charCodeAt(from))) from++;
  return from;
}

/** Returns the end of `[from, end)` without trailing blanks. */
export function trimBlanks(text: string, from: number, end: number): number {
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Returns how often `code` is repeated from `from` on, counted up to `end`. */
export function runLength(text: string, from: number, end: number, code: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === code) at++;
  return at - from;
}

/** Returns the text of the heading in `[from, end)`, cut at 1,000 UTF-16 units. */
export function headingText(text: string, from: number, end: number): string {
  return text.slice(from, Math.min(end, from + LONGEST_HEADING)).trim();
}

/** Adds a title to a document, unless it is empty. */
export function titled<T extends { readonly text: string }>(
  document: T,
  title: string | undefined,
): T & { title?: string } {
  return title === undefined || title === "" ? document : { ...document, title };
}
