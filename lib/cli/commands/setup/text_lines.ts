/** How the lines of a text end: as its first one does. */
export function endOfLine(text: string): "\r\n" | "\n" {
  return /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** The blanks at the beginning of the line in which an offset lies. */
export function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(startOfLine(text, offset), offset))?.[0] ?? "";
}

/** Whether nothing but blanks stands before an offset in its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(startOfLine(text, offset), offset).trim() === "";
}

/** Line and column of an offset, both counted from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - startOfLine(text, offset) + 1 };
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}
