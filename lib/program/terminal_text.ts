/**
 * Text on a terminal: columns that it takes, cutting it to a width,
 * and its colours.
 */
import { eastAsianWidth } from "get-east-asian-width";
import type { Io } from "./io.ts";

/** Colour sequences, and the sequences (OSC 8) around the text of a link. */
// deno-lint-ignore no-control-regex -- the escape character that begins a sequence
const SEQUENCES = /\u001b\[[0-9;]*m|\u001b\]8;[^\u001b]*\u001b\\/g;

const ASCII = /^[\u0020-\u007e]*$/;

/** Characters that join the ones before or after them: marks, joiners, selectors, skin tones, flags, vowels of Hangul. */
const JOINING = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\u1160-\u11ff]/u;
const INVISIBLE = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;
/** Asks for the form of an emoji, which takes two columns. */
const EMOJI_FORM = "\ufe0f";

let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as a reader counts them: a letter with its marks, an emoji of several code points. */
export function characters(text: string): string[] {
  if (!JOINING.test(text)) return [...text];
  // It takes 10 ms to make, and few texts need it.
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns that a text takes on a terminal. Sequences for colours and links take none. */
export function displayWidth(text: string): number {
  const shown = text.includes("\u001b") ? text.replace(SEQUENCES, "") : text;
  if (ASCII.test(shown)) return shown.length;
  return characters(shown).reduce((columns, character) => columns + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (character.includes(EMOJI_FORM)) return 2;
  let columns = 0;
  for (const part of character) {
    if (INVISIBLE.test(part)) continue;
    const width = eastAsianWidth(part.codePointAt(0)!);
    // A family, a skin tone or a syllable is drawn in the place of its first part.
    if (width === 2) return 2;
    columns += width;
  }
  return columns;
}

/** The end of `text` in at most `columns`; `…` stands for a start that was cut. */
export function cutStartToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  const all = characters(text);
  let used = 1;
  let from = all.length;
  while (from > 0 && used + displayWidth(all[from - 1]!) <= columns) used += displayWidth(all[--from]!);
  return `…${all.slice(from).join("")}`;
}

/** The start of `text` in at most `columns`; `…` stands for an end that was cut. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let cut = "";
  let used = 1;
  for (const character of characters(text)) {
    used += displayWidth(character);
    if (used > columns) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Functions that colour a text, or return it unchanged. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  /** For words that were searched for: bold and red, as `grep` has it, which is readable on light and dark terminals. */
  readonly match: (text: string) => string;
}

/**
 * The style of a stream. It has colours only on a terminal, and not with `NO_COLOR` (https://no-color.org) or `TERM=dumb`.
 */
export function styleFor(io: Io, stream: "stdout" | "stderr"): Style {
  const on = io.terminal[stream] && !io.env["NO_COLOR"] && io.env["TERM"] !== "dumb";
  const paint = (open: number, close: number) => (text: string) =>
    on ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  const [bold, red] = [paint(1, 22), paint(31, 39)];
  return {
    bold,
    dim: paint(2, 22),
    red,
    green: paint(32, 39),
    yellow: paint(33, 39),
    match: (text) => bold(red(text)),
  };
}
