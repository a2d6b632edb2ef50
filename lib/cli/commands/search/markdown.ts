import { message, printable, printableText } from "../../../messages.ts";
import type { SearchAnswer } from "../../../search/mod.ts";
import { linesAround } from "./best_part.ts";
import { placeText, sectionText } from "./heading.ts";
import type { HitsTextOptions } from "./hits_text.ts";

/**
 * The hits as a Markdown list with quotations, best first. The quoted text is escaped, so that it is shown as it is: a
 * document cannot add headings, pictures, or links with another text than their address to the page that the list is pasted
 * into.
 */
export function markdownText({ hits }: SearchAnswer, { language, nameOf, context }: HitsTextOptions): string {
  return hits.map((hit, at) => {
    const number = `${at + 1}. `;
    const indent = " ".repeat(number.length);
    const place = code(`${printable(nameOf(hit.filePath))}${placeText(hit, language)}`);
    const section = escaped(sectionText(hit));
    const degree = message(language, `degree_${hit.degree}`);
    const lines = linesAround(hit, context).map(({ start, end }) =>
      escaped(printableText(hit.content.slice(start, end)).replaceAll("\t", "    ").trimEnd())
    );
    // Two spaces at the end of a line keep the line break. A line that is followed by a blank one needs none.
    const quoted = lines.map((line, i) =>
      `${indent}> ${line}${line !== "" && lines[i + 1] ? "  " : ""}`.replace(/> $/, ">")
    );
    return [`${number}${[place, section].filter((part) => part !== "").join(" ")} (${degree})`, ...quoted]
      .map((line) => `${line}\n`).join("");
  }).join("\n");
}

/** A code span: its fence is longer than every run of backticks within. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
}

/** A line of text with a backslash before each character that Markdown or HTML would act on. */
function escaped(line: string): string {
  return line
    .replace(/[\\`*<\[\]|~]|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_])_|&(?=#?\w+;)/gu, "\\$&")
    .replace(/^(\s*)([#>+=-])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2")
    // Four spaces would begin a block of code. No-break spaces keep the indentation.
    .replace(/^ +/, (spaces) => "\u00a0".repeat(spaces.length));
}
