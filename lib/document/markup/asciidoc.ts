import { headingText, isBlank, lineEnd, runLength, titled, trimBlanks } from "../reader/lines.ts";
import type { Document } from "../types.ts";
import { Outline } from "../writer/outline.ts";
import { stripInlineMarkdown } from "./inline_markdown.ts";

const BLOCK_CHARACTERS = "-.+/`";

/** Reads AsciiDoc: `= Title`, `== Section` … except in listing, literal, passthrough and comment blocks. */
export function loadAsciiDoc(text: string): Document {
  const outline = new Outline();
  let block = "";
  for (let start = 0, next = 0; start < text.length; start = next) {
    const newline = lineEnd(text, start);
    next = newline + 1;
    const char = text[start]!;
    if (BLOCK_CHARACTERS.includes(char)) {
      const end = trimBlanks(text, start, newline);
      const length = runLength(text, start, Math.min(end, start + 100), text.charCodeAt(start));
      const delimiter = char.repeat(length);
      const opens = block === "" && (char === "`" ? length === 3 : length >= 4 && start + length === end);
      if (opens) block = delimiter;
      else if (start + length === end && delimiter === block) block = "";
    } else if (char === "=" && block === "") {
      const level = runLength(text, start, Math.min(newline, start + 7), 0x3d);
      if (level > 6 || !isBlank(text.charCodeAt(start + level))) continue;
      const end = trimBlanks(text, start, newline);
      outline.add(start, end, level, stripInlineMarkdown(headingText(text, start + level, end)));
    }
  }
  const sections = outline.finish(text.length);
  return titled({ text, sections }, outline.firstTitle());
}
