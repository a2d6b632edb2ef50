/**
 * Loads Excel workbooks (Office Open XML). Each sheet is a page and a section.
 * Below it: what all sheets share, rows and cells, comments, drawings, and references to cells.
 */
import { DocumentError, guarded, type Loader } from "../types.ts";
import { Package } from "../office/package.ts";
import {
  BUILT_IN,
  columnLetters,
  Grid,
  type Range,
  type Row,
  SheetBudget,
  shownNumber,
  writeRows,
} from "../office/sheet.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml.ts";
import { commentLabel } from "../office/text.ts";
import { addGraphic } from "../office/embedded.ts";

/** Excel workbooks (Office Open XML). Each sheet is a page and a section; hidden sheets are left out. */
export const loader: Loader = guarded((bytes, name) => {
  const file = new Package(bytes);
  const workbook = new Workbook(file);
  const builder = new MarkdownBuilder(name);
  const budget = new SheetBudget();
  for (const { name, number, part } of workbook.sheets) {
    builder.page(number, "sheet", name);
    builder.heading(2, name);
    const { rows, drawings } = readSheet(workbook, part, budget);
    writeRows(rows, builder, budget);
    for (const id of drawings) {
      const drawing = file.target(part, id);
      if (drawing !== undefined && !drawing.external) writeDrawing(file, drawing.target, builder);
    }
    for (const comment of readComments(workbook, part)) builder.block(comment);
  }
  const { title, metadata } = file.properties();
  return builder.finish({ title, metadata });
});

/** Days between the date systems of 1900 and 1904. */
const MAC_DAYS = 1462;
/** Most shared strings, and most UTF-16 units in them. */
const MOST_STRINGS = 4_000_000;
const MOST_TEXT = 200_000_000;

/** A sheet in the list of the workbook. */
interface SheetEntry {
  readonly name: string;
  /** Counted from 1, including hidden sheets. */
  readonly number: number;
  readonly part: string;
}

/** The parts that all sheets of a workbook share: strings, number formats, authors of comments. */
class Workbook {
  readonly file: Package;
  /** The visible sheets, or all sheets if all are hidden. */
  readonly sheets: readonly SheetEntry[];
  readonly #strings: readonly string[];
  /** Number formats by the index of a cell style. */
  readonly #formats: readonly (string | undefined)[];
  readonly #offset: number;
  readonly #people: readonly string[];

  /** Throws {@linkcode DocumentError} `unsupported` for a binary workbook (.xlsb). */
  constructor(file: Package) {
    this.file = file;
    const part = file.main("xl/workbook.xml");
    if (/\.bin$/i.test(part)) throw new DocumentError("unsupported", "the workbook is binary (.xlsb)");
    const root = file.part(part);
    const all = children(child(root, "x:sheets"), "x:sheet").flatMap(({ attributes }, i) => {
      const target = file.target(part, attributes["r:id"]);
      if (target === undefined || target.external) return [];
      const isHidden = /hidden$/i.test(attributes["state"] ?? "");
      return [{ name: attributes["name"] ?? "", number: i + 1, part: target.target, isHidden }];
    });
    if (all.length === 0) throw new DocumentError("damaged", "the workbook has no sheets");
    const shown = all.filter(({ isHidden }) => !isHidden);
    this.sheets = shown.length > 0 ? shown : all;
    const date1904 = child(root, "x:workbookPr")?.attributes["date1904"] ?? "";
    this.#offset = /^(?:1|true|on)$/.test(date1904) ? MAC_DAYS : 0;
    this.#strings = readStrings(file, file.related(part, "sharedStrings") ?? "xl/sharedStrings.xml");
    this.#formats = readFormats(file.part(file.related(part, "styles") ?? "xl/styles.xml"));
    this.#people = file.relations(part).filter(({ type }) => type === "person").map(({ target }) => target);
  }

  string(index: number): string {
    return this.#strings[index] ?? "";
  }

  number(value: number, style: number): string {
    return shownNumber(value, this.#formats[style], this.#offset);
  }

  /** Returns the names of the authors of threaded comments, by id. */
  people(): ReadonlyMap<string, string> {
    return new Map(
      this.#people.flatMap((part) => children(this.file.part(part), "tc:person")).map(({ attributes }) =>
        [attributes["id"] ?? "", attributes["displayName"] ?? ""] as const
      ),
    );
  }
}

/** Returns the text of a string, which may consist of runs. Phonetic hints are left out. */
function richText(element: XmlElement | undefined): string {
  return children(element).map((one) =>
    one.name === "x:t" ? textOf(one) : one.name === "x:r" ? textOf(child(one, "x:t")) : ""
  ).join("").replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
    const unit = parseInt(code, 16);
    return unit < 0x20 ? " " : String.fromCharCode(unit);
  });
}

function readStrings(file: Package, part: string): string[] {
  const strings: string[] = [];
  let length = 0;
  for (const element of file.elements(part, ["x:si"])) {
    const text = richText(element);
    length += text.length;
    if (strings.push(text) > MOST_STRINGS || length > MOST_TEXT) {
      throw new DocumentError("too_complex", "the workbook has too many strings");
    }
  }
  return strings;
}

function readFormats(styles: XmlElement | undefined): (string | undefined)[] {
  const own = new Map(
    children(child(styles, "x:numFmts"), "x:numFmt").map(({ attributes }) =>
      [attributes["numFmtId"], attributes["formatCode"]] as const
    ),
  );
  return children(child(styles, "x:cellXfs"), "x:xf").map(({ attributes }) => {
    const id = attributes["numFmtId"];
    return own.get(id) ?? BUILT_IN[Number(id)];
  });
}

/** The visible content of a sheet. */
interface Sheet {
  readonly rows: readonly Row[];
  /** Ids of the relations to its drawings. */
  readonly drawings: readonly string[];
}

/** Reads a sheet row by row. Its declared dimension is ignored. */
function readSheet(workbook: Workbook, part: string, budget: SheetBudget): Sheet {
  const grid = new Grid(budget);
  const drawings: string[] = [];
  let row = -1;
  const wanted = ["x:row", "x:mergeCell", "x:drawing"];
  for (const element of workbook.file.elements(part, wanted)) {
    const { attributes } = element;
    if (element.name === "x:row") row = readRow(workbook, element, row + 1, grid);
    else if (element.name === "x:mergeCell") {
      const range = rangeOf(attributes["ref"]);
      if (range !== undefined) grid.merge(range);
    } else if (attributes["r:id"] !== undefined) drawings.push(attributes["r:id"]);
  }
  return { rows: grid.rows(), drawings };
}

/** Rows and cells without a position follow the one before. */
function readRow(workbook: Workbook, element: XmlElement, next: number, grid: Grid): number {
  const said = Number(element.attributes["r"]) - 1;
  const row = Number.isInteger(said) && said >= 0 ? said : next;
  let column = -1;
  for (const cell of children(element, "x:c")) {
    column = cellReference(cell.attributes["r"])?.column ?? column + 1;
    grid.add(row, column, shown(workbook, cell));
  }
  return row;
}

/** Returns the visible text of a cell. For a formula that is its last result, or the formula if it was never calculated. */
function shown(workbook: Workbook, cell: XmlElement): string {
  const { t: type = "n", s: style } = cell.attributes;
  if (type === "inlineStr") return richText(child(cell, "x:is"));
  const value = textOf(child(cell, "x:v"));
  if (value === "") {
    const formula = textOf(child(cell, "x:f")).trim();
    return formula === "" || type === "str" ? "" : `=${formula}`;
  }
  switch (type) {
    case "s":
      return workbook.string(Number(value));
    case "b":
      return value.trim() === "0" ? "FALSE" : "TRUE";
    case "n": {
      const number = Number(value);
      return Number.isFinite(number) ? workbook.number(number, Number(style ?? 0)) : value;
    }
    case "d":
      return value.replace("T", " ").replace(/ 00:00:00(?:\.0+)?Z?$/, "");
    default:
      return value;
  }
}

interface Comment {
  readonly reference: string;
  readonly author: string | undefined;
  readonly date?: string | undefined;
  readonly text: string;
}

/**
 * Returns the comments of a sheet in the order of their cells, each as a quotation: `> [B3, Ann, 2026-05-01] Check this.`
 */
function readComments(workbook: Workbook, part: string): string[] {
  const relations = workbook.file.relations(part).filter(({ external }) => !external);
  const threads = relations.filter(({ type }) => type === "threadedComment")
    .flatMap(({ target }) => readThreads(workbook, target));
  const notes = relations.filter(({ type }) => type === "comments")
    .flatMap(({ target }) => readNotes(workbook, target))
    // A thread is also stored as a note for older programs.
    .filter(({ author }) => threads.length === 0 || !/^tc=/.test(author ?? ""));
  return [...notes, ...threads].filter(({ text }) => text.trim() !== "")
    .map((comment, i) => ({ comment, i, cell: cellReference(comment.reference) ?? { row: 0, column: 0 } }))
    .sort((a, b) => a.cell.row - b.cell.row || a.cell.column - b.cell.column || a.i - b.i)
    .map(({ comment: { reference, author, date, text } }) =>
      `${commentLabel(author, date, reference)} ${text.trim().replace(/\s*[\r\n]+\s*/g, "\n> ")}`
    );
}

function readNotes(workbook: Workbook, part: string): Comment[] {
  const root = workbook.file.part(part);
  const authors = children(child(root, "x:authors"), "x:author").map(textOf);
  return children(child(root, "x:commentList"), "x:comment").map((element) => {
    const author = authors[Number(element.attributes["authorId"])];
    const text = richText(child(element, "x:text"));
    // Excel begins a note with the name of its author.
    const own = author !== undefined && text.startsWith(`${author}:`) ? text.slice(author.length + 1) : text;
    return { reference: element.attributes["ref"] ?? "", author, text: own };
  });
}

function readThreads(workbook: Workbook, part: string): Comment[] {
  const people = workbook.people();
  return children(workbook.file.part(part), "tc:threadedComment").map((element) => ({
    reference: element.attributes["ref"] ?? "",
    author: people.get(element.attributes["personId"] ?? ""),
    date: element.attributes["dT"],
    text: textOf(child(element, "tc:text")),
  }));
}

/** Writes the charts, diagrams, text boxes and pictures of a sheet, by row. */
function writeDrawing(file: Package, part: string, builder: MarkdownBuilder): void {
  const anchors = children(file.part(part)).map((anchor) => ({
    anchor,
    row: Number(textOf(child(anchor, "xdr:from", "xdr:row"))) || 0,
    column: Number(textOf(child(anchor, "xdr:from", "xdr:col"))) || 0,
  }));
  anchors.sort((a, b) => a.row - b.row || a.column - b.column);
  for (const { anchor, row, column } of anchors) {
    const cell = child(anchor, "xdr:from") === undefined ? undefined : `${columnLetters(column)}${row + 1}`;
    writeShapes({ file, part, cell }, anchor, builder);
  }
}

/** Where shapes are: the drawing, and the cell in which their upper left corner lies. */
interface Anchor {
  readonly file: Package;
  readonly part: string;
  readonly cell: string | undefined;
}

function writeShapes(anchor: Anchor, parent: XmlElement, builder: MarkdownBuilder): void {
  const { file, part, cell } = anchor;
  for (const element of children(parent)) {
    if (element.name === "xdr:sp") {
      const paragraphs = descendants(child(element, "xdr:txBody"), "a:p");
      builder.paragraph(paragraphs.map((one) => descendants(one, "a:t").map(textOf).join("")).join("\n"));
    } else if (element.name === "xdr:pic") {
      const blip = child(element, "xdr:blipFill", "a:blip")?.attributes;
      const source = file.picture(part, blip?.["r:embed"], blip?.["r:link"]);
      builder.image(child(element, "xdr:nvPicPr", "xdr:cNvPr")?.attributes["descr"], { ...source, cell });
    } else if (element.name === "xdr:graphicFrame") {
      for (const name of ["c:chart", "dgm:relIds"]) {
        for (const one of descendants(element, name)) addGraphic(one, { file, part }, builder);
      }
    } else if (/^(?:xdr:grpSp|mc:AlternateContent|mc:Choice)$/.test(element.name)) {
      writeShapes(anchor, element, builder);
    }
  }
}

/** Position of a cell, counted from 0. */
interface CellReference {
  readonly row: number;
  readonly column: number;
}

/** Parses a cell reference: `B3` is row 2, column 1. Returns `undefined` for other texts. */
function cellReference(reference: string | undefined): CellReference | undefined {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference ?? "") ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(digits) - 1, column: column - 1 };
}

/** Parses a range: `A1:C2`. */
function rangeOf(reference: string | undefined): Range | undefined {
  const [from, to] = (reference ?? "").split(":").map(cellReference);
  if (from === undefined || to === undefined) return undefined;
  return {
    top: Math.min(from.row, to.row),
    left: Math.min(from.column, to.column),
    bottom: Math.max(from.row, to.row),
    right: Math.max(from.column, to.column),
  };
}
