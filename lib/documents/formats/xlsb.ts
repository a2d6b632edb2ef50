/**
 * Loads binary workbooks of Excel 2007 and newer (MS-XLSB). Each sheet is a page and a section; hidden sheets are left out.
 * Below it: sheets with their comments, and the records of a part. SheetJS does not end on some damaged files.
 */
import { MarkdownBuilder } from "../markdown_builder.ts";
import { Package } from "../office/package.ts";
import { BUILT_IN, columnLetters, Grid, SheetBudget, shownNumber, writeRows } from "../office/sheet.ts";
import { commentLabel } from "../office/text.ts";
import { DocumentError, guarded, type Loader, viewOf } from "../types.ts";

/** Days between the date systems of 1900 and 1904. */
const MAC_DAYS = 1462;

/** Types of records (MS-XLSB 2.3). */
const TYPE = {
  rowHeader: 0,
  rk: 2,
  error: 3,
  boolean: 4,
  real: 5,
  text: 6,
  shared: 7,
  formulaText: 8,
  formulaReal: 9,
  formulaBoolean: 10,
  formulaError: 11,
  /** Cells without a column follow the one before: each type is greater by this number. */
  short: 11,
  sharedItem: 19,
  format: 44,
  style: 47,
  richText: 62,
  properties: 153,
  sheet: 156,
  merge: 176,
  styles: 617,
  stylesEnd: 618,
  author: 632,
  comment: 635,
  commentText: 637,
} as const;

/** Binary workbooks (`.xlsb`). */
export const loader: Loader = guarded((bytes) => {
  const file = new Package(bytes);
  const main = file.main("xl/workbook.bin");
  const sheets: { readonly name: string; readonly hidden: boolean; readonly part: string | undefined }[] = [];
  let offset = 0;
  for (const record of recordsIn(file.bytes(main))) {
    if (record.type === TYPE.properties && (record.byte(0) & 1) === 1) offset = MAC_DAYS;
    if (record.type !== TYPE.sheet) continue;
    const [id, next] = record.text(8);
    sheets.push({
      name: record.text(next)[0],
      hidden: record.number(0) !== 0,
      part: file.target(main, id)?.target,
    });
  }
  if (sheets.length === 0) throw new DocumentError("damaged", "the workbook has no sheets");
  const shared = sharedTexts(file.bytes(file.related(main, "sharedStrings") ?? ""));
  const formats = formatsOf(file.bytes(file.related(main, "styles") ?? ""));
  const allHidden = sheets.every(({ hidden }) => hidden);
  const builder = new MarkdownBuilder();
  const budget = new SheetBudget();
  for (const [i, { name, hidden, part }] of sheets.entries()) {
    if (hidden && !allHidden) continue;
    builder.page(i + 1, "sheet", name);
    builder.heading(2, name);
    const content = part === undefined ? undefined : file.bytes(part);
    if (content === undefined) continue;
    writeRows(sheetOf(content, { shared, formats, offset }, budget).rows(), builder, budget);
    for (const comment of commentsOf(file.bytes(file.related(part!, "comments") ?? ""))) {
      builder.block(comment);
    }
  }
  return builder.finish(file.properties());
});

/** The parts of a workbook that its sheets share. */
interface Book {
  readonly shared: readonly string[];
  /** Number formats by the index of the style. */
  readonly formats: readonly (string | undefined)[];
  /** Days to add to dates. */
  readonly offset: number;
}

function sharedTexts(part: Uint8Array | undefined): string[] {
  const texts: string[] = [];
  // A text begins with flags for its formatting, which follows it.
  for (const record of recordsIn(part)) if (record.type === TYPE.sharedItem) texts.push(record.text(1)[0]);
  return texts;
}

function formatsOf(part: Uint8Array | undefined): (string | undefined)[] {
  const own = new Map<number, string>();
  const formats: (string | undefined)[] = [];
  let inCells = false;
  for (const record of recordsIn(part)) {
    if (record.type === TYPE.styles) inCells = true;
    else if (record.type === TYPE.stylesEnd) inCells = false;
    else if (record.type === TYPE.format) own.set(record.short(0), record.text(2)[0]);
    else if (record.type === TYPE.style && inCells) {
      const number = record.short(2);
      formats.push(own.get(number) ?? BUILT_IN[number]);
    }
  }
  return formats;
}

function sheetOf(part: Uint8Array, book: Book, budget: SheetBudget): Grid {
  const grid = new Grid(budget);
  let row = -1;
  let column = -1;
  for (const record of recordsIn(part)) {
    const { type } = record;
    if (type === TYPE.rowHeader) [row, column] = [record.number(0), -1];
    else if (type === TYPE.merge) {
      const [top, bottom, left, right] = [0, 4, 8, 12].map((at) => record.number(at)) as [
        number,
        number,
        number,
        number,
      ];
      grid.merge({ top, left, bottom, right });
    } else if (type < TYPE.sharedItem || type === TYPE.richText) {
      const isShort = type > TYPE.formulaError && type < TYPE.sharedItem;
      column = isShort ? column + 1 : record.number(0);
      const text = cellText(record, isShort ? type - TYPE.short : type, isShort ? 0 : 4, book);
      if (text !== "") grid.add(row, column, text);
    }
  }
  return grid;
}

/** Returns the text that a cell shows. `at`: where its style stands, before its value. */
function cellText(record: Record, type: number, at: number, { shared, formats, offset }: Book): string {
  const format = () => formats[record.number(at) & 0xffffff];
  const value = at + 4;
  switch (type) {
    case TYPE.rk:
      return shownNumber(rkNumber(record.number(value)), format(), offset);
    case TYPE.real:
    case TYPE.formulaReal:
      return shownNumber(record.real(value), format(), offset);
    case TYPE.boolean:
    case TYPE.formulaBoolean:
      return record.byte(value) === 0 ? "FALSE" : "TRUE";
    case TYPE.error:
    case TYPE.formulaError:
      return ERRORS[record.byte(value)] ?? "#ERROR!";
    case TYPE.text:
    case TYPE.formulaText:
      return record.text(value)[0];
    case TYPE.richText:
      return record.text(value + 1)[0];
    case TYPE.shared:
      return shared[record.number(value)] ?? "";
    default:
      return "";
  }
}

const ERRORS: Readonly<{ [code: number]: string }> = {
  0x00: "#NULL!",
  0x07: "#DIV/0!",
  0x0f: "#VALUE!",
  0x17: "#REF!",
  0x1d: "#NAME?",
  0x24: "#NUM!",
  0x2a: "#N/A",
  0x2b: "#GETTING_DATA",
};

/** Returns a compressed number (MS-XLSB 2.5.123): 30 bits of an integer or of a double, perhaps times 100. */
function rkNumber(rk: number): number {
  let value = rk >> 2;
  if ((rk & 2) === 0) {
    const view = new DataView(new ArrayBuffer(8));
    view.setUint32(4, rk & ~3, true);
    value = view.getFloat64(0, true);
  }
  return (rk & 1) === 1 ? value / 100 : value;
}

/** Returns the comments of a sheet as quotations. */
function commentsOf(part: Uint8Array | undefined): string[] {
  const authors: string[] = [];
  const comments: string[] = [];
  let label = "";
  let author = "";
  for (const record of recordsIn(part)) {
    if (record.type === TYPE.author) authors.push(record.text(0)[0]);
    else if (record.type === TYPE.comment) {
      author = authors[record.number(0)] ?? "";
      label = commentLabel(
        author,
        undefined,
        `${columnLetters(record.number(12) % 16_384)}${record.number(4) + 1}`,
      );
    } else if (record.type === TYPE.commentText) {
      const text = record.text(1)[0];
      // Excel writes the author at the start of the text.
      const own = (author !== "" && text.startsWith(`${author}:`) ? text.slice(author.length + 1) : text)
        .trim();
      if (own !== "") comments.push(`${label} ${own.replace(/\s*[\r\n]+\s*/g, "\n> ")}`);
    }
  }
  return comments;
}

/** A record of a part. Fields beyond its end are 0 or empty. */
class Record {
  readonly type: number;
  readonly #view: DataView;

  constructor(type: number, data: Uint8Array) {
    this.type = type;
    this.#view = viewOf(data);
  }

  byte(at: number): number {
    return at < this.#view.byteLength ? this.#view.getUint8(at) : 0;
  }

  short(at: number): number {
    return at + 2 <= this.#view.byteLength ? this.#view.getUint16(at, true) : 0;
  }

  number(at: number): number {
    return at + 4 <= this.#view.byteLength ? this.#view.getUint32(at, true) : 0;
  }

  real(at: number): number {
    return at + 8 <= this.#view.byteLength ? this.#view.getFloat64(at, true) : 0;
  }

  /** Returns a text (2.5.168) and where it ends. Its length stands before it; that of an absent text is the greatest number. */
  text(at: number): readonly [text: string, end: number] {
    const count = this.number(at);
    if (count === 0xffffffff) return ["", at + 4];
    const { buffer, byteOffset, byteLength } = this.#view;
    const start = Math.min(at + 4, byteLength), end = Math.min(start + 2 * count, byteLength);
    return [new TextDecoder("utf-16le").decode(new Uint8Array(buffer, byteOffset + start, end - start)), end];
  }
}

/** Yields the records of a part (2.1.4); none if it is missing. Throws {@linkcode DocumentError} `damaged` if one is cut off. */
function* recordsIn(part: Uint8Array = new Uint8Array()): Generator<Record, void, undefined> {
  let at = 0;
  // Type and length are in groups of seven bits, the lowest first.
  const packed = (most: number): number => {
    let [value, bits] = [0, 0x80];
    for (let i = 0; i < most && bits >= 0x80; i++) {
      bits = part[at++] ?? 0;
      value |= (bits & 0x7f) << (7 * i);
    }
    return value;
  };
  while (at < part.length) {
    const type = packed(2), length = packed(4);
    if (at + length > part.length) throw new DocumentError("damaged", "a record of the workbook is cut off");
    yield new Record(type, part.subarray(at, at + length));
    at += length;
  }
}
