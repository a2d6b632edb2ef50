/**
 * Reads the outlines of reStructuredText, AsciiDoc, LaTeX and Org mode.
 * Each scanner goes over the lines once and copies none of them.
 */
import { eachLine, headingText, isBlank, Outline, runLength, titled, trimBlanks } from "./outline.ts";
import type { Document } from "../types.ts";
import { stripInlineMarkdown } from "./markdown.ts";

/** Returns a text with the headings that `visit` adds, which is called for each line with its start and its line end. */
function outlined(
  text: string,
  visit: (outline: Outline, start: number, newline: number) => void,
  titleOf: (outline: Outline) => string | undefined = (outline) => outline.firstTitle(),
): Document {
  const outline = new Outline();
  eachLine(text, (start, newline) => visit(outline, start, newline));
  const sections = outline.finish(text.length);
  return titled({ text, sections }, titleOf(outline));
}

/**
 * Reads reStructuredText: titles with an underline, or with the same line above and below. The order in which the styles of
 * these lines first appear decides their levels. The title is that of the first outermost heading.
 */
export function loadRestructuredText(text: string): Document {
  const styles: string[] = [];
  // The two lines before the current one. A title may be at `last`, with its overline at `before`.
  let before = NO_LINE;
  let last = NO_LINE;
  return outlined(text, (outline, start, newline) => {
    const end = trimBlanks(text, start, newline);
    const line: AdornedLine = { start, end, adornment: adornment(text, start, end) };
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
      const title = restructuredTextTitle(headingText(text, last.start, last.end));
      outline.add(overlined ? before.start : last.start, end, styles.indexOf(style) + 1, title);
      before = NO_LINE;
      last = NO_LINE;
    } else {
      before = last;
      last = line;
    }
  });
}

interface AdornedLine {
  readonly start: number;
  readonly end: number;
  /** Code of the character that the whole line consists of; 0 for any other line. */
  readonly adornment: number;
}
const NO_LINE: AdornedLine = { start: 0, end: 0, adornment: 0 };

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
function restructuredTextTitle(title: string): string {
  return title
    .replace(/:[\w+.-]+:(?=`)/g, "")
    .replace(/ <[^<>`]*>(?=`)/g, "")
    .replace(/`__?(?!\w)/g, "`")
    .replace(/`+|\*\*/g, "")
    .replace(/\|([^|\s]+)\|/g, "$1")
    .replace(/\\(?=\S)/g, "")
    .trim();
}

const BLOCK_CHARACTERS = "-.+/`";

/** Reads AsciiDoc: `= Title`, `== Section` … except in listing, literal, passthrough and comment blocks. */
export function loadAsciiDoc(text: string): Document {
  let block = "";
  return outlined(text, (outline, start, newline) => {
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
      if (level > 6 || !isBlank(text.charCodeAt(start + level))) return;
      const end = trimBlanks(text, start, newline);
      outline.add(start, end, level, stripInlineMarkdown(headingText(text, start + level, end)));
    }
  });
}

/** From the outermost level. */
const LATEX_HEADINGS = ["part", "chapter", "section", "subsection", "subsubsection", "paragraph"];
const LATEX_COMMAND =
  /^\\(?:(part|chapter|(?:sub){0,2}section|paragraph)\*?|(title|begin|end))(?:\[[^\]{}]*\])?\{/;
const LONGEST_TITLE = 500;

/** Reads LaTeX: sectioning commands at the start of a line, except in verbatim text. The title is `\title{…}`. */
export function loadLatex(text: string): Document {
  let title: string | undefined;
  let verbatim = "";
  return outlined(text, (outline, start, newline) => {
    let at = start;
    while (isBlank(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== 0x5c) return;
    // The pattern is matched against a short copy, so that it does not scan the whole text after an unclosed `[`.
    const line = text.slice(at, Math.min(newline, at + LONGEST_TITLE));
    const match = LATEX_COMMAND.exec(line);
    if (match === null) return;
    const argument = braced(line, match[0].length);
    if (match[2] === "end" && argument === verbatim) verbatim = "";
    else if (verbatim !== "") return;
    else if (match[2] === "begin" && /^(?:verbatim|lstlisting|minted|comment)\*?$/.test(argument)) {
      verbatim = argument;
    } else if (match[2] === "title") title ??= latexTitle(argument);
    else if (match[1] !== undefined) {
      const close = Math.min(line.trimEnd().length, match[0].length + argument.length + 1);
      outline.add(start, at + close, LATEX_HEADINGS.indexOf(match[1]) + 1, latexTitle(argument));
    }
  }, () => title);
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
function latexTitle(title: string): string {
  return title.replace(/\\[a-zA-Z]+\*?|[{}]/g, "").replace(/\\(?=\S)/g, "").replace(/[\s~]+/g, " ").trim();
}

/** Reads Org mode: `* Heading` … except in `#+begin_` blocks. The title is `#+title:`. */
export function loadOrg(text: string): Document {
  let title: string | undefined;
  let inBlock = false;
  return outlined(text, (outline, start, newline) => {
    const char = text[start];
    if (char === "#") {
      const keyword = text.slice(start, Math.min(newline, start + 8)).toLowerCase();
      if (keyword === "#+begin_") inBlock = true;
      else if (keyword.startsWith("#+end_")) inBlock = false;
      else if (keyword === "#+title:") title ??= headingText(text, start + 8, newline).slice(0, 200);
    } else if (char === "*" && !inBlock) {
      const level = runLength(text, start, newline, 0x2a);
      if (text[start + level] !== " ") return;
      const end = trimBlanks(text, start, newline);
      outline.add(start, end, level, orgTitle(headingText(text, start + level, end)));
    }
  }, (outline) => title ?? outline.firstTitle());
}

/** Returns a title without keyword, priority and tags. */
function orgTitle(title: string): string {
  return title.replace(/^(?:TODO|DONE)\s/, "").replace(/^\s*\[#\w\]/, "").replace(/\s:[\w@#%:]+:$/, "")
    .trim();
}
