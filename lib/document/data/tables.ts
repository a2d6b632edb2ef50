import { lineEnd, trimBlanks } from "../reader/lines.ts";
import type { Document } from "../types.ts";
import { SpanOutline } from "./span_outline.ts";

const HEADER = /^\[{1,2}\s*([^\]\r\n]{1,300}?)\s*\]{1,2}\s*(?:[#;].*)?$/;

/** Reads INI and TOML. Each `[table]` is a section, except in TOML's multi-line strings. Takes linear time. */
export function loadTables(text: string): Document {
  const outline = new SpanOutline(text);
  let quotes = "";
  let contentEnd = 0;
  for (let start = 0, next = 0; start < text.length; start = next) {
    const newline = lineEnd(text, start);
    next = newline + 1;
    const end = trimBlanks(text, start, newline);
    let at = start;
    while (at < end && (text[at] === " " || text[at] === "\t")) at++;
    const line = text.slice(at, Math.min(end, at + 400));
    if (quotes === "" && line.startsWith("[")) {
      const title = HEADER.exec(line)?.[1];
      if (title !== undefined) {
        outline.leave(contentEnd);
        outline.enter(at, title);
      }
    }
    // A comment may belong to the table below it.
    if (quotes === "" && /^[#;]/.test(line)) continue;
    quotes = quotesAfter(text, at, end, quotes);
    if (at < end) contentEnd = end;
  }
  outline.leave(contentEnd);
  return { text, sections: outline.finish() };
}

/** Returns the quotes of the multi-line string that is open at the end of a line. */
function quotesAfter(text: string, at: number, end: number, quotes: string): string {
  while (at < end) {
    if (quotes !== "") {
      // Searched in this line only: an unclosed string would be searched again for every line.
      const close = text.slice(at, end).indexOf(quotes);
      if (close < 0) return quotes;
      at += close + 3;
      quotes = "";
    } else {
      const char = text[at];
      if (char !== '"' && char !== "'") at++;
      else if (text.startsWith(char.repeat(3), at)) {
        quotes = char.repeat(3);
        at += 3;
      } else at++;
    }
  }
  return quotes;
}
