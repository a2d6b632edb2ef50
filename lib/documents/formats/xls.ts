/**
 * Loads workbooks of Excel before 2007 with SheetJS. Each sheet is a page and a section.
 * Below it: a check for files on which the library does not end, and its code pages.
 */
import { read, set_cptable as setCodePages, type WorkBook } from "@e965/xlsx";
import { codePageLabel, isCompoundFile, readStreams } from "../office/binary.ts";
import { readSummary } from "../office/properties.ts";
import { DocumentError, guarded, type Loader, viewOf } from "../types.ts";
import { columnLetters, Grid, SheetBudget, shownNumber, writeRows } from "../office/sheet.ts";
import { commentLabel } from "../office/text.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";

/** Days between the date systems of 1900 and 1904. */
const MAC_DAYS = 1462;

/** Workbooks of Excel before 2007. Each sheet is a page and a section; hidden sheets are left out. */
export const loader: Loader = guarded((bytes) => {
  const streams = isCompoundFile(bytes) ? readStreams(bytes) : new Map([["workbook", bytes]]);
  const book = parse(streams);
  const builder = new MarkdownBuilder();
  const budget = new SheetBudget();
  const isHidden = book.SheetNames.map((_, i) => (book.Workbook?.Sheets?.[i]?.Hidden ?? 0) !== 0);
  const allHidden = isHidden.every((one) => one);
  const offset = book.Workbook?.WBProps?.date1904 ? MAC_DAYS : 0;
  for (const [i, name] of book.SheetNames.entries()) {
    if (isHidden[i] && !allHidden) continue;
    builder.page(i + 1, "sheet", name);
    builder.heading(2, name);
    const sheet: Sheet = book.Sheets[name] ?? {};
    const grid = new Grid(budget);
    const comments: string[] = [];
    // `forEach()` skips the holes of missing rows and cells.
    sheet["!data"]?.forEach((cells, row) => {
      cells?.forEach((cell, column) => {
        grid.add(row, column, shown(cell, offset));
        for (const { a, t } of cell.c ?? []) {
          const text = (a !== undefined && t.startsWith(`${a}:`) ? t.slice(a.length + 1) : t).trim();
          const label = commentLabel(a, undefined, `${columnLetters(column)}${row + 1}`);
          if (text !== "") comments.push(`${label} ${text.replace(/\s*[\r\n]+\s*/g, "\n> ")}`);
        }
      });
    });
    for (const { s, e } of sheet["!merges"] ?? []) {
      grid.merge({ top: s.r, left: s.c, bottom: e.r, right: e.c });
    }
    writeRows(grid.rows(), builder, budget);
    for (const comment of comments) builder.block(comment);
  }
  return builder.finish(readSummary(streams));
});

/** A cell of the library. */
interface Cell {
  readonly t: string;
  readonly v?: unknown;
  /** Text as shown, and number format. */
  readonly w?: string;
  readonly z?: string | number;
  readonly c?: readonly { readonly a?: string; readonly t: string }[];
}

interface CellAddress {
  readonly r: number;
  readonly c: number;
}

interface Sheet {
  readonly "!data"?: readonly (readonly Cell[] | undefined)[];
  readonly "!merges"?: readonly { readonly s: CellAddress; readonly e: CellAddress }[];
}

function parse(streams: ReadonlyMap<string, Uint8Array>): WorkBook {
  const content = streams.get("workbook") ?? streams.get("book");
  // The library would read any text as a table. A stream of records begins with this number.
  const isWorkbook = content?.[0] === 9 && [0, 2, 4, 8].includes(content[1]!) && content[3] === 0;
  if (!isWorkbook) throw new DocumentError("damaged", "the file is not a workbook");
  checkRecords(content);
  setCodePages(codePages);
  try {
    return read(content, { type: "array", dense: true, cellFormula: false, cellHTML: false, cellNF: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const problem = /password|encrypt/i.test(message)
      ? "encrypted"
      : /unsupported/i.test(message)
      ? "unsupported"
      : "damaged";
    throw new DocumentError(problem, "the workbook could not be read", { cause: error });
  }
}

function shown({ t, v, w, z }: Cell, offset: number): string {
  if (t === "n" && typeof v === "number") {
    return shownNumber(v, typeof z === "string" ? z : undefined, offset);
  }
  if (t === "b") return v ? "TRUE" : "FALSE";
  return t === "s" && typeof v === "string" ? v : w ?? "";
}

const END_OF_SHEET = 0x0a;

/**
 * Least bytes of records that begin with a count: the texts of formulas in Excel 2, and references between sheets. The
 * library reads without end if the count is missing.
 */
const LEAST_BYTES: ReadonlyMap<number, number> = new Map([[0x07, 1], [0x17, 2]]);

/** Throws {@linkcode DocumentError} `damaged` if the count of a record is missing for which the library does not end. */
function checkRecords(content: Uint8Array): void {
  const view = viewOf(content);
  let before = 0;
  for (let at = 0; at + 4 <= content.length;) {
    const type = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    // Padding after the last sheet, which the library does not read either.
    if (type === 0 && before === END_OF_SHEET) return;
    if (length < (LEAST_BYTES.get(type) ?? 0)) {
      throw new DocumentError("damaged", "a record of the workbook is cut off");
    }
    before = type;
    at += 4 + length;
  }
}

/**
 * Decodes the code pages of workbooks of Excel 95 and older with the tables of the runtime. Those of the library take 470
 * KB.
 */
export const codePages = { utils: { decode: decodePage, encode: encodePage, hascp: hasPage } };

function decodePage(codePage: number, data: string | readonly number[] | Uint8Array): string {
  const bytes = typeof data === "string"
    ? Uint8Array.from(data, (char) => char.charCodeAt(0))
    : Uint8Array.from(data);
  // For UTF-16 the library removes one byte of the terminating zero.
  const length = codePage === 1200 || codePage === 1201 ? bytes.length & ~1 : bytes.length;
  return new TextDecoder(codePageLabel(codePage) ?? "windows-1252", { ignoreBOM: true }).decode(
    bytes.subarray(0, length),
  );
}

/** The library calls it only to write workbooks. */
function encodePage(_codePage: number, text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function hasPage(codePage: number): boolean {
  return codePageLabel(codePage) !== undefined;
}
