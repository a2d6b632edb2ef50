import { isSpace } from "./_characters.ts";

/**
 * Walks over the lines of a text that hold more than white space. It copies nothing, and finds each line's
 * end once, so that a line of 100 MB may be cut into a hundred thousand pieces.
 */
export class LineCursor {
  readonly text: string;
  /** Start of the line, or of what is left of it after {@linkcode cutAt}. */
  start = 0;
  /** First character from `start` that is not white space. */
  content = 0;
  /** Exclusive end, without trailing white space. */
  end = 0;
  /** Where the line itself starts, whatever was cut off. */
  lineStart = 0;
  /** Number of the line, from 1. */
  number = 0;
  /** A blank line, or the start of the text, is before it. */
  afterBlank = false;
  /** The start of the line was cut off. */
  continued = false;
  /** Offset and number of the line after it. */
  next = 0;
  nextNumber = 1;

  constructor(text: string) {
    this.text = text;
  }

  /** Goes to the next line with content; false at the end of the text. */
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

  /** Makes {@linkcode advance} give the line that starts at `offset`, and what is after it. */
  rewind(offset: number, number: number): void {
    this.next = offset;
    this.nextNumber = number;
  }

  /** Drops what stands before `offset`, which lies in the line's content, and white space after it. */
  cutAt(offset: number): void {
    while (isSpace(this.text.charCodeAt(offset))) offset++;
    this.start = offset;
    this.content = offset;
    this.afterBlank = false;
    this.continued = true;
  }
}
