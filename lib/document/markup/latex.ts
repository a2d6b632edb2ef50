import { isBlank, lineEnd, titled } from "../reader/lines.ts";
import type { Document } from "../types.ts";
import { Outline } from "../writer/outline.ts";

const LEVELS: Readonly<Record<string, number>> = {
  part: 1,
  chapter: 2,
  section: 3,
  subsection: 4,
  subsubsection: 5,
  paragraph: 6,
};
const COMMAND = /^\\(?:(part|chapter|(?:sub){0,2}section|paragraph)\*?|(title|begin|end))(?:\[[^\]{}]*\])?\{/;
const LONGEST_TITLE = 500;

/** Reads LaTeX: sectioning commands at the start of a line, except in verbatim text. The title is `\title{…}`. */
export function loadLatex(text: string): Document {
  const outline = new Outline();
  let title: string | undefined;
  let verbatim = "";
  for (let start = 0, next = 0; start < text.length; start = next) {
    const newline = lineEnd(text, start);
    next = newline + 1;
    let at = start;
    while (isBlank(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== 0x5c) continue;
    // The pattern is matched against a short copy, so that it does not scan the whole text after an unclosed `[`.
    const line = text.slice(at, Math.min(newline, at + LONGEST_TITLE));
    const match = COMMAND.exec(line);
    if (match === null) continue;
    const argument = braced(line, match[0].length);
    if (match[2] === "end" && argument === verbatim) verbatim = "";
    else if (verbatim !== "") continue;
    else if (match[2] === "begin" && /^(?:verbatim|lstlisting|minted|comment)\*?$/.test(argument)) {
      verbatim = argument;
    } else if (match[2] === "title") title ??= plainTitle(argument);
    else if (match[1] !== undefined) {
      const close = Math.min(line.trimEnd().length, match[0].length + argument.length + 1);
      outline.add(start, at + close, LEVELS[match[1]]!, plainTitle(argument));
    }
  }
  const sections = outline.finish(text.length);
  return titled({ text, sections }, title);
}

/** Returns the text from `from` to the brace that closes the one before it. */
function braced(line: string, from: number): string {
  let depth = 1;
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === "{") depth++;
    else if (line[at] === "}" && --depth === 0) return line.slice(from, at);
  }
  return line.slice(from);
}

/** Returns a title without commands, but with their arguments. */
function plainTitle(title: string): string {
  return title.replace(/\\[a-zA-Z]+\*?|[{}]/g, "").replace(/\\(?=\S)/g, "").replace(/[\s~]+/g, " ").trim();
}
