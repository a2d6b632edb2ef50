import type { Loader } from "../loader.ts";
import { PREFIXES } from "../odf/namespaces.ts";
import { guarded } from "../reader/guarded.ts";
import { Budget } from "../sheet/budget.ts";
import { writeRows } from "../sheet/write.ts";
import { type Document, DocumentError } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, descendants, parseXml, readElements, type XmlElement, type XmlSource } from "../xml/mod.ts";
import { Zip } from "../zip/mod.ts";
import { writeFrame } from "./frame.ts";
import { Table } from "./table.ts";
import { properties } from "./text.ts";

const OPTIONS = { prefixes: PREFIXES };
const WANTED = [
  "style:style",
  "office:meta",
  "table:table-row",
  "table:shapes",
  // Listed since deleted rows look like other rows.
  "table:tracked-changes",
  "office:text",
  "office:presentation",
];

/** OpenDocument spreadsheets. Each sheet is a page and a section; hidden sheets are left out. */
export const loader: Loader = {
  load: (bytes) =>
    guarded(() => {
      const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
      if (isZip) return loadZip(new Zip(bytes));
      if (bytes.length === 0) throw new DocumentError("damaged", "the file is empty");
      return load(bytes, undefined, undefined);
    }),
};

function loadZip(zip: Zip): Document {
  const type = new TextDecoder().decode(zip.read("mimetype")).trim();
  if (type !== "" && !/opendocument\.spreadsheet(?:-template)?$/.test(type)) {
    throw new DocumentError("unsupported", `the file is of type ${type.slice(0, 100)}`);
  }
  const manifest = zip.read("META-INF/manifest.xml");
  if (
    manifest !== undefined && descendants(parseXml(manifest, OPTIONS), "manifest:encryption-data").length > 0
  ) {
    throw new DocumentError("encrypted", "a password is needed to open the file");
  }
  if (!zip.has("content.xml")) throw new DocumentError("damaged", "the file has no content.xml");
  const meta = zip.read("meta.xml");
  return load(zip.pieces("content.xml"), meta === undefined ? undefined : parseXml(meta, OPTIONS), zip);
}

/** Reads the sheets in `content`. In a flat file (`.fods`) it also contains the metadata. */
function load(content: XmlSource, meta: XmlElement | undefined, zip: Zip | undefined): Document {
  const builder = new MarkdownBuilder();
  const budget = new Budget();
  const hidden = new Set<string>();
  let about = child(meta, "office:meta");
  let open: { readonly element: XmlElement; readonly number: number; readonly table: Table } | undefined;
  const write = () => {
    if (open === undefined) return;
    const { element: { attributes }, number, table } = open;
    if (hidden.has(attributes["table:style-name"] ?? "")) return;
    const name = attributes["table:name"] ?? "";
    builder.page(number, "sheet", name);
    builder.heading(2, name);
    writeRows(table.rows(), builder, budget);
    for (const frame of table.frames) writeFrame(zip, frame, builder);
    for (const comment of table.comments) builder.block(comment);
  };
  for (const { element, ancestors } of readElements(content, WANTED, OPTIONS)) {
    if (element.name === "office:text" || element.name === "office:presentation") {
      throw new DocumentError("unsupported", "the file is not a spreadsheet");
    }
    if (element.name === "office:meta") about = element;
    if (element.name === "style:style") {
      const isHidden = child(element, "style:table-properties")?.attributes["table:display"] === "false";
      if (isHidden) hidden.add(element.attributes["style:name"] ?? "");
    }
    const sheet = ancestors.findLast(({ name }) => name === "table:table");
    if (sheet === undefined) continue;
    if (sheet !== open?.element) {
      write();
      open = { element: sheet, number: (open?.number ?? 0) + 1, table: new Table(budget) };
    }
    if (element.name === "table:shapes") open.table.addShapes(element);
    else if (element.name === "table:table-row") open.table.addRow(element);
  }
  if (open === undefined) throw new DocumentError("damaged", "the file has no sheets");
  write();
  return builder.finish(properties(about));
}
