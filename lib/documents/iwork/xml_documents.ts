/**
 * Loads documents of iWork '05 to '09, which are XML: Pages and Numbers (`index.xml`), Keynote (`index.apxl`).
 * Elements refer to others by `sfa:ID`. Below the three applications: texts with their styles, then tables.
 */
import { CellBuilder, MarkdownBuilder } from "../markdown_builder.ts";
import { described } from "../metadata.ts";
import { Grid, SheetBudget } from "../office/sheet.ts";
import { commentLabel, link } from "../office/text.ts";
import { type Document, DocumentError } from "../types.ts";
import { child, children, descendants, parseXml, type XmlElement } from "../xml.ts";
import { shownDate, shownDuration, type Table, writeTable } from "./tables.ts";
import { headingOf } from "./text.ts";

const PREFIXES = {
  "http://developer.apple.com/namespaces/sfa": "sfa",
  "http://developer.apple.com/namespaces/sf": "sf",
  "http://developer.apple.com/namespaces/sl": "",
  "http://developer.apple.com/namespaces/ls": "",
  "http://developer.apple.com/namespaces/keynote2": "",
};

/** Returns the document in the XML of an iWork package. Throws {@linkcode DocumentError}. */
export function loadXml(bytes: Uint8Array): Document {
  const root = parseXml(bytes, PREFIXES);
  const builder = new MarkdownBuilder();
  const sheets = child(root, "workspace-array");
  const writer = new XmlWriter(root, builder, sheets === undefined ? undefined : 3);
  const slides = child(root, "slide-list");
  if (slides !== undefined) addSlides(slides, writer, builder);
  else if (sheets !== undefined) addSheets(sheets, writer, builder);
  else addPages(root, writer);
  const fields = children(child(root, "sf:metadata") ?? child(root, "metadata")).flatMap((field) => {
    const name = METADATA[field.name.replace("sf:", "")];
    const values = children(field).flatMap(strings);
    return name === undefined ? [] : [[name, LISTS.has(name) ? values : values.join(", ")] as const];
  });
  const { title, metadata } = described(fields);
  return builder.finish({ title, metadata });
}

const LISTS = new Set(["authors", "keywords"]);
const METADATA: Readonly<Record<string, string>> = {
  title: "title",
  authors: "authors",
  keywords: "keywords",
  comment: "description",
  copyright: "copyright",
  projects: "projects",
};

/** Returns the texts in a field of metadata. */
function strings(element: XmlElement): string[] {
  const own = element.attributes["sfa:string"] ?? "";
  return own === "" ? children(element).flatMap(strings) : [own];
}

function addPages(root: XmlElement, writer: XmlWriter): void {
  const body = child(root, "sf:text-storage");
  const drawables = child(root, "drawables");
  if (body === undefined && drawables === undefined) {
    throw new DocumentError("damaged", "the document has no text");
  }
  if (body !== undefined) writer.add(body);
  if (drawables !== undefined) writer.add(drawables);
  writer.addNotes(child(body, "sf:footnotes") ?? child(root, "sf:footnotes"));
}

function addSheets(sheets: XmlElement, writer: XmlWriter, builder: MarkdownBuilder): void {
  for (const [i, sheet] of children(sheets, "workspace").entries()) {
    const name = sheet.attributes["workspace-name"] ?? "";
    builder.page(i + 1, "sheet", name);
    builder.heading(2, name);
    writer.add(sheet);
  }
}

function addSlides(slides: XmlElement, writer: XmlWriter, builder: MarkdownBuilder): void {
  for (const [i, slide] of children(slides, "slide").entries()) {
    builder.page(i + 1, "slide");
    const title = child(slide, "title-placeholder");
    if (title !== undefined) writer.add(title, 1);
    if (/^(?:true|1)$/.test(slide.attributes["hidden"] ?? "")) builder.paragraph("(hidden slide)");
    for (const layer of descendants(child(slide, "page"), "sf:layer")) writer.add(layer);
    for (const notes of children(slide, "notes")) writer.add(notes);
  }
}

/** References to drawn objects, which are followed. */
const REFERENCE =
  /(?:^|:)(?:drawable-shape|shape|tabular-info|group|sticky-note|title-placeholder|body-placeholder|textbox)-ref$/;
/** Elements without text of the document: styles, positions, texts of the template, and the running heads. */
const WITHOUT_TEXT =
  /(?:^|:)(?:.*style.*|geometry|wrap|external-text-wrap|proxy-master-layer|.*-prototypes?|header-storage|footer-storage|headers|footers|slide-number-placeholder)$/;

/** Writes elements, each once. */
class XmlWriter {
  readonly #sink: MarkdownBuilder | CellBuilder;
  readonly #tableLevel: number | undefined;
  readonly #ids = new Map<string, XmlElement>();
  readonly #annotations = new Map<string, XmlElement>();
  readonly #styles = new Map<string, XmlElement>();
  readonly #seen = new Set<XmlElement>();
  readonly #budget = new SheetBudget();

  constructor(root: XmlElement, sink: MarkdownBuilder | CellBuilder, tableLevel: number | undefined) {
    this.#sink = sink;
    this.#tableLevel = tableLevel;
    this.#index(root);
  }

  #index(element: XmlElement): void {
    const { name, attributes } = element;
    const id = attributes["sfa:ID"];
    if (id !== undefined) this.#ids.set(id, element);
    if (name === "sf:annotation") this.#annotations.set(attributes["sf:target"] ?? "", element);
    else if (name === "sf:paragraphstyle") {
      for (const key of [id, attributes["sf:ident"]]) if (key !== undefined) this.#styles.set(key, element);
    }
    for (const one of children(element)) this.#index(one);
  }

  /** Writes an element with all that it contains. `asHeading`: its paragraphs are a heading of this level. */
  add(element: XmlElement, asHeading?: number): void {
    const { name } = element;
    if (WITHOUT_TEXT.test(name) || this.#seen.has(element)) return;
    if (REFERENCE.test(name)) {
      const target = this.#ids.get(element.attributes["sfa:IDREF"] ?? "");
      if (target !== undefined) this.add(target);
      return;
    }
    this.#seen.add(element);
    if (name === "sf:text-storage") this.#text(element, asHeading);
    else if (name === "sf:tabular-model") {
      writeTable(this.#table(element), this.#sink, this.#budget, this.#tableLevel);
    } else if (/(?:^|:)sticky-note$/.test(name)) this.#comment(element);
    else for (const one of children(element)) this.add(one, asHeading);
  }

  #comment(element: XmlElement): void {
    const text = this.#paragraphsIn(element).join("\n> ");
    if (text !== "") this.#sink.block(`${commentLabel(undefined)} ${text}`);
  }

  /** Writes the footnotes of a document. The end of each is marked in a common text. */
  addNotes(notes: XmlElement | undefined): void {
    const lines = this.#paragraphsIn(notes);
    for (const [i, line] of lines.entries()) this.#sink.block(`[^${i + 1}]: ${line}`);
  }

  #text(storage: XmlElement, asHeading: number | undefined): void {
    const kind = storage.attributes["sf:kind"];
    if (kind === "header" || kind === "footer") return;
    for (const paragraph of paragraphsOf(child(storage, "sf:text-body"))) {
      const found: XmlElement[] = [];
      const shown = this.#inline(paragraph, found);
      const level = asHeading ?? this.#headingLevel(paragraph.attributes["sf:style"]);
      const depth = Number(paragraph.attributes["sf:list-level"] ?? 0) - 1;
      if (level !== undefined) this.#sink.heading(level, shown.replace(/\[\^\d+\]/g, ""));
      else if (depth >= 0) this.#sink.item({ depth: Math.min(depth, 9), text: shown });
      else this.#sink.paragraph(shown);
      for (const one of found) {
        if (one.name !== "sf:annotation") this.add(one);
        else if (this.#annotations.delete(one.attributes["sf:target"] ?? "")) this.#comment(one);
      }
    }
  }

  /** Returns the texts of the paragraphs in an element that have any. */
  #paragraphsIn(element: XmlElement | undefined): string[] {
    return paragraphsOf(element).map((one) => this.#inline(one, []).replace(/\s+/g, " ").trim())
      .filter((text) => text !== "");
  }

  /** Returns the text of a paragraph. Drawn objects and annotations in it are added to `found`. */
  #inline(paragraph: XmlElement, found: XmlElement[]): string {
    const parts: string[] = [];
    const visit = (element: XmlElement) => {
      for (const node of element.children) {
        if (typeof node === "string") parts.push(node.replace(/[\n\r]+/g, ""));
        else this.#run(node, parts, found, visit);
      }
    };
    visit(paragraph);
    return parts.join("");
  }

  #run(node: XmlElement, parts: string[], found: XmlElement[], visit: (element: XmlElement) => void): void {
    const { name, attributes } = node;
    const before = parts.length;
    switch (name) {
      case "sf:br":
      case "sf:lnbr":
      case "sf:crbr":
        return void parts.push("\n");
      case "sf:tab":
        return void parts.push("\t");
      case "sf:footnote":
        return void parts.push(`[^${attributes["sf:autonumber"] ?? ""}]`);
      case "sf:footnote-mark":
      case "sf:ghost-text":
      case "sf:page-number":
      case "sf:page-count":
        return;
      case "sf:attachment-ref":
        return void found.push(...this.#attachment(attributes["sfa:IDREF"]));
      case "sf:attachment":
        return void found.push(node);
      default:
        visit(node);
        if (name === "sf:link") link(parts, before, attributes["href"]);
        else if (name === "sf:annotation-field") {
          const annotation = this.#annotations.get(attributes["sfa:ID"] ?? "");
          if (annotation !== undefined) found.push(annotation);
        }
    }
  }

  #attachment(id: string | undefined): XmlElement[] {
    const attachment = this.#ids.get(id ?? "");
    return attachment === undefined ? [] : [attachment];
  }

  #headingLevel(key: string | undefined): number | undefined {
    let at = key;
    for (let i = 0; i < 20 && at !== undefined; i++) {
      const style: XmlElement | undefined = this.#styles.get(at);
      const name = style?.attributes["sf:name"];
      if (name !== undefined) return headingOf(name);
      at = style?.attributes["sf:parent-ident"];
    }
    return undefined;
  }

  #table(model: XmlElement): Table {
    const grid = new Grid(this.#budget);
    // The place of a cell, row × 256 + column, as the difference to the one before.
    let at = -1;
    for (const cell of children(child(model, "sf:grid", "sf:datasource"))) {
      at += Number(cell.attributes["sf:ct"] ?? 1) +
        (at < 0 && cell.attributes["sf:ct"] !== undefined ? 1 : 0);
      grid.add(Math.floor(at / 256), at % 256, this.#cell(cell, 0));
    }
    const isNamed = model.attributes["sf:name-is-visible"] === "true";
    return { name: isNamed ? model.attributes["sf:name"] ?? "" : "", rows: grid.rows(), comments: [] };
  }

  /** Returns what a cell shows: its value, or that of a formula, or the chosen entry of a menu. */
  #cell(cell: XmlElement, depth: number): string {
    const { name, attributes } = cell;
    const value = Number(attributes["sf:v"] ?? 0);
    switch (name) {
      case "sf:t":
      case "sf:rt": {
        const content = child(cell, "sf:ct") ?? cell;
        return content.attributes["sfa:s"] ?? this.#paragraphsIn(content).join(" ");
      }
      case "sf:n":
      case "sf:rn":
      case "sf:st":
      case "sf:sl":
        return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : "";
      case "sf:d":
      case "sf:rd":
        return shownDate(Number(attributes["sf:cell-date"] ?? attributes["sf:d"] ?? NaN));
      case "sf:du":
        return shownDuration(Number(attributes["sf:du"] ?? NaN));
      case "sf:cb":
      case "sf:b":
      case "sf:rb":
        return attributes["sf:v"] === undefined
          ? ""
          : /^(?:true|1)$/.test(attributes["sf:v"])
          ? "TRUE"
          : "FALSE";
      case "sf:f": {
        const result = children(child(cell, "sf:r"))[0];
        return result === undefined || depth > 2 ? "" : this.#cell(result, depth + 1);
      }
      default: {
        const chosen = children(cell).find((one) => one.name.startsWith("sf:proxied-cell"));
        const target = this.#ids.get(chosen?.attributes["sfa:IDREF"] ?? "") ?? children(chosen)[0];
        return target === undefined || depth > 2 ? "" : this.#cell(target, depth + 1);
      }
    }
  }
}

/** Returns the paragraphs in an element. */
function paragraphsOf(element: XmlElement | undefined): XmlElement[] {
  return descendants(element, "sf:p");
}
