/**
 * Reads BibTeX: what a bibliography says about the documents that it lists.
 * Below it: values with their strings, braces and accents of LaTeX.
 */
import { type Described, described } from "../metadata.ts";
import { words } from "../types.ts";

/** An entry of a bibliography. */
export interface BibEntry extends Described {
  readonly key: string;
  /** Paths of the files that the entry names, as written by JabRef, Zotero and Mendeley. */
  readonly files: readonly string[];
}

/** An entry as it is written. */
export interface BibSource {
  /** In lower case, such as `article`. */
  readonly type: string;
  readonly key: string;
  /** Values with their commands of LaTeX, by names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
}

const MOST_ENTRIES = 20_000, MOST_FIELDS = 100, LONGEST_VALUE = 20_000, LONGEST_TEXT = 20_000_000;
/** Characters that abbreviations stand for in a whole bibliography. A few bytes may stand for a long text each time. */
const MOST_EXPANDED = 5_000_000;

/** Returns what the entries of a bibliography say about documents. */
export function readBibtex(text: string): BibEntry[] {
  return Array.from(bibSources(text), ({ type, key, fields }) => ({
    key,
    files: filesIn(fields.get("file") ?? ""),
    ...entryOf(type, fields),
  }));
}

/** Yields the entries of a bibliography. Passes over everything else. Takes linear time. */
export function* bibSources(text: string): Generator<BibSource> {
  const source = text.slice(0, LONGEST_TEXT);
  const strings = new Abbreviations();
  const start = /@[ \t]*([A-Za-z]+)[ \t\r\n]*[{(]/g;
  let count = 0;
  for (let match; (match = start.exec(source)) !== null && count < MOST_ENTRIES;) {
    const type = match[1]!.toLowerCase();
    if (type === "comment" || type === "preamble") continue;
    const reader = new EntryReader(source, start.lastIndex, strings);
    if (type === "string") { for (const [name, value] of reader.fields()) strings.add(name, value); }
    else {
      count++;
      yield { type, key: reader.key(), fields: new Map(reader.fields()) };
    }
    start.lastIndex = Math.max(reader.at, start.lastIndex);
  }
}

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** Returns the name of a month as BibTeX shortens it. */
function shortened(month: string): string {
  return month.slice(0, 3).toLowerCase();
}

/** Fields that are kept under their own names. */
const OTHERS = words(
  "doi isbn issn journal journaltitle booktitle publisher volume number pages school institution edition series eprint note",
);

function entryOf(type: string, fields: ReadonlyMap<string, string>): Described {
  const value = (name: string) => {
    const written = fields.get(name);
    return written === undefined ? "" : plain(written);
  };
  const month = shortened(value("month"));
  const number = /^\d{1,2}$/.test(month)
    ? month
    : String(MONTHS.findIndex((one) => shortened(one) === month) + 1);
  const year = /\d{4}/.exec(value("year"))?.[0];
  const day = /^\d{1,2}$/.exec(value("day"))?.[0];
  const date = year && [year, ...(number === "0" ? [] : [number, ...(day === undefined ? [] : [day])])]
    .map((part) => part.padStart(2, "0")).join("-");
  return described([
    ["title", value("title")],
    ["authors", peopleIn(fields.get("author") ?? fields.get("editor") ?? "")],
    ["published", value("date").replace(/\/.*$/, "") || date],
    ["tags", value("keywords") || value("keyword")],
    ["description", value("abstract")],
    ["language", value("langid") || value("language")],
    ["url", value("url")],
    ["type", type],
    ...[...OTHERS].flatMap((name) =>
      fields.has(name) ? [[name === "journaltitle" ? "journal" : name, value(name)] as const] : []
    ),
  ]);
}

/** Returns the names that `and` separates, with the family name behind the given one. */
export function peopleIn(field: string): string[] {
  return field.replace(/\s+/g, " ").split(/ and /i).map((name) => {
    const [family = "", ...given] = plain(name).split(/\s*,\s*/);
    // `王, 芳` is 王芳.
    if (given.length === 1 && [family, given[0]!].every((part) => EAST_ASIAN.test(part))) {
      return family + given[0];
    }
    // `Family, Jr, Given`
    return given.length === 0 ? family : [given.at(-1), family, ...given.slice(0, -1)].join(" ");
  }).filter((name) => name !== "" && name !== "others");
}

const EAST_ASIAN = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]+$/u;

/** Returns the paths in a field: `paper.pdf`, or `Full Text:papers/paper.pdf:application/pdf;…`. */
function filesIn(field: string): string[] {
  return field.split(";").flatMap((one) => {
    const parts = one.replace(/\\:/g, "\0").split(":").map((part) =>
      part.replaceAll("\0", ":").replaceAll("\\\\", "/").trim()
    );
    // The first part is a description, the last the type. A drive of Windows has a colon, too.
    const path = parts.length >= 3 ? parts.slice(1, -1).join(":") : parts.join(":");
    return path === "" ? [] : [path.replaceAll("\\", "/")];
  }).slice(0, 20);
}

/** The texts that `@string` and the months stand for. */
class Abbreviations {
  readonly #texts = new Map<string, string>(MONTHS.map((month) => [shortened(month), month]));
  #left = MOST_EXPANDED;

  add(name: string, text: string): void {
    this.#texts.set(name, text);
  }

  /** Returns what a word stands for; the word itself if it is no abbreviation, or beyond the limit. */
  textOf(word: string): string {
    const text = this.#texts.get(word.toLowerCase());
    if (text === undefined || text.length > this.#left) return word;
    this.#left -= text.length;
    return text;
  }
}

/** Reads the key and the fields of one entry. */
class EntryReader {
  at: number;
  readonly #text: string;
  readonly #strings: Abbreviations;

  constructor(text: string, at: number, strings: Abbreviations) {
    this.#text = text;
    this.at = at;
    this.#strings = strings;
  }

  key(): string {
    const key = this.#match(/\s*[^,{}="\r\n]{0,200}/y)?.trim() ?? "";
    this.#match(/\s*,/y);
    return key;
  }

  /** Yields names in lower case with their values, until the entry ends or is no BibTeX any more. */
  *fields(): Generator<[name: string, value: string]> {
    for (let i = 0; i < MOST_FIELDS; i++) {
      this.#match(/[\s,]*/y);
      const name = this.#match(/[A-Za-z_][\w-]{0,60}/y);
      if (name === undefined || this.#match(/\s*=\s*/y) === undefined) return;
      yield [name.toLowerCase(), this.#value()];
    }
  }

  #value(): string {
    const parts: string[] = [];
    do {
      this.#match(/\s*/y);
      const sign = this.#text[this.at];
      if (sign === "{" || sign === '"') parts.push(this.#delimited(sign === "{" ? "}" : '"'));
      else {
        const word = this.#match(/[^\s,#{}"]{1,200}/y);
        if (word === undefined) break;
        parts.push(this.#strings.textOf(word));
      }
    } while (this.#match(/\s*#/y) !== undefined && parts.length < 50);
    return parts.join("").slice(0, LONGEST_VALUE);
  }

  /** Reads a value in braces or quotes; braces in it come in pairs. */
  #delimited(end: string): string {
    const from = ++this.at;
    let depth = 0;
    for (; this.at < this.#text.length; this.at++) {
      const char = this.#text[this.at];
      if (char === "\\") this.at++;
      else if (char === end && depth === 0) break;
      else if (char === "{") depth++;
      else if (char === "}") depth--;
    }
    return this.#text.slice(from, Math.min(this.at++, from + LONGEST_VALUE));
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

/** Combining marks by the accents of LaTeX. */
const ACCENTS: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "'": "\u0301",
  "^": "\u0302",
  "~": "\u0303",
  "=": "\u0304",
  u: "\u0306",
  ".": "\u0307",
  '"': "\u0308",
  r: "\u030a",
  H: "\u030b",
  v: "\u030c",
  c: "\u0327",
  k: "\u0328",
  d: "\u0323",
  b: "\u0331",
};
const LETTERS: Readonly<Record<string, string>> = {
  ss: "ß",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  OE: "Œ",
  o: "ø",
  O: "Ø",
  aa: "å",
  AA: "Å",
  l: "ł",
  L: "Ł",
  i: "ı",
  j: "ȷ",
  textendash: "–",
  textemdash: "—",
  textquoteleft: "‘",
  textquoteright: "’",
  textquotedblleft: "“",
  textquotedblright: "”",
  textregistered: "®",
  texttrademark: "™",
  textdegree: "°",
};
/** Greek letters from alpha on. The final sigma has no name. */
const GREEK =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho - sigma tau upsilon phi chi psi omega"
    .split(" ");

/** Returns the letter for a command of LaTeX; `undefined` for any other command. */
function letterOf(command: string): string | undefined {
  const place = GREEK.indexOf(command.toLowerCase());
  if (place < 0) return Object.hasOwn(LETTERS, command) ? LETTERS[command] : undefined;
  const letter = String.fromCharCode(0x3b1 + place);
  return command[0] === command[0]!.toLowerCase() ? letter : letter.toUpperCase();
}

/** Returns a value without braces and commands, and with letters for accents: `M{\"u}ller` becomes `Müller`. */
export function plain(value: string): string {
  return value.slice(0, LONGEST_VALUE)
    .replace(/\\([`'^~="uvHckdbr.])\s*\{?\\?([A-Za-z])\}?/g, (whole, accent: string, letter: string) =>
      // `\url` and the like are commands.
      /[a-z]/i.test(accent) && !/^\\.(?:\s|\{)/.test(whole)
        ? whole
        : (letter + ACCENTS[accent]!).normalize("NFC"))
    .replace(/\\([A-Za-z]+)\s*/g, (_, name: string) => letterOf(name) ?? "")
    .replace(/(\\?)\$/g, (_, escaped: string) => escaped === "" ? "" : "$")
    .replace(/\\([&%#_{}])/g, "$1").replace(/[{}]/g, "")
    .replace(/---?/g, "–").replaceAll("~", " ").replace(/\s+/g, " ").trim();
}
