/** How values are put into messages: printable names, lists of places and pages, words of a command line, whole commands. */

import { sep } from "node:path";

/** Languages of the messages. */
export type Language = "zh" | "en";

/** Returns the language in which a question is answered, and in which a model is asked about a text: Chinese if it has a Chinese character. */
export function languageOfText(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}

/** Texts by key, in Chinese and in English. `{name}` is a parameter; `{name|one|several}` chooses a word by its number. */
export type Texts = Record<string, readonly [zh: string, en: string]>;

/** C0 except tab and line feed, DEL and C1. A terminal reacts to them: they move the cursor, set the title, change colours. */
const CONTROLS = "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f";

/**
 * Invisible characters that reorder, break or hide text: marks of the writing direction, line and paragraph separators,
 * deprecated format characters, the byte order mark, interlinear annotations, tag characters, and every variation selector
 * after another one, which has no meaning and can carry hidden text. Joiners, soft hyphens and zero-width spaces are
 * allowed, because words of many scripts contain them.
 */
const FORGING =
  "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}";
const SELECTORS = "[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";

const IN_TEXT = new RegExp(`[${CONTROLS}${FORGING}]|(?<=${SELECTORS})${SELECTORS}`, "gu");
const IN_NAME = new RegExp(`[\\t\\n${CONTROLS}${FORGING}]|(?<=${SELECTORS})${SELECTORS}`, "gu");

/**
 * Makes a name (of a file, a section and so on) safe within one line of text. Characters that could move a terminal's
 * cursor, set its title, reverse the writing direction or fake new lines become visible ones: C0 and DEL become their
 * Unicode control pictures (ESC `␛`), C1 becomes `�`, and invisible format characters become `<U+202E>`. Letters of all
 * scripts are unchanged.
 */
export function printable(name: string): string {
  return name.replace(IN_NAME, visible);
}

/** Makes a text of several lines safe for a terminal, like {@linkcode printable}, but keeps tabs and line feeds. */
export function printableText(text: string): string {
  return text.replace(IN_TEXT, visible);
}

/** Makes JSON safe for a terminal: writes characters that a terminal reacts to as `\u202e`, which is the same value. */
export function printableJson(json: string): string {
  // JSON has line feeds only between values, never inside them.
  return json.replace(IN_TEXT, (character) => {
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${hex(unit, 4)}`).join("");
  });
}

/** Makes TOML safe for a terminal, like {@linkcode printableJson}. Its strings must be in double quotes. */
export function printableToml(toml: string): string {
  return toml.replace(IN_TEXT, (character) => `\\U${hex(character.codePointAt(0)!, 8)}`);
}

function visible(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return code < 0xa0 ? "\ufffd" : `<U+${hex(code, 4).toUpperCase()}>`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

/** Places listed by {@linkcode placeList}; the rest is a count. */
const MAX_NAMED = 5;

/** A part of a file. */
interface Place {
  readonly filePath: string;
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * The first places as text, by page if `pageText` has one for them: `a.html:12-20, a.pdf p. 3, +2`. File names are not made printable.
 */
export function placeList<Named extends Place>(
  places: readonly Named[],
  pageText: (place: Named) => string | undefined,
): string {
  const named = places.slice(0, MAX_NAMED).map((place) => {
    const { filePath, startLine, endLine } = place;
    const page = pageText(place);
    if (page !== undefined) return `${filePath} ${page}`;
    return `${filePath}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
  });
  const more = places.length - named.length;
  return [...named, ...(more > 0 ? [`+${more}`] : [])].join(", ");
}

/** Ascending page numbers as text, with ranges: `1, 3–7`. */
export function pageList(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === page) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => first === last ? `${first}` : `${first}–${last}`).join(", ");
}

/** The system's style of paths and shells. The separator tells it in other runtimes too, where this file must load as well. */
const SYSTEM = sep === "\\" ? "windows" : "posix";

/** Characters that no shell acts on. */
const PLAIN = /^[\p{L}\p{M}\p{N}@%+=:,./_-]+$/u;

/**
 * Returns a text as one word of a command line, in quotes where the system's shell needs them.
 *
 * ```ts
 * import { shellWord } from "./texts.ts";
 * import { equal } from "node:assert/strict";
 *
 * equal(shellWord("/笔记", "posix"), "/笔记");
 * equal(shellWord("/it's my notes", "posix"), "'/it'\\''s my notes'");
 * equal(shellWord("D:\\my notes", "windows"), '"D:\\my notes"');
 * ```
 */
export function shellWord(text: string, style: "posix" | "windows" = SYSTEM): string {
  if (style === "windows") return PLAIN.test(text.replaceAll("\\", "/")) ? text : `"${text}"`;
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

let configuration: string | undefined;

/**
 * Sets the configuration file that the commands in messages of this thread name. Without it a command would run with other
 * settings than the one that suggested it, and build the index again.
 */
export function suggestWithConfiguration(file: string | undefined): void {
  configuration = file;
}

/** The option for the configuration file at the end of a command, with a space before it; empty without a file. */
export function configurationOption(): string {
  return configuration === undefined ? "" : ` -c ${shellWord(configuration)}`;
}

/**
 * A command for the user to run, with its folders and the configuration file of this run.
 *
 * ```ts
 * import { suggestedCommand } from "./texts.ts";
 * import { equal } from "node:assert/strict";
 *
 * equal(suggestedCommand("status --files", ["/notes"]), "muxue_rag status --files --dir /notes");
 * ```
 */
export function suggestedCommand(words: string, folders: readonly string[]): string {
  const parts = [
    "muxue_rag",
    ...(words === "" ? [] : [words]),
    ...folders.map((dir) => `--dir ${shellWord(dir)}`),
  ];
  return `${parts.join(" ")}${configurationOption()}`;
}
