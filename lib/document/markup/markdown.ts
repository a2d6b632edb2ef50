import { headingText, isBlank, lineEnd, runLength, skipBlanks, titled, trimBlanks } from "../reader/lines.ts";
import type { Document } from "../types.ts";
import { Outline } from "../writer/outline.ts";
import { stripInlineMarkdown } from "./inline_markdown.ts";
import { closesFenceAt, type Fence, fenceOpenedAt, listMarkerLength } from "./markdown_lines.ts";

const HASH = 0x23,
  EQUALS = 0x3d,
  DASH = 0x2d,
  LESS = 0x3c,
  SPACE = 0x20,
  TAB = 0x09;
/** A longer paragraph above an underline is prose before a horizontal rule, although CommonMark makes it a heading. */
const LONGEST_SETEXT_LINES = 3;
const RAW_TAGS = ["pre", "script", "style", "textarea"];

/**
 * Reads Markdown by CommonMark's rules for headings: ATX and setext, except in fenced and indented code, HTML comments and
 * raw HTML blocks. Headings inside quotes and list items make no sections. The title is that of the first level 1 heading.
 */
export function loadMarkdown(text: string): Document {
  const outline = new Outline();
  let fence: Fence = 0;
  let paragraphStart = -1;
  let paragraphLines = 0;

  for (let start = 0, next = 0; start < text.length; start = next) {
    const newline = lineEnd(text, start);
    next = newline + 1;
    let at = start;
    while (text.charCodeAt(at) === SPACE) at++;
    const code = at < newline ? text.charCodeAt(at) : SPACE;
    const indented = at - start > 3 || code === TAB;

    if (fence !== 0) {
      if (!indented && closesFenceAt(text, at, newline, fence)) fence = 0;
      continue;
    }
    if (isBlankLine(text, at, newline)) {
      paragraphLines = 0;
      continue;
    }
    if (indented) {
      // Code, or the continuation of a paragraph. The last line of a setext heading is rarely indented this far.
      if (paragraphLines > 0) paragraphLines++;
      continue;
    }
    if (code === HASH) {
      const level = runLength(text, at, Math.min(newline, at + 7), HASH);
      const after = at + level;
      if (level <= 6 && (after === newline || isBlank(text.charCodeAt(after)))) {
        const end = trimBlanks(text, at, newline);
        outline.add(start, end, level, stripInlineMarkdown(atxTitle(text, after, end)));
        paragraphLines = 0;
        continue;
      }
    } else if (code === LESS) {
      const close = rawHtmlEnd(text, at);
      if (close >= 0) {
        paragraphLines = 0;
        next = lineEnd(text, close) + 1;
        continue;
      }
    } else if (code === EQUALS || code === DASH) {
      const end = at + runLength(text, at, newline, code);
      if (skipBlanks(text, end, newline) === newline && paragraphLines > 0) {
        if (paragraphLines <= LONGEST_SETEXT_LINES) {
          const title = headingText(text, paragraphStart, start).replace(/\s*\n\s*/g, " ");
          outline.add(paragraphStart, end, code === EQUALS ? 1 : 2, stripInlineMarkdown(title));
        }
        paragraphLines = 0;
        continue;
      }
    }
    const marked = listMarkerEnd(text, at, newline);
    fence = fenceOpenedAt(text, marked, newline);
    if (fence !== 0) {
      paragraphLines = 0;
    } else if (marked > at || code === 0x3e || code === 0x7c) {
      paragraphLines = LONGEST_SETEXT_LINES + 1; // A list item, quote or table row is never a setext heading.
    } else {
      if (paragraphLines === 0) paragraphStart = start;
      paragraphLines++;
    }
  }
  const sections = outline.finish(text.length);
  return titled({ text, sections }, outline.firstTitle());
}

/**
 * Returns whether a line is blank. Ideographic and other spaces count, since Chinese texts contain lines that consist of
 * them.
 */
function isBlankLine(text: string, at: number, end: number): boolean {
  at = skipBlanks(text, at, end);
  while (at < end && /\s/.test(text[at]!)) at++;
  return at === end;
}

/** Returns the text between the opening and the closing `#` signs. */
function atxTitle(text: string, from: number, end: number): string {
  let close = end;
  while (close > from && text.charCodeAt(close - 1) === HASH) close--;
  if (close > from && !isBlank(text.charCodeAt(close - 1))) close = end;
  return headingText(text, from, close);
}

/** Returns where the content of a list item begins, or `at` if there is no list marker. */
function listMarkerEnd(text: string, at: number, end: number): number {
  const marker = at + listMarkerLength(text, at);
  return marker > at && marker < end && isBlank(text.charCodeAt(marker)) ? skipBlanks(text, marker, end) : at;
}

/** Returns an offset in the last line of the comment or raw HTML block that starts at `at`, or -1 if there is none. */
function rawHtmlEnd(text: string, at: number): number {
  let close = "";
  if (text.startsWith("<!--", at)) close = "-->";
  else {
    const tag = RAW_TAGS.find((name) => text.slice(at + 1, at + 1 + name.length).toLowerCase() === name);
    if (tag === undefined || !/[\s>]/.test(text[at + 1 + tag.length] ?? ">")) return -1;
    close = `</${tag}>`;
  }
  const end = text.indexOf(close, at);
  return end < 0 ? text.length : end;
}
