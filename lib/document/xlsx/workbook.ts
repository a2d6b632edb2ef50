import { PREFIXES } from "../ooxml/namespaces.ts";
import type { Package } from "../ooxml/package.ts";
import { BUILT_IN, shownNumber } from "../sheet/numbers.ts";
import { DocumentError } from "../types.ts";
import { child, children, readElements, textOf, type XmlElement } from "../xml/mod.ts";

/** Days between the date systems of 1900 and 1904. */
const MAC_DAYS = 1462;
/** Most shared strings, and most UTF-16 units in them. */
const MOST_STRINGS = 4_000_000;
const MOST_TEXT = 200_000_000;

/** A sheet in the list of the workbook. */
export interface SheetEntry {
  readonly name: string;
  /** Counted from 1, including hidden sheets. */
  readonly number: number;
  readonly part: string;
}

/** The parts that all sheets of a workbook share: strings, number formats, authors of comments. */
export class Workbook {
  /** The visible sheets, or all sheets if all are hidden. */
  readonly sheets: readonly SheetEntry[];
  readonly #strings: readonly string[];
  /** Number formats by the index of a cell style. */
  readonly #formats: readonly (string | undefined)[];
  readonly #offset: number;
  readonly #people: readonly string[];

  /** Throws {@linkcode DocumentError} `unsupported` for a binary workbook (.xlsb). */
  constructor(readonly file: Package) {
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
export function richText(element: XmlElement | undefined): string {
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
  for (const { element } of readElements(file.zip.pieces(part), ["x:si"], { prefixes: PREFIXES })) {
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
