/** The line end of a text, taken from its first line. */
export function endOfLine(text: string): "\r\n" | "\n" {
  return /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
}

/** The blanks at the start of the line that contains an offset. */
export function indentationAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(startOfLine(text, offset), offset))?.[0] ?? "";
}

/** Whether only blanks precede an offset in its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(startOfLine(text, offset), offset).trim() === "";
}

/** Line and column of an offset, both counted from 1. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - startOfLine(text, offset) + 1 };
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}
