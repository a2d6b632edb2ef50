import { scripted } from "../writer/small_digits.ts";
import { isLineNumbers } from "./code.ts";
import { formulaWithin } from "./math.ts";
import { attribute, classes, type Element, lineOf } from "./tree.ts";
import type { Walk } from "./walk.ts";

/** Longest target of a link in characters. Longer ones are dropped. */
const LONGEST_TARGET = 300;

/** Writes the content of an element between marks of Markdown: `**`, a backquote, or `[` with the target of a link. */
export function writeMarked(element: Element, sign: string, walk: Walk, target?: string): void {
  walk.writer.push({ end: false, sign, ...(target === undefined ? {} : { target }) });
  walk.children(element);
  walk.writer.push({ end: true, sign });
}

/** Writes a link. A target that is of no use to a reader is dropped. */
export function writeLink(element: Element, walk: Walk): void {
  const target = attribute(element, "href").trim();
  const { hasBlock } = walk.options.measures.get(element)!;
  if (hasBlock || !isWorthKeeping(target, walk)) walk.children(element);
  else writeMarked(element, "[", walk, target);
}

/**
 * Returns whether to keep the target of a link. Targets on the same site are paths, which say nothing to a reader of the
 * text.
 */
function isWorthKeeping(target: string, { hasTargets, options: { host } }: Walk): boolean {
  if (
    !hasTargets || target.length > LONGEST_TARGET || !/^(?:https?:\/\/|mailto:)[^\s()<>]+$/i.test(target)
  ) return false;
  return host === undefined || !target.toLowerCase().startsWith(host, target.indexOf("//") + 2);
}

/** Writes a `<span>`. A rendered formula is replaced by its TeX, and line numbers are left out. */
export function writeSpan(element: Element, walk: Walk): void {
  const names = classes(element);
  if (
    names.some((name) => name === "katex" || name === "mwe-math-element" || name === "mjx-chtml") ||
    element.name === "mjx-container"
  ) {
    const formula = formulaWithin(element);
    if (formula !== undefined) return walk.writer.push(formula);
  }
  if (!isLineNumbers(element) || lineOf(element) === "") walk.children(element);
}

/** Writes `<sup>` and `<sub>` in small digits, except for numbers of notes. */
export function writeScript(element: Element, walk: Walk): void {
  const text = lineOf(element);
  const small = scripted(text, element.name === "sup" ? "superscript" : "subscript");
  if (small !== text && walk.options.measures.get(element)!.links === 0) walk.writer.push(small);
  else walk.children(element);
}

/** Writes `<ruby>` with its reading in parentheses. */
export function writeRuby(element: Element, walk: Walk): void {
  const readings: string[] = [];
  for (const child of element.children) {
    if (typeof child === "string") walk.writer.text(child.trim());
    else if (child.name === "rt" || child.name === "rtc") readings.push(lineOf(child));
    else if (child.name !== "rp") walk.children(child);
  }
  const reading = readings.join("");
  if (reading !== "") walk.writer.push(`(${reading})`);
}
