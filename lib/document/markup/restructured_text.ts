import { headingText, lineEnd, titled, trimBlanks } from "../reader/lines.ts";
import type { Document } from "../types.ts";
import { Outline } from "../writer/outline.ts";

/**
 * Reads reStructuredText: titles with an underline, or with the same line above and below. The order in which the styles of
 * these lines first appear decides their levels. The title is that of the first outermost heading.
 */
export function loadRestructuredText(text: string): Document {
  const outline = new Outline();
  const styles: string[] = [];
  // The two lines before the current one. A title may be at `last`, with its overline at `before`.
  let before = NO_LINE;
  let last = NO_LINE;
  for (let start = 0; start < text.length;) {
    const newline = lineEnd(text, start);
    const end = trimBlanks(text, start, newline);
    const line: Line = { start, end, adornment: adornment(text, start, end) };
    const overlined = before.adornment !== 0 && before.adornment === line.adornment &&
      before.end - before.start === end - start;
    const isText = last.end > last.start && last.adornment === 0;
    const longEnough = end - start >= 4 || end - start >= last.end - last.start;
    const column0 = last.start < last.end && !/\s/.test(text[last.start]!);
    const isTitle = line.adornment !== 0 && isText && longEnough &&
      (overlined || (column0 && before.end === before.start));
    if (isTitle) {
      const style = String.fromCharCode(line.adornment) + (overlined ? "^" : "");
      if (!styles.includes(style)) styles.push(style);
      const title = plainTitle(headingText(text, last.start, last.end));
      outline.add(overlined ? before.start : last.start, end, styles.indexOf(style) + 1, title);
      before = NO_LINE;
      last = NO_LINE;
    } else {
      before = last;
      last = line;
    }
    start = newline + 1;
  }
  const sections = outline.finish(text.length);
  return titled({ text, sections }, outline.firstTitle());
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** Code of the character that the whole line consists of; 0 for any other line. */
  readonly adornment: number;
}
const NO_LINE: Line = { start: 0, end: 0, adornment: 0 };

function adornment(text: string, start: number, end: number): number {
  if (end - start < 2) return 0;
  const code = text.charCodeAt(start);
  const isPunctuation = code > 0x20 && code < 0x7f && !(code >= 0x30 && code <= 0x39) &&
    !((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
  if (!isPunctuation) return 0;
  for (let at = start + 1; at < end; at++) if (text.charCodeAt(at) !== code) return 0;
  return code;
}

/** Returns a title without roles, link targets, backquotes and emphasis. */
function plainTitle(title: string): string {
  return title
    .replace(/:[\w+.-]+:(?=`)/g, "")
    .replace(/ <[^<>`]*>(?=`)/g, "")
    .replace(/`__?(?!\w)/g, "`")
    .replace(/`+|\*\*/g, "")
    .replace(/\|([^|\s]+)\|/g, "$1")
    .replace(/\\(?=\S)/g, "")
    .trim();
}
