/**
 * Loads OFD, the Chinese standard for documents with fixed pages (GB/T 33190-2016). Its pages are laid out like those of a PDF.
 * Below it: the parts of the package, attachments, bookmarks, annotations, and what the document says about itself.
 */
import { type Described, described } from "../metadata.ts";
import { documentOf } from "../pdf/loader.ts";
import type { OutlineEntry } from "../pdf/lines.ts";
import type { PictureSource } from "../pictures/types.ts";
import { DocumentError, guarded, kept, type Loader, taken } from "../types.ts";
import { child, children, descendants, lineOf, parseXml, textOf, type XmlElement } from "../xml.ts";
import { Zip } from "../zip.ts";
import { contentOf, type OfdPage, PartCount, type Resources } from "./read_page.ts";
import { sealsOf } from "./seals.ts";

const MOST_PAGES = 10_000;
const MOST_BOOKMARKS = 5_000;
const MOST_ATTACHMENTS = 1_000;
const DEEPEST_BOOKMARK = 10;

/** OFD: pages with their templates, then their annotations. */
export const loader: Loader = guarded((bytes, file) => {
  const parts = new Parts(new Zip(bytes));
  const root = parts.root("OFD.xml");
  if (root === undefined) throw new DocumentError("damaged", "the file has no OFD.xml");
  const contents: OfdPage[] = [];
  const outline: OutlineEntry[] = [];
  const count = new PartCount();
  for (const body of children(root, "ofd:DocBody")) readBody(body, parts, contents, outline, count);
  if (contents.length === 0) {
    throw parts.isEncrypted
      ? new DocumentError("encrypted", "the OFD file is encrypted")
      : new DocumentError("damaged", "the OFD file has no pages");
  }
  const pictures = new Map(contents.map(({ pictures }, i) => [i + 1, pictures]));
  const description = describe(child(root, "ofd:DocBody", "ofd:DocInfo"));
  // The title of a form stands in the margin of each page.
  return documentOf(contents, outline, description, file, { pictures, keepsFirst: true });
});

/** A part of the package and where it lies, from which its references count. */
interface Part {
  readonly path: string;
  readonly root: XmlElement;
}

/** Namespaces that programs use. The prefix stays in files that use another one. */
const PREFIXES = { "http://www.ofdspec.org/2016": "ofd", "http://www.ofdspec.org": "ofd" };

class Parts {
  readonly #zip: Zip;

  constructor(zip: Zip) {
    this.#zip = zip;
  }

  /** Whether the parts are encrypted (GM/T 0099). The package lists the keys. */
  get isEncrypted(): boolean {
    return [...this.#zip.names].some((name) => /(?:^|\/)(?:encryptions\.xml|decryptseed\.dat)$/i.test(name));
  }

  root(path: string): XmlElement | undefined {
    return this.#zip.has(path) ? parseXml(this.#zip.pieces(path), PREFIXES) : undefined;
  }

  /** Returns the first bytes of a part that is no XML, at least 16 KB. `undefined` if it is missing or broken. */
  startOf(from: string, reference: string): Uint8Array | undefined {
    const path = [resolve(from, reference), resolve("", reference)].find((one) => this.#zip.has(one));
    return path === undefined ? undefined : unbroken(() => this.#zip.pieces(path).next().value ?? undefined);
  }

  /** Returns the bytes of a file that a reference names. */
  bytesAt(from: string, reference: string): Uint8Array | undefined {
    return this.#zip.read(resolve(from, reference)) ?? this.#zip.read(resolve("", reference));
  }

  /** Returns the part that a reference in another part names. `undefined` if it is missing or broken. */
  at(from: string, reference: string): Part | undefined {
    if (reference === "") return undefined;
    for (const path of [resolve(from, reference), resolve("", reference)]) {
      const root = unbroken(() => this.root(path));
      if (root !== undefined) return { path, root };
    }
    return undefined;
  }
}

/** Returns what is read, `undefined` if it is broken: the other pages may be readable. */
function unbroken<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DocumentError && error.problem !== "too_complex") return undefined;
    throw error;
  }
}

/** Resolves a reference relative to the part that contains it. One that begins with a slash counts from the root. */
function resolve(from: string, reference: string): string {
  const target = reference.trim().replaceAll("\\", "/");
  const folder = from.slice(0, from.lastIndexOf("/") + 1);
  const path: string[] = [];
  for (const name of (target.startsWith("/") ? target : folder + target).split("/")) {
    if (name === "..") path.pop();
    else if (name !== "" && name !== ".") path.push(name);
  }
  return path.join("/");
}

/** Adds the pages of a document. A file may contain several. */
function readBody(
  body: XmlElement,
  parts: Parts,
  contents: OfdPage[],
  outline: OutlineEntry[],
  count: PartCount,
): void {
  const found = documentPart(body, parts);
  if (found === undefined) return;
  const { path, root } = found;
  const common = child(root, "ofd:CommonData");
  const resources = readResources(found, common, parts);
  const templates = new Map(
    children(common, "ofd:TemplatePage").map(({ attributes }) => [attributes.ID, attributes.BaseLoc ?? ""]),
  );
  const annotations = annotationsOf(found, parts);
  const seals = sealsOf(body, parts);
  const pages = children(child(root, "ofd:Pages"), "ofd:Page");
  const numbers = new Map<string, number>();
  const cache = new Map<string, Part | undefined>();
  for (const { attributes } of pages) {
    if (contents.length >= MOST_PAGES) {
      throw new DocumentError("too_complex", `the OFD file has more than ${MOST_PAGES} pages`);
    }
    const page = parts.at(path, attributes.BaseLoc ?? "");
    const behind = children(page?.root, "ofd:Template").map((use) => {
      const place = templates.get(use.attributes.TemplateID);
      return place === undefined ? undefined : kept(cache, place, () => parts.at(path, place));
    });
    const content = contentOf(
      [...behind, page].flatMap((part) => part === undefined ? [] : [part.root]),
      taken(annotations, attributes.ID ?? ""),
      child(page?.root, "ofd:Area") ?? child(common, "ofd:PageArea"),
      resources,
      count,
    );
    const stamps = taken(seals, attributes.ID ?? "").map((name) => `Seal: ${name}`);
    contents.push({ ...content, annotations: [...content.annotations ?? [], ...stamps] });
    if (attributes.ID !== undefined) numbers.set(attributes.ID, contents.length);
  }
  addBookmarks(child(root, "ofd:Outlines"), 1, numbers, outline);
  const attached = attachmentsOf(found, parts);
  const last = contents.at(-1);
  if (attached !== "" && last !== undefined) {
    contents[contents.length - 1] = { ...last, annotations: [...last.annotations ?? [], attached] };
  }
}

/** Returns a line with the names of the attachments. Programs hide those that only they read. */
function attachmentsOf({ path, root }: Part, parts: Parts): string {
  const list = parts.at(path, lineOf(child(root, "ofd:Attachments")));
  const names = children(list?.root, "ofd:Attachment").filter(({ attributes }) =>
    attributes.Visible !== "false"
  )
    .slice(0, MOST_ATTACHMENTS).map(({ attributes }) => (attributes.Name ?? "").trim()).filter((name) =>
      name !== ""
    );
  return names.length === 0 ? "" : `Attachments: ${names.join(", ")}`;
}

/** Returns the document part of the newest version. */
function documentPart(body: XmlElement, parts: Parts): Part | undefined {
  const current = children(child(body, "ofd:Versions"), "ofd:Version").findLast(({ attributes }) =>
    attributes.Current === "true"
  );
  const version = current === undefined ? undefined : parts.at("", current.attributes.BaseLoc ?? "");
  const newest = version && parts.at(version.path, lineOf(child(version.root, "ofd:DocRoot")));
  return newest ?? parts.at("", lineOf(child(body, "ofd:DocRoot")));
}

/** Reads the names of the fonts, and the drawings and pictures that pages refer to. */
function readResources({ path, root }: Part, common: XmlElement | undefined, parts: Parts): Resources {
  const fonts = new Map<string, string>();
  const drawings = new Map<string, XmlElement>();
  const pictures = new Map<string, PictureSource>();
  const lists = ["ofd:PublicRes", "ofd:DocumentRes"].flatMap((name) => [
    ...children(common, name),
    ...children(root, name),
  ]);
  for (const list of lists) {
    const part = parts.at(path, lineOf(list));
    for (const { attributes } of descendants(part?.root, "ofd:Font")) {
      fonts.set(attributes.ID ?? "", attributes.FontName ?? "");
    }
    const folder = part?.root.attributes.BaseLoc ?? "";
    for (const media of descendants(part?.root, "ofd:MultiMedia")) {
      const name = lineOf(child(media, "ofd:MediaFile"));
      if (name === "") continue;
      const within = name.startsWith("/") ? name : `${folder}/${name}`;
      pictures.set(media.attributes.ID ?? "", {
        bytes: () => parts.bytesAt(part!.path, within) ?? parts.bytesAt(part!.path, name),
      });
    }
    for (const drawing of descendants(part?.root, "ofd:CompositeGraphicUnit")) {
      drawings.set(drawing.attributes.ID ?? "", drawing);
    }
  }
  return { fonts, drawings, pictures };
}

/** Returns the annotations of each page, by the identifier of the page. */
function annotationsOf({ path, root }: Part, parts: Parts): Map<string, XmlElement[]> {
  const found = new Map<string, XmlElement[]>();
  const list = parts.at(path, lineOf(child(root, "ofd:Annotations")));
  for (const page of children(list?.root, "ofd:Page")) {
    const file = parts.at(list!.path, lineOf(child(page, "ofd:FileLoc")));
    const shown = children(file?.root, "ofd:Annot").filter(({ attributes }) =>
      attributes.Visible !== "false"
    );
    kept(found, page.attributes.PageID ?? "", () => []).push(...shown);
  }
  return found;
}

function addBookmarks(
  parent: XmlElement | undefined,
  level: number,
  numbers: ReadonlyMap<string, number>,
  outline: OutlineEntry[],
): void {
  for (const entry of children(parent, "ofd:OutlineElem")) {
    if (outline.length >= MOST_BOOKMARKS) return;
    const title = (entry.attributes.Title ?? "").trim();
    const target = descendants(child(entry, "ofd:Actions"), "ofd:Dest")[0]?.attributes.PageID;
    if (title !== "") outline.push({ title, level, page: numbers.get(target ?? "") });
    if (level < DEEPEST_BOOKMARK) addBookmarks(entry, level + 1, numbers, outline);
  }
}

function describe(info: XmlElement | undefined): Described {
  const text = (name: string) => lineOf(child(info, `ofd:${name}`));
  const own = children(child(info, "ofd:CustomDatas"), "ofd:CustomData")
    .map((field) => [field.attributes.Name ?? "", textOf(field).trim()] as const);
  return described([
    ["title", text("Title")],
    ["author", text("Author")],
    ["created", text("CreationDate")],
    ["modified", text("ModDate")],
    ["keywords", children(child(info, "ofd:Keywords"), "ofd:Keyword").map(lineOf)],
    ["description", text("Abstract")],
    ["subject", text("Subject")],
    ...own,
  ]);
}
