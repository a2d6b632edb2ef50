import { isSpace } from "./_characters.ts";

/**
 * Walks over the lines of a text that are not blank. Copies nothing and searches for the end of each line once, so that even
 * a line of 100 MB is cut in linear time.
 */
export class LineCursor {
  /** Start of the line, or of its rest after {@linkcode LineCursor.cutAt}. */
  start = 0;
  /** Offset of the first character from `start` on that is not white space. */
  content = 0;
  /** Exclusive end without trailing white space. */
  end = 0;
  /** Start of the line, also after {@linkcode LineCursor.cutAt}. */
  lineStart = 0;
  /** Number of the line, counted from 1. */
  number = 0;
  /** Whether a blank line or the start of the text is before it. */
  afterBlank = false;
  /** Whether {@linkcode LineCursor.cutAt} has cut off the start of the line. */
  continued = false;
  /** Start and number of the next line. */
  next = 0;
  nextNumber = 1;

  constructor(readonly text: string) {}

  /** Moves to the next line that is not blank. Returns false at the end of the text. */
  advance(): boolean {
    const text = this.text;
    const length = text.length;
    let lineStart = this.next;
    let number = this.nextNumber;
    this.afterBlank = lineStart === 0;
    while (lineStart < length) {
      let at = lineStart;
      let code = text.charCodeAt(at);
      while (code !== 10 && isSpace(code)) {
        if (++at >= length) break;
        code = text.charCodeAt(at);
      }
      if (at >= length) break;
      if (code === 10) {
        this.afterBlank = true;
        lineStart = at + 1;
        number++;
        continue;
      }
      let end = text.indexOf("\n", at);
      if (end < 0) end = length;
      this.next = end + 1;
      this.nextNumber = number + 1;
      while (isSpace(text.charCodeAt(end - 1))) end--;
      this.start = lineStart;
      this.lineStart = lineStart;
      this.content = at;
      this.end = end;
      this.number = number;
      this.continued = false;
      return true;
    }
    this.next = length;
    return false;
  }

  /** Lets {@linkcode LineCursor.advance} continue with the line that starts at `offset`. */
  rewind(offset: number, number: number): void {
    this.next = offset;
    this.nextNumber = number;
  }

  /** Drops the white space before the content. */
  dropIndentation(): void {
    this.start = this.content;
  }

  /** Drops the part of the line before `offset`, which must be in its content, and the white space after it. */
  cutAt(offset: number): void {
    while (isSpace(this.text.charCodeAt(offset))) offset++;
    this.start = offset;
    this.content = offset;
    this.afterBlank = false;
    this.continued = true;
  }
}
