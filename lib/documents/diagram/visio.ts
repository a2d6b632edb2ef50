/** Loads drawings of Visio 2013 and newer (`.vsdx`): the texts of shapes, which a shape may inherit from its master. */
import { MarkdownBuilder } from "../markdown_builder.ts";
import { Package } from "../office/package.ts";
import { addQuotation, commentLabel } from "../office/text.ts";
import { DocumentError, guarded, kept, type Loader } from "../types.ts";
import { child, children, lineOf, textOf, type XmlElement } from "../xml.ts";
import { type Box, type Connection, isMadeUpName, writeDiagram } from "./writer.ts";

/** Most shapes of a drawing, with those in groups. */
const MOST_SHAPES = 500_000;

/** Drawings of Visio. Each page is a page; background pages follow. */
export const loader: Loader = guarded((bytes) => {
  const file = new Package(bytes);
  const document = file.main("visio/document.xml");
  const list = file.related(document, "pages") ?? "visio/pages/pages.xml";
  const reader = new Reader(file, document);
  const pages = children(file.part(list), "Page");
  const isBehind = ({ attributes }: XmlElement) => attributes.Background === "1";
  const builder = new MarkdownBuilder();
  for (const [i, page] of [...pages.filter((one) => !isBehind(one)), ...pages.filter(isBehind)].entries()) {
    const { Name = "", NameU = "", ID = "" } = page.attributes;
    builder.page(i + 1, undefined, Name || NameU);
    const content = file.part(file.target(list, child(page, "Rel")?.attributes["r:id"])?.target);
    const hasHeading = !isMadeUpName(Name || NameU);
    if (hasHeading) builder.heading(1, Name || NameU);
    if (content !== undefined) reader.write(content, builder, hasHeading ? 2 : 1);
    for (const comment of reader.comments.get(ID) ?? []) addQuotation(builder, comment);
  }
  if (pages.length === 0) throw new DocumentError("damaged", "the drawing has no pages");
  return builder.finish(file.properties());
});

class Reader {
  /** Comments by the identifier of their page. */
  readonly comments: ReadonlyMap<string, readonly string[]>;
  readonly #file: Package;
  readonly #list: string;
  /** Parts of the masters by their identifiers. */
  readonly #masters = new Map<string, string | undefined>();
  /** The shapes of a master by their identifiers, and the outermost one by an empty text. */
  readonly #shapes = new Map<string, ReadonlyMap<string, XmlElement>>();
  #count = 0;

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
      const inherited = Master === undefined && MasterShape === ""
        ? undefined
        : this.#shapesOf(master).get(MasterShape);
      boxes.push({
        id: ID,
        lines: textLines(shape, inherited),
        details: dataLines(shape),
        parent: group,
        x: cell(shape, "PinX"),
        // In Visio y grows upwards.
        y: -cell(shape, "PinY"),
      });
      this.#add(shape, ID, master, boxes);
    }
  }

  #shapesOf(master: string): ReadonlyMap<string, XmlElement> {
    return kept(this.#shapes, master, () => {
      const found = new Map<string, XmlElement>();
      const add = (parent: XmlElement | undefined) => {
        for (const shape of children(child(parent, "Shapes"), "Shape")) {
          if (found.size === 0) found.set("", shape);
          found.set(shape.attributes.ID ?? "", shape);
          add(shape);
        }
      };
      add(this.#file.part(this.#masters.get(master)));
      return found;
    });
  }
}

function cell(shape: XmlElement, name: string): number {
  const found = children(shape, "Cell").find(({ attributes }) => attributes.N === name);
  return Number(found?.attributes.V ?? 0) || 0;
}

function textLines(shape: XmlElement, master: XmlElement | undefined): string[] {
  if (cell(shape, "HideText") === 1) return [];
  const text = child(shape, "Text") ?? child(master, "Text");
  // The sign stands for a field without a value.
  return textOf(text).replaceAll("\ufffc", "").split(/[\n\u2028]/).map((line) => line.trim()).filter((line) =>
    line !== ""
  );
}

/** Returns the data of a shape: names and values that its author entered. */
function dataLines(shape: XmlElement): string[] {
  const rows = children(shape, "Section").filter(({ attributes }) => attributes.N === "Property")
    .flatMap((section) => children(section, "Row"));
  return rows.flatMap((row) => {
    const value = (name: string) =>
      children(row, "Cell").find(({ attributes }) => attributes.N === name)?.attributes.V?.trim() ?? "";
    const isShown = value("Label") !== "" && value("Value") !== "" && value("Value") !== "0" &&
      value("Invisible") !== "1";
    return isShown ? [`${value("Label")}: ${value("Value")}`] : [];
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
