/**
 * Reads BibTeX: what a bibliography says about the documents that it lists.
 * Below it: values with their strings, braces and accents of LaTeX.
 */
import { type Described, described } from "../metadata.ts";

/** An entry of a bibliography. */
export interface BibEntry extends Described {
  readonly key: string;
  /** Paths of the files that the entry names, as written by JabRef, Zotero and Mendeley. */
  readonly files: readonly string[];
}

const MOST_ENTRIES = 20_000, MOST_FIELDS = 100, LONGEST_VALUE = 20_000, LONGEST_TEXT = 20_000_000;

/** Returns the entries of a bibliography. Passes over everything else. Takes linear time. */
export function readBibtex(text: string): BibEntry[] {
  const source = text.slice(0, LONGEST_TEXT);
  const entries: BibEntry[] = [];
  const strings = new Map<string, string>(MONTHS.map((month, i) => [month, String(i + 1).padStart(2, "0")]));
  const start = /@[ \t]*([A-Za-z]+)[ \t\r\n]*[{(]/g;
  for (let match; (match = start.exec(source)) !== null && entries.length < MOST_ENTRIES;) {
    const type = match[1]!.toLowerCase();
    if (type === "comment" || type === "preamble") continue;
    const reader = new EntryReader(source, start.lastIndex, strings);
    if (type === "string") { for (const [name, value] of reader.fields()) strings.set(name, value); }
    else {
      const key = reader.key();
      const fields = new Map(reader.fields());
      entries.push({ key, files: filesIn(fields.get("file") ?? ""), ...entryOf(type, fields) });
    }
    start.lastIndex = Math.max(reader.at, start.lastIndex);
  }
  return entries;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

function entryOf(type: string, fields: ReadonlyMap<string, string>): Described {
  const value = (name: string) => plain(fields.get(name) ?? "");
  const month = value("month").slice(0, 3).toLowerCase();
  const number = /^\d{1,2}$/.test(month) ? month : String(MONTHS.indexOf(month) + 1);
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
    ...[
      "doi",
      "isbn",
      "issn",
      "journal",
      "journaltitle",
      "booktitle",
      "publisher",
      "volume",
      "number",
      "pages",
      "school",
      "institution",
      "edition",
      "series",
      "eprint",
      "note",
    ]
      .map((name) => [name === "journaltitle" ? "journal" : name, value(name)] as const),
  ]);
}

/** Returns the names that `and` separates, with the family name behind the given one. */
function peopleIn(field: string): string[] {
  return field.replace(/\s+/g, " ").split(/ and /i).map((name) => {
    const [family = "", ...given] = plain(name).split(/\s*,\s*/);
    // `Family, Jr, Given`
    return given.length === 0 ? family : [given.at(-1), family, ...given.slice(0, -1)].join(" ");
  }).filter((name) => name !== "" && name !== "others");
}

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

/** Reads the key and the fields of one entry. */
class EntryReader {
  at: number;
  readonly #text: string;
  readonly #strings: ReadonlyMap<string, string>;

  constructor(text: string, at: number, strings: ReadonlyMap<string, string>) {
    this.#text = text;
    this.at = at;
    this.#strings = strings;
  }

  key(): string {
    const key = this.#match(/[^,\s{}()=]{0,200}/y)?.trim() ?? "";
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
        parts.push(this.#strings.get(word.toLowerCase()) ?? word);
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
};

/** Returns a value without braces and commands, and with letters for accents: `M{\"u}ller` becomes `Müller`. */
function plain(value: string): string {
  return value.slice(0, LONGEST_VALUE)
    .replace(/\\([`'^~="uvHckdbr.])\s*\{?\\?([A-Za-z])\}?/g, (whole, accent: string, letter: string) =>
      // `\url` and the like are commands.
      /[a-z]/i.test(accent) && !/^\\.(?:\s|\{)/.test(whole)
        ? whole
        : (letter + ACCENTS[accent]!).normalize("NFC"))
    .replace(/\\(ss|ae|AE|oe|OE|aa|AA|[oOlLij])(?![A-Za-z])\s*/g, (_, name: string) => LETTERS[name]!)
    .replace(/\\([&%$#_{}])/g, "$1").replace(/\\[A-Za-z]+\s*/g, "").replace(/[{}]/g, "")
    .replace(/---?/g, "–").replaceAll("~", " ").replace(/\s+/g, " ").trim();
}
