import { pageTexts } from "../../../answer/mod.ts";
import { type Language, printable } from "../../../messages.ts";
import type { Hit } from "../../../search/mod.ts";

/** `:12-20`, or `  p. 3` where the format has pages: the lines of a PDF mean nothing to its reader. */
export function placeText(hit: Hit, language: Language): string {
  return hit.page === undefined ? linesText(hit) : pageText(hit, language);
}

/** `:12-20` */
export function linesText({ startLine, endLine }: Hit): string {
  return `:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
}

/** `  p. 3`, or nothing where the format has no pages. */
export function pageText(hit: Hit, language: Language): string {
  return pageTexts(hit, language).map((text) => `  ${printable(text)}`).join("");
}

/** The headings that lead to a hit, outermost first. */
export function sectionText({ section }: Pick<Hit, "section">): string {
  return section.map(printable).join(" › ");
}
