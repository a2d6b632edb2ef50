/**
 * Text that the formats of office programs share: fields, links, headings, labels of comments and list items.
 * Below it: numbers of lists in the formats of Office and OpenDocument.
 */
import { type BlockSink, CellBuilder } from "../markdown_builder.ts";
import { byName, pairs } from "../types.ts";
import { children, type XmlElement } from "../xml.ts";

interface Field {
  instruction: string;
  /** Whether the separator was passed: the instruction precedes it, the result follows. */
  inResult: boolean;
  /** Index in the parts of the paragraph where the result begins. */
  from: number;
}

/** Follows the fields of a document. Their instructions are not text, their results are. */
export class Fields {
  readonly #open: Field[] = [];

  /** Whether the current text belongs to an instruction. */
  get hidden(): boolean {
    return this.#open.some((field) => !field.inResult);
  }

  /** Continues open fields at the start of a new paragraph. */
  newParagraph(): void {
    for (const field of this.#open) field.from = 0;
    // An instruction does not extend beyond a paragraph. A field without a separator must not hide the rest of the document.
    while (this.#open.length > 0 && !this.#open.at(-1)!.inResult) this.#open.pop();
  }

  instruction(text: string): void {
    const field = this.#open.at(-1);
    if (field !== undefined && !field.inResult && field.instruction.length < 5000) field.instruction += text;
  }

  /** Handles a mark: `begin`, `separate` or `end`. At the end of a link, returns its address and where its text begins. */
  mark(type: string | undefined, at: number): { readonly from: number; readonly link: string } | undefined {
    if (type === "begin" && this.#open.length < 100) {
      this.#open.push({ instruction: "", inResult: false, from: at });
    }
    const field = this.#open.at(-1);
    if (field === undefined) return undefined;
    if (type === "separate") {
      field.inResult = true;
      field.from = at;
    } else if (type === "end") {
      this.#open.pop();
      const link = /^\s*HYPERLINK\s+"([^"]*)"/i.exec(field.instruction)?.[1];
      if (link !== undefined && field.inResult) return { from: field.from, link };
    }
    return undefined;
  }
}

/**
 * Longest text of a link, in parts and in characters. Longer ones are whole chapters, and joining them repeatedly takes
 * long.
 */
const LONGEST = 2000;

/**
 * Makes a link of the inline Markdown that was added to `parts` since `from`, unless the text already shows the address or
 * the address is not one of the web or of mail.
 */
export function link(parts: string[], from: number, address: string | undefined): void {
  if (address === undefined || !/^(?:https?|ftp|mailto):/i.test(address)) return;
  if (parts.length - from > LONGEST) return;
  const text = parts.slice(from).join("");
  const shown = text.length > LONGEST ? "" : text.trim();
  if (shown === "" || shown === address || `mailto:${shown}` === address || /[\n\]]/.test(shown)) return;
  const target = address.replace(
    /[\s()]/g,
    (char) => char === "(" ? "%28" : char === ")" ? "%29" : encodeURIComponent(char),
  );
  parts.splice(from, Infinity, text.replace(shown, () => `[${shown}](${target})`));
}

/** Returns inline Markdown without links and marks of notes, on one line: the text of a heading. */
export function plainHeading(markdown: string): string {
  return markdown.replace(/\[\^e?-?\d+\]/g, "").replace(/\[([^\]]*)\]\([^)\s]*\)/g, "$1").replace(/\s+/g, " ")
    .trim();
}

/** Matches names of built-in headings in translated programs. Word writes the English names in every language. */
export const HEADING =
  /^(?:heading|标题|標題|見出し|제목|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|заголовок|nadpis|başlık|judul)\s*([1-9])(?:\s*字符)?$/iu;
/** Matches the name of the style of a document's title. */
export const TITLE = /^(?:title|标题|標題|表題|제목|titel|titre|título|titolo|название|tytuł)$/iu;
/** Matches names of styles of a table of contents. */
export const CONTENTS =
  /^(?:(?:toc|contents|目录|目錄|index) ?\d+|toc heading|(?:contents|index) heading|table of figures|table of authorities)$/iu;

/**
 * Returns the beginning of a comment, `> [Li Na, 2026-05-01]`. Comments are quotations, since they do not belong to the text
 * of the document.
 */
export function commentLabel(author: string | undefined, date?: string, place?: string): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(date ?? "")?.[0];
  const words = [place?.trim(), author?.replace(/[[\]\s]+/g, " ").trim(), day].filter((word) =>
    word !== undefined && word !== ""
  );
  return words.length === 0 ? ">" : `> [${words.join(", ")}]`;
}

/** The styles of a document by key. A style inherits the fields of those that it is based on. */
export class StyleSheet<Key, Style extends { readonly base?: Key }> {
  readonly #own = new Map<Key, Style>();
  readonly #resolved = new Map<Key, Partial<Style>>();

  set(key: Key, style: Style): void {
    this.#own.set(key, style);
    this.#resolved.clear();
  }

  /** Returns a style with inherited fields; empty if there is none. A cycle of styles ends at the first repetition. */
  get(key: Key): Partial<Style> {
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    const seen = new Set<Key>();
    let style: Partial<Style> = {};
    for (let at: Key | undefined = key; at !== undefined && !seen.has(at) && seen.size < 100;) {
      seen.add(at);
      const own: Style | undefined = this.#own.get(at);
      style = { ...own, ...style };
      at = own?.base;
    }
    this.#resolved.set(key, style);
    return style;
  }
}

/** The headings of a document. All of them lie inside the section of its title. */
export class Headings {
  /** Text of the first paragraph with the style of a document title. */
  title: string | undefined;

  /** Adds a heading. `level`: from 1, or 0 for the title of the document, whose text may differ from what is shown. */
  add(sink: BlockSink, level: number, shown: string, title: string = shown): void {
    sink.heading(level === 0 ? 1 : level + (this.title === undefined ? 0 : 1), shown);
    if (level === 0) this.title ??= title;
  }
}

/** Turns the blocks of a text into Markdown: what documents of Word and OpenDocument share. */
export abstract class Blocks {
  readonly headings: Headings = new Headings();
  /** Lines of consecutive code paragraphs. */
  protected code: string[] = [];
  /** The cells of the table that is being read. */
  #cells: CellBuilder[] = [];
  #depth = 0;
  readonly #deepest: number;

  /** `deepest`: nesting of text boxes, tables and lists beyond which they are left out. */
  constructor(deepest: number) {
    this.#deepest = deepest;
  }

  protected abstract one(block: XmlElement, sink: BlockSink): void;

  /** Adds the notes that the blocks since the last call refer to. */
  protected abstract addNotes(sink: BlockSink): void;

  /** Adds an outermost block, and the notes that it refers to. */
  add(block: XmlElement, sink: BlockSink): void {
    this.one(block, sink);
    if (this.code.length === 0) this.addNotes(sink);
  }

  /** Adds the blocks and notes that are still pending at the end. */
  finish(sink: BlockSink): void {
    this.endCode(sink);
    this.addNotes(sink);
  }

  /** Adds the blocks of a text box, a cell or a note. */
  within(parent: XmlElement, sink: BlockSink): void {
    this.nested(() => {
      this.endCode(sink);
      for (const block of children(parent)) this.one(block, sink);
      this.endCode(sink);
    });
  }

  /** Returns the blocks of a table cell on one line. */
  cell(cell: XmlElement): string {
    const builder = new CellBuilder();
    this.within(cell, builder);
    this.#cells.push(builder);
    return builder.toString();
  }

  /** Adds the pictures in the cells of a table that was written. */
  endTable(sink: BlockSink): void {
    for (const cell of this.#cells.splice(0)) cell.addPictures(sink);
  }

  /** Does what adds nested blocks, unless they are nested too deep. */
  protected nested(add: () => void): void {
    if (this.#depth >= this.#deepest) return;
    this.#depth++;
    add();
    this.#depth--;
  }

  protected endCode(sink: BlockSink): void {
    if (this.code.length > 0) sink.code(this.code.splice(0).join("\n"));
  }
}

/** Adds a quotation. */
export function addQuotation(sink: BlockSink, text: string): void {
  sink.block(text.trim().split(/\n+/).map((line) => `> ${line}`).join("\n"));
}

/** Most columns of a table; others are left out. Word allows 63. */
export const MOST_COLUMNS = 200;

/** Adds a table that has text. */
export function addRows(sink: BlockSink, rows: readonly (readonly string[])[]): void {
  if (rows.some((row) => row.some((cell) => cell !== ""))) sink.table(rows);
}

/** A table whose cells come one after the other. */
export class TableCells {
  #rows: string[][] = [];
  #row: string[] = [];

  add(cell: string): void {
    if (this.#row.length < MOST_COLUMNS) this.#row.push(cell);
  }

  endRow(): void {
    if (this.#row.length > 0) this.#rows.push(this.#row);
    this.#row = [];
  }

  /** Writes the table, if there is one. A table with a single cell is a frame around text. */
  end(sink: BlockSink): void {
    this.endRow();
    const rows = this.#rows.splice(0);
    if (rows.length === 1 && rows[0]!.length === 1) sink.paragraph(rows[0]![0]!);
    else addRows(sink, rows);
  }
}

/** Adds a list item under the label that the document shows for it: a number, other text, or empty for a bullet. */
export function addLabelledItem(sink: BlockSink, depth: number, label: string, text: string): void {
  const number = /^[(（]?(\d{1,9})[.)、．）]?$/.exec(label)?.[1];
  if (number !== undefined) sink.item({ depth, number: Number(number), text });
  else sink.item({ depth, text: label === "" ? text : `${label} ${text}` });
}

const ROMAN = Object.entries({
  M: 1000,
  CM: 900,
  D: 500,
  CD: 400,
  C: 100,
  XC: 90,
  L: 50,
  XL: 40,
  X: 10,
  IX: 9,
  V: 5,
  IV: 4,
  I: 1,
});
const DIGITS = "〇一二三四五六七八九";
const LEGAL = pairs("一 壹 二 贰 三 叁 四 肆 五 伍 六 陆 七 柒 八 捌 九 玖 十 拾 百 佰 千 仟");

/** How numbers are written, by the names of their formats. */
const FORMATS = byName<(number: number) => string>({
  "upperRoman I": roman,
  "lowerRoman i": (number) => roman(number).toLowerCase(),
  "upperLetter A": letter,
  "lowerLetter a": (number) => letter(number).toLowerCase(),
  decimalZero: (number) => String(number).padStart(2, "0"),
  decimalFullWidth: (number) =>
    String(number).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
  "decimalEnclosedCircle decimalEnclosedCircleChinese": (number) =>
    number >= 1 && number <= 20 ? String.fromCharCode(0x245f + number) : String(number),
  [
    "chineseCounting chineseCountingThousand taiwaneseCounting taiwaneseCountingThousand japaneseCounting " +
    "ideographDigital 一"
  ]: chinese,
  "chineseLegalSimplified ideographLegalTraditional": (number) =>
    chinese(number).replace(/./gu, (char) => LEGAL[char] ?? char),
  ideographTraditional: (number) => cyclic(number, "甲乙丙丁戊己庚辛壬癸"),
  ideographZodiac: (number) => cyclic(number, "子丑寅卯辰巳午未申酉戌亥"),
  none: () => "",
});

/**
 * Returns a number as a list shows it. `format` is a name of Office (`decimal`, `upperRoman`, `chineseCounting` …) or a
 * letter of OpenDocument (`1`, `I`, `a`, `一` …). Unknown formats, and numbers that a format cannot show, give digits.
 */
export function countAs(number: number, format: string): string {
  // OpenDocument also writes `一, 二, 三, ...`.
  return (FORMATS.get(format === "一, 二, 三, ..." ? "一" : format) ?? String)(number);
}

function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  let text = "";
  for (const [sign, value] of ROMAN) {
    while (number >= value) {
      text += sign;
      number -= value;
    }
  }
  return text;
}

/** Returns A … Z, then AA, BB …, as both Office and OpenDocument count. */
function letter(number: number): string {
  if (number < 1 || number > 260) return String(number);
  return String.fromCharCode(65 + (number - 1) % 26).repeat(Math.ceil(number / 26));
}

/** Returns a Chinese number as lists and chapters use it: 十二, 一百〇五. */
function chinese(number: number): string {
  if (number < 0 || number > 9999) return String(number);
  if (number === 0) return "〇";
  let text = "";
  let skipped = false;
  for (const [unit, sign] of [[1000, "千"], [100, "百"], [10, "十"], [1, ""]] as const) {
    const digit = Math.floor(number / unit) % 10;
    if (digit === 0) {
      skipped = text !== "";
      continue;
    }
    if (skipped) text += "〇";
    skipped = false;
    text += (digit === 1 && unit === 10 && text === "" ? "" : DIGITS[digit]!) + sign;
  }
  return text;
}

function cyclic(number: number, signs: string): string {
  return signs[number - 1] ?? String(number);
}
