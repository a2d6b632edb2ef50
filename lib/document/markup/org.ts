import { headingText, lineEnd, runLength, titled, trimBlanks } from "../reader/lines.ts";
import type { Document } from "../types.ts";
import { Outline } from "../writer/outline.ts";

/** Reads Org mode: `* Heading` … except in `#+begin_` blocks. The title is `#+title:`. */
export function loadOrg(text: string): Document {
  const outline = new Outline();
  let title: string | undefined;
  let inBlock = false;
  for (let start = 0, next = 0; start < text.length; start = next) {
    const newline = lineEnd(text, start);
    next = newline + 1;
    const char = text[start];
    if (char === "#") {
      const keyword = text.slice(start, Math.min(newline, start + 8)).toLowerCase();
      if (keyword === "#+begin_") inBlock = true;
      else if (keyword.startsWith("#+end_")) inBlock = false;
      else if (keyword === "#+title:") title ??= headingText(text, start + 8, newline).slice(0, 200);
    } else if (char === "*" && !inBlock) {
      const level = runLength(text, start, newline, 0x2a);
      if (text[start + level] !== " ") continue;
      const end = trimBlanks(text, start, newline);
      outline.add(start, end, level, plainTitle(headingText(text, start + level, end)));
    }
  }
  const sections = outline.finish(text.length);
  return titled({ text, sections }, title ?? outline.firstTitle());
}

/** Returns a title without keyword, priority and tags. */
function plainTitle(title: string): string {
  return title.replace(/^(?:TODO|DONE)\s/, "").replace(/^\s*\[#\w\]/, "").replace(/\s:[\w@#%:]+:$/, "")
    .trim();
}
