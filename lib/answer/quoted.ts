import { printable, printableText } from "../messages.ts";

/** How an answer marks what it quotes: texts and names of files, headings, words of the query. */
export interface Quotes {
  /** Name of the tags, as `quoted-1`. */
  readonly tag: string;
  /** Quotes a name or another short text within a line. */
  readonly name: (text: string) => string;
  /** Quotes a text of several lines, between tags on lines of their own. */
  readonly text: (text: string) => string;
}

/**
 * The answer that `print` makes, with tags that nothing in it holds: no file can end its quotation and go on in the program's
 * voice, or forge another's citation. The tags are `<quoted-1>` … `</quoted-1>`, with the first number that no text looks as if
 * it used. `print` is called twice: first without tags, so that everything it prints is known when they are chosen.
 */
export function quotedAnswer(print: (quotes: Quotes) => string): string {
  const tag = freeTag(print({ tag: "", name: (text) => `\n${printable(text)}\n`, text: shown }));
  return print({
    tag,
    name: (text) => `<${tag}>${printable(text)}</${tag}>`,
    text: (text) => {
      const lines = shown(text);
      return `<${tag}>\n${lines}${lines.endsWith("\n") ? "" : "\n"}</${tag}>`;
    },
  });
}

/** A file's text with its line ends, whichever they are, and other control characters made visible. */
function shown(text: string): string {
  return text.split("\r\n").map(printableText).join("\r\n");
}

/** `quoted` before a number, or any word after an angle bracket or a slash: its letters may only look like those of `quoted`. */
const TAG_LIKE = /(?:quoted|[<‹«〈⟨《❬❮❰⧼\/\\][^\p{L}\p{N}]{0,3}\p{L}{1,20})[^\p{L}\p{N}]{0,3}(\d{1,9})/giu;

function freeTag(printed: string): string {
  const taken = new Set<number>();
  for (const [, number] of plain(printed).matchAll(TAG_LIKE)) taken.add(Number(number));
  let number = 1;
  while (taken.has(number)) number++;
  return `quoted-${number}`;
}

/** A text as a model may read it, which is no parser: full-width letters, accents, invisible characters and entities undone. */
function plain(text: string): string {
  return text.replaceAll(/&amp;/gi, "&").replaceAll(/&lt;/gi, "<")
    .replace(/&#(x[0-9a-f]{1,6}|\d{1,7});?/gi, (whole, code: string) => {
      const number = Number(/^x/i.test(code) ? `0${code}` : code);
      return number <= 0x10ffff ? String.fromCodePoint(number) : whole;
    })
    .replace(/&[a-z]{2,30};/gi, "")
    .normalize("NFKD").replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Digits of a script come ten in a row, each row from a zero on. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!;
  if (code < 0x80) return code - 0x30;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}
