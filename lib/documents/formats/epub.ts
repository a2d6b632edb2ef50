/**
 * Loads EPUB 2 and 3: the documents of a book in reading order.
 * Below it: the titles in the table of contents, and the package document.
 */
import { posix } from "node:path";
import { convertHtml } from "../html/loader.ts";
import { decodeHtml } from "../decode.ts";
import { described } from "../metadata.ts";
import { DocumentError, guarded, type Loader, type Metadata } from "../types.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { Zip, ZIP_LIMITS } from "../zip.ts";
import { child, children, descendants, lineOf, parseXml, textOf, type XmlElement } from "../xml.ts";

/** Bytes of text that a book may inflate to. The longest novels have ten million. */
const MOST_TEXT = 200_000_000;

/** EPUB 2 and 3: the documents in reading order. A chapter without a heading gets its title from the table of contents. */
export const loader: Loader = guarded(async (bytes, file) => {
  const zip = new Zip(bytes, { ...ZIP_LIMITS, size: MOST_TEXT });
  const book = readPackage(zip);
  const chapters = readChapters(zip, book);
  const builder = new MarkdownBuilder(file);
  // Pictures do not count as text.
  let whole: Zip | undefined;
  const picture = (path: string) => (whole ??= new Zip(bytes)).read(path);
  for (const [i, path] of book.spine.entries()) {
    const page = zip.read(path);
    if (page === undefined) continue;
    const chapter = chapters.get(path);
    builder.page(i + 1, "chapter", chapter?.title);
    await convertHtml(await decodeHtml(page, file.encoding), builder, {
      xml: true,
      extent: "whole",
      heading: chapter,
      pictureAt: (address) =>
        /^[a-z][a-z0-9+.-]*:/i.test(address)
          ? { link: address }
          : { bytes: () => picture(resolvePath(path, address)) },
    });
  }
  return builder.finish({ title: book.title, metadata: book.metadata });
});

/** A chapter in the table of contents. */
interface Chapter {
  readonly title: string;
  /** Counted from 1, the outermost level. */
  readonly level: number;
}

const XHTML = { "http://www.w3.org/1999/xhtml": "", "http://www.daisy.org/z3986/2005/ncx/": "" };
const DEEPEST = 6;

/** Returns title and level of the first chapter in each document, by the path of the document. */
function readChapters(zip: Zip, { navigation, ncx }: Package): Map<string, Chapter> {
  const chapters = new Map<string, Chapter>();
  const add = (from: string, reference: string | undefined, written: string, level: number) => {
    const path = reference === undefined ? undefined : resolvePath(from, reference);
    const title = written.replace(/\s+/g, " ").trim();
    if (path === undefined || title === "" || chapters.has(path)) return;
    chapters.set(path, { title, level: Math.min(level, DEEPEST) });
  };
  const page = navigation === undefined ? undefined : zip.read(navigation);
  if (page !== undefined) {
    const navs = descendants(parseXml(page, XHTML), "nav");
    const nav = navs.find((one) => /\btoc\b/.test(one.attributes["epub:type"] ?? "")) ?? navs[0];
    const readList = (list: XmlElement | undefined, level: number) => {
      for (const item of children(list, "li")) {
        const link = child(item, "a");
        add(navigation!, link?.attributes.href, textOf(link), level);
        readList(child(item, "ol"), level + 1);
      }
    };
    readList(child(nav, "ol"), 1);
  }
  const contents = ncx === undefined || chapters.size > 0 ? undefined : zip.read(ncx);
  if (contents !== undefined) {
    const readPoints = (parent: XmlElement | undefined, level: number) => {
      for (const point of children(parent, "navPoint")) {
        add(ncx!, child(point, "content")?.attributes.src, textOf(child(point, "navLabel", "text")), level);
        readPoints(point, level + 1);
      }
    };
    readPoints(descendants(parseXml(contents, XHTML), "navMap")[0], 1);
  }
  return chapters;
}

/** The package document of an e-book. */
interface Package {
  readonly title: string;
  readonly metadata: Metadata | undefined;
  /** Paths of the documents in reading order, without repetitions. */
  readonly spine: readonly string[];
  /** Paths of the navigation documents: the page of EPUB 3, the NCX of EPUB 2. */
  readonly navigation: string | undefined;
  readonly ncx: string | undefined;
}

/** Prefixes for namespaces whose prefixes differ between books. */
const PREFIXES = {
  "http://www.idpf.org/2007/opf": "",
  "http://purl.org/dc/elements/1.1/": "dc",
  "urn:oasis:names:tc:opendocument:xmlns:container": "",
  "http://www.w3.org/2001/04/xmlenc#": "enc",
};
/** Algorithms that obscure fonts without a password. Any other encryption needs a key. */
const FONTS = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

/**
 * Reads the package document. Throws {@linkcode DocumentError}: `damaged` if it is missing, `encrypted` if the book is
 * protected by DRM.
 */
function readPackage(zip: Zip): Package {
  refuseEncrypted(zip);
  const path = packagePath(zip);
  const bytes = path === undefined ? undefined : zip.read(path);
  if (path === undefined || bytes === undefined) {
    throw new DocumentError("damaged", "the e-book has no package document");
  }
  const root = parseXml(bytes, PREFIXES);
  const metadata = child(root, "metadata");
  const dublin = child(metadata, "dc-metadata") ?? metadata;
  const items = new Map(
    descendants(child(root, "manifest"), "item").map((item) => [item.attributes.id ?? "", item]),
  );
  const resolve = (item: XmlElement | undefined) =>
    item === undefined ? undefined : resolvePath(path, item.attributes.href ?? "");
  const spine = children(child(root, "spine"), "itemref").map((ref) => items.get(ref.attributes.idref ?? ""))
    .filter((item) => item !== undefined && /html|xml|^$/.test(item.attributes["media-type"] ?? ""));
  const nav = [...items.values()].find((item) => /\bnav\b/.test(item.attributes.properties ?? ""));
  const ncx = items.get(child(root, "spine")?.attributes.toc ?? "") ??
    [...items.values()].find((item) => item.attributes["media-type"] === "application/x-dtbncx+xml");
  const paths = spine.map((item) => resolve(item)!).filter((one) => one !== resolve(nav));
  return {
    title: lineOf(child(dublin, "dc:title")),
    metadata: metadataOf(metadata, dublin),
    spine: [...new Set(paths.length > 0 ? paths : htmlIn(zip))],
    navigation: resolve(nav),
    ncx: resolve(ncx),
  };
}

/** Resolves a path relative to the document that contains it. */
function resolvePath(from: string, reference: string): string {
  const path = reference.replace(/[#?].*$/s, "");
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // A stray `%` stands for itself.
  }
  return posix.normalize(posix.join(posix.dirname(from), decoded)).replace(/^\/+/, "");
}

function packagePath(zip: Zip): string | undefined {
  const container = zip.read("META-INF/container.xml");
  if (container !== undefined) {
    const root = descendants(parseXml(container, PREFIXES), "rootfile")[0];
    const path = root?.attributes["full-path"];
    if (path !== undefined && zip.has(path)) return path;
  }
  for (const name of zip.names) if (/\.opf$/i.test(name)) return name;
  return undefined;
}

function refuseEncrypted(zip: Zip): void {
  const encryption = zip.read("META-INF/encryption.xml");
  if (encryption === undefined) return;
  const methods = descendants(parseXml(encryption, PREFIXES), "enc:EncryptedData")
    .map((data) => child(data, "enc:EncryptionMethod")?.attributes.Algorithm ?? "");
  if (methods.some((method) => !FONTS.test(method))) {
    throw new DocumentError("encrypted", "the e-book is protected by DRM");
  }
}

/** Reads Dublin Core and the properties that EPUB 3 (`meta property`, `refines`) and programs (`meta name`) add. */
function metadataOf(metadata: XmlElement | undefined, dublin: XmlElement | undefined): Metadata | undefined {
  const metas = children(metadata, "meta");
  const own = (property: string) =>
    lineOf(
      metas.find(({ attributes }) => attributes.property === property && attributes.refines === undefined),
    ) ||
    (metas.find(({ attributes }) => attributes.name === property)?.attributes.content ?? "");
  const roles = new Map(
    metas.filter(({ attributes }) => attributes.property === "role").map((one) =>
      [one.attributes.refines, lineOf(one)] as const
    ),
  );
  const all = (name: string) => children(dublin, `dc:${name}`);
  const one = (name: string) => lineOf(all(name)[0]);
  const role = ({ attributes }: XmlElement) => roles.get(`#${attributes.id}`) || attributes.role || "aut";
  const creators = all("creator");
  const authors = creators.filter((person) => role(person) === "aut");
  const dateOf = (event: RegExp) => all("date").find(({ attributes }) => event.test(attributes.event ?? ""));
  const isbn = all("identifier").map((id) => [id.attributes.scheme, lineOf(id)].join(" "))
    .map((id) => /isbn\D*([\dXx-]{10,17})/i.exec(id)?.[1]).find((found) => found !== undefined);
  return described([
    ["authors", (authors.length > 0 ? authors : creators).map(lineOf)],
    ["published", lineOf(dateOf(/^(?:|publication)$/) ?? all("date")[0])],
    ["created", lineOf(dateOf(/^creation$/)) || own("dcterms:created")],
    ["modified", own("dcterms:modified") || lineOf(dateOf(/^modification$/))],
    ["language", one("language")],
    ["tags", all("subject").map(lineOf)],
    ["description", one("description").replace(/<[^>]{0,200}>/g, " ")],
    ["source", one("source")],
    ["publisher", one("publisher")],
    ["rights", one("rights")],
    ["isbn", isbn],
    ["contributors", all("contributor").map(lineOf)],
    ["series", own("belongs-to-collection") || own("calibre:series")],
  ]).metadata;
}

function htmlIn(zip: Zip): string[] {
  return [...zip.names].filter((name) => /\.x?html?$/i.test(name)).sort();
}
