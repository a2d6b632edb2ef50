/**
 * Loads documents of Pages, Numbers and Keynote: ZIP archives of objects since 2013, or of XML before.
 * Below it: the order of the objects in each of the three applications.
 */
import { DocumentError, guarded, type Loader } from "../types.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { SheetBudget } from "../office/sheet.ts";
import { Zip, ZIP_LIMITS } from "../zip.ts";
import { Archive, type ArchiveObject } from "./archive.ts";
import { loadXml } from "./xml_documents.ts";
import { ObjectWriter } from "./text.ts";

/** Bytes that the archive may inflate to, without its pictures, which are not read. */
const MOST_BYTES = 300_000_000;

/** Documents of Apple's Pages, Numbers and Keynote. */
export const loader: Loader = guarded((bytes) => {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    // Private keys have the extension of Keynote.
    throw new DocumentError("not_text", "it is not a document of iWork");
  }
  const zip = open(bytes);
  const names = [...zip.names];
  if (names.some((name) => /(?:^|\/)\.iwp[hv]2?$/.test(name))) {
    throw new DocumentError("encrypted", "the document needs a password");
  }
  const index = names.find((name) => /(?:^|\/)Index\.zip$/i.test(name));
  const inner = index === undefined ? zip : open(zip.read(index)!);
  // The steps of several authors are in another form.
  const archives = [...inner.names].filter((name) =>
    /\.iwa$/i.test(name) && !/\bOperationStorage/i.test(name)
  );
  if (archives.length > 0) return loadArchives(inner, archives);
  const xml = names.find((name) => /(?:^|\/)index\.(?:xml|apxl)$/i.test(name));
  if (xml === undefined) throw new DocumentError("damaged", "the document has no content");
  return loadXml(readXml(zip, xml));
});

/** Reads the XML. iWork '09 encrypts it by a method of its own. */
function readXml(zip: Zip, name: string): Uint8Array {
  try {
    return zip.read(name)!;
  } catch (error) {
    if (!(error instanceof DocumentError && error.message.endsWith("by method 25452"))) throw error;
    throw new DocumentError("encrypted", "the document needs a password", { cause: error });
  }
}

function open(bytes: Uint8Array): Zip {
  return new Zip(bytes, { ...ZIP_LIMITS, size: MOST_BYTES });
}

/** Types of the objects at the top of documents. Those of Numbers and Keynote have the same numbers. */
const ROOT = 1, PAGES_ROOT = 10000, SHEET = [2, 3], FLOATING = 10010;
const SLIDE_NODE = 4, SLIDE = [5, 6];

function loadArchives(zip: Zip, names: readonly string[]) {
  const archive = new Archive();
  for (const name of names) {
    try {
      archive.add(zip.read(name)!);
    } catch (error) {
      // A broken list or table does not hide the rest. Without its main objects the document is damaged.
      if (!(error instanceof DocumentError && error.problem === "damaged")) throw error;
    }
  }
  const builder = new MarkdownBuilder();
  const [pages] = archive.ofType(PAGES_ROOT);
  const [root] = archive.ofType(ROOT);
  const object = pages ?? root;
  if (object === undefined) throw new DocumentError("damaged", "the document has no beginning");
  if (pages !== undefined) addPages(archive, pages, builder);
  else if (object.message.reference(2) !== undefined) addSlides(archive, object, builder);
  else addSheets(archive, object, builder);
  return builder.finish();
}

/** Pages: the running text, then text boxes and tables that lie on pages. */
function addPages(archive: Archive, root: ArchiveObject, builder: MarkdownBuilder): void {
  const writer = new ObjectWriter(archive, builder, new SheetBudget());
  writer.text(root.message.reference(4));
  for (const id of root.references) {
    const floating = archive.get(id);
    if (floating?.type === FLOATING) {
      for (const drawable of floating.references) writer.drawable(drawable);
    }
  }
}

/** Numbers: each sheet is a page, its tables and other objects follow one another. */
function addSheets(archive: Archive, root: ArchiveObject, builder: MarkdownBuilder): void {
  const writer = new ObjectWriter(archive, builder, new SheetBudget(), 3);
  let number = 0;
  for (const id of root.message.references(1)) {
    const sheet = archive.get(id);
    if (sheet === undefined || !SHEET.includes(sheet.type)) continue;
    // A sheet with a form contains that of the sheet as its first field.
    const message = sheet.type === SHEET[1] ? sheet.message.message(1) ?? sheet.message : sheet.message;
    builder.page(++number, "sheet", message.text(1));
    builder.heading(2, message.text(1));
    for (const drawable of message.references(2)) writer.drawable(drawable);
  }
}

/** Keynote: each slide is a page with its title, its objects and its notes. */
function addSlides(archive: Archive, root: ArchiveObject, builder: MarkdownBuilder): void {
  const writer = new ObjectWriter(archive, builder, new SheetBudget());
  const tree = archive.get(root.message.reference(2))?.message.message(3);
  const emptyPages: number[] = [];
  let number = 0;
  for (const node of slideNodes(archive, [...tree?.references(2) ?? [], ...tree?.references(1) ?? []])) {
    const slide = archive.get(node.message.reference(2));
    if (slide === undefined || !SLIDE.includes(slide.type)) continue;
    const { message } = slide;
    builder.page(++number, "slide");
    const before = builder.length;
    writer.drawable(message.reference(5), 1);
    if (node.message.number(4) === 1) builder.paragraph("(hidden slide)");
    for (const field of [6, 30, 42, 7]) for (const id of message.references(field)) writer.drawable(id);
    const note = archive.get(message.reference(27))?.message.reference(1);
    const written = builder.length;
    writer.text(note);
    if (builder.length === before && written === before) emptyPages.push(number);
  }
}

/** Returns the slides in their order: each before those that are indented below it. */
function slideNodes(archive: Archive, ids: readonly number[]): ArchiveObject[] {
  const nodes: ArchiveObject[] = [];
  const seen = new Set<number>();
  const pending = [...ids].reverse();
  while (pending.length > 0) {
    const id = pending.pop()!;
    const node = archive.get(id);
    if (seen.has(id) || node?.type !== SLIDE_NODE) continue;
    seen.add(id);
    nodes.push(node);
    pending.push(...node.message.references(1).reverse());
  }
  return nodes;
}
