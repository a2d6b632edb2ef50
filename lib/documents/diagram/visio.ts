/** Loads drawings of Visio 2013 and newer (`.vsdx`): the texts of shapes, which a shape may inherit from its master. */
import { MarkdownBuilder } from "../markdown_builder.ts";
import { Package } from "../office/package.ts";
import { addQuotation, commentLabel } from "../office/text.ts";
import { DocumentError, guarded, kept, type Loader, taken } from "../types.ts";
import { child, children, lineOf, textOf, type XmlElement } from "../xml.ts";
import { type Box, type Connection, isMadeUpName, writeDiagram } from "./writer.ts";

/** Most shapes of a drawing, with those in groups. */
const MOST_SHAPES = 500_000;
/** Most characters that shapes inherit from masters, which many shapes may use. */
const MOST_INHERITED = 10_000_000;

/** A shape of a master: its text, and the names of its data by the row that a shape fills in. */
interface MasterShape {
  readonly lines: readonly string[];
  readonly labels: ReadonlyMap<string, string>;
}

/** Drawings of Visio. Each page is a page; background pages follow. */
export const loader: Loader = guarded((bytes) => {
  const file = new Package(bytes);
  const document = file.main("visio/document.xml");
  const list = file.related(document, "pages") ?? "visio/pages/pages.xml";
  const reader = new Reader(file, document);
  const pages = children(file.part(list), "Page");
  const isBehind = ({ attributes }: XmlElement) => attributes.Background === "1";
  const builder = new MarkdownBuilder();
  const seen = new Set<string>();
  for (const [i, page] of [...pages.filter((one) => !isBehind(one)), ...pages.filter(isBehind)].entries()) {
    const { Name = "", NameU = "", ID = "" } = page.attributes;
    builder.page(i + 1, undefined, Name || NameU);
    const part = file.target(list, child(page, "Rel")?.attributes["r:id"])?.target ?? "";
    // No two pages have one part.
    const content = seen.has(part) ? undefined : file.part(part);
    seen.add(part);
    const hasHeading = !isMadeUpName(Name || NameU);
    if (hasHeading) builder.heading(1, Name || NameU);
    if (content !== undefined) reader.write(content, builder, hasHeading ? 2 : 1);
    for (const comment of taken(reader.comments, ID)) addQuotation(builder, comment);
  }
  if (pages.length === 0) throw new DocumentError("damaged", "the drawing has no pages");
  return builder.finish(file.properties());
});

class Reader {
  /** Comments by the identifier of their page. */
  readonly comments: Map<string, string[]>;
  readonly #file: Package;
  readonly #list: string;
  /** Parts of the masters by their identifiers. */
  readonly #masters = new Map<string, string | undefined>();
  /** The shapes in the part of a master by their identifiers, and the outermost one by an empty text. */
  readonly #shapes = new Map<string, ReadonlyMap<string, MasterShape>>();
  #count = 0;
  #inherited = 0;

  constructor(file: Package, document: string) {
    this.#file = file;
    this.#list = file.related(document, "masters") ?? "visio/masters/masters.xml";
    for (const { attributes, children: inner } of children(file.part(this.#list), "Master")) {
      const rel = inner.find((one): one is XmlElement => typeof one !== "string" && one.name === "Rel");
      this.#masters.set(attributes.ID ?? "", file.target(this.#list, rel?.attributes["r:id"])?.target);
    }
    this.comments = commentsOf(file.part(file.related(document, "comments")));
  }

  /** Adds the content of a page. */
  write(content: XmlElement, builder: MarkdownBuilder, level: number): void {
    const ends = new Map<string, { from?: string; to?: string }>();
    for (const { attributes } of children(child(content, "Connects"), "Connect")) {
      const { FromSheet = "", FromCell = "", ToSheet = "" } = attributes;
      const end: { from?: string; to?: string } = kept(ends, FromSheet, () => ({}));
      if (FromCell.startsWith("Begin")) end.from = ToSheet;
      else if (FromCell.startsWith("End")) end.to = ToSheet;
    }
    const boxes: Box[] = [];
    this.#add(content, undefined, "", boxes);
    const isLine = ({ id }: Box) => ends.has(id);
    const connections = boxes.filter(isLine).map(({ id, lines }): Connection => ({
      from: ends.get(id)!.from ?? "",
      to: ends.get(id)!.to ?? "",
      lines,
    }));
    writeDiagram(boxes.filter((box) => !isLine(box)), connections, builder, level);
  }

  #add(parent: XmlElement, group: string | undefined, masterOfGroup: string, boxes: Box[]): void {
    for (const shape of children(child(parent, "Shapes"), "Shape")) {
      if (++this.#count > MOST_SHAPES) {
        throw new DocumentError("too_complex", `the drawing has more than ${MOST_SHAPES} shapes`);
      }
      const { ID = "", Master, MasterShape = "", Del } = shape.attributes;
      if (Del === "1") continue;
      const master = Master ?? masterOfGroup;
      const model = Master !== undefined || MasterShape !== ""
        ? this.#shapesOf(this.#masters.get(master) ?? "").get(MasterShape)
        : undefined;
      const inherits = child(shape, "Text") === undefined;
      boxes.push({
        id: ID,
        lines: isHidden(shape) ? [] : inherits ? this.#inherit(model?.lines ?? []) : textLines(shape),
        details: dataLines(shape, (row) => this.#inherit([model?.labels.get(row) ?? ""])[0]!),
        parent: group,
        x: cell(shape, "PinX"),
        // In Visio y grows upwards.
        y: -cell(shape, "PinY"),
      });
      this.#add(shape, ID, master, boxes);
    }
  }

  /** Counts and returns texts of a master. */
  #inherit(lines: readonly string[]): readonly string[] {
    this.#inherited += lines.reduce((sum, line) => sum + line.length, 0);
    if (this.#inherited > MOST_INHERITED) {
      throw new DocumentError("too_complex", `shapes inherit more than ${MOST_INHERITED} characters`);
    }
    return lines;
  }

  #shapesOf(part: string): ReadonlyMap<string, MasterShape> {
    return kept(this.#shapes, part, () => {
      const found = new Map<string, MasterShape>();
      const add = (parent: XmlElement | undefined) => {
        for (const shape of children(child(parent, "Shapes"), "Shape")) {
          const labels = new Map(
            dataRows(shape).map((row) => [row.attributes.N ?? "", valueIn(row, "Label")]),
          );
          const one = { lines: textLines(shape), labels };
          if (found.size === 0) found.set("", one);
          found.set(shape.attributes.ID ?? "", one);
          add(shape);
        }
      };
      add(this.#file.part(part));
      return found;
    });
  }
}

function cell(shape: XmlElement, name: string): number {
  const found = children(shape, "Cell").find(({ attributes }) => attributes.N === name);
  return Number(found?.attributes.V ?? 0) || 0;
}

function isHidden(shape: XmlElement): boolean {
  return cell(shape, "HideText") === 1;
}

function textLines(shape: XmlElement): string[] {
  // The sign stands for a field without a value.
  return textOf(child(shape, "Text")).replaceAll("\ufffc", "").split(/[\n\u2028]/).map((line) => line.trim())
    .filter((line) => line !== "");
}

function dataRows(shape: XmlElement): XmlElement[] {
  return children(shape, "Section").filter(({ attributes }) => attributes.N === "Property")
    .flatMap((section) => children(section, "Row"));
}

function valueIn(row: XmlElement, name: string): string {
  return children(row, "Cell").find(({ attributes }) => attributes.N === name)?.attributes.V?.trim() ?? "";
}

/** Returns the data of a shape: names and values that its author entered. `labelOf`: the name that a master gives a row. */
function dataLines(shape: XmlElement, labelOf: (row: string) => string): string[] {
  return dataRows(shape).flatMap((row) => {
    const value = valueIn(row, "Value");
    if (value === "" || value === "0" || valueIn(row, "Invisible") === "1") return [];
    const label = valueIn(row, "Label") || labelOf(row.attributes.N ?? "");
    return label === "" ? [] : [`${label}: ${value}`];
  });
}

function commentsOf(part: XmlElement | undefined): Map<string, string[]> {
  const names = new Map(
    children(child(part, "AuthorList"), "AuthorEntry").map((
      { attributes },
    ) => [attributes.ID, attributes.Name]),
  );
  const found = new Map<string, string[]>();
  for (const entry of children(child(part, "CommentList"), "CommentEntry")) {
    const { AuthorID, Date, PageID = "" } = entry.attributes;
    const text = lineOf(entry);
    if (text === "") continue;
    const label = commentLabel(names.get(AuthorID), Date).replace(/^> ?/, "");
    kept(found, PageID, () => []).push(`${label} ${text}`);
  }
  return found;
}
