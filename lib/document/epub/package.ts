import { posix } from "node:path";
import { isoDate, languageTag } from "../html/mod.ts";
import { DocumentError, type Metadata } from "../types.ts";
import { child, children, descendants, lineOf, parseXml, type XmlElement } from "../xml/mod.ts";
import type { Zip } from "../zip/mod.ts";

/** The package document of an e-book. */
export interface Package {
  readonly title: string;
  readonly metadata: Metadata;
  /** Paths of the documents in reading order, without repetitions. */
  readonly spine: readonly string[];
  /** Paths of the navigation documents: the page of EPUB 3, the NCX of EPUB 2. */
  readonly navigation?: string;
  readonly ncx?: string;
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
export function readPackage(zip: Zip): Package {
  refuseEncrypted(zip);
  const path = packagePath(zip);
  const bytes = path === undefined ? undefined : zip.read(path);
  if (path === undefined || bytes === undefined) {
    throw new DocumentError("damaged", "the e-book has no package document");
  }
  const root = parseXml(bytes, { prefixes: PREFIXES });
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
  const [navigation, contents] = [resolve(nav), resolve(ncx)];
  return {
    title: lineOf(child(dublin, "dc:title")),
    metadata: metadataOf(dublin),
    spine: [...new Set(paths.length > 0 ? paths : htmlIn(zip))],
    ...(navigation === undefined ? {} : { navigation }),
    ...(contents === undefined ? {} : { ncx: contents }),
  };
}

/** Resolves a path relative to the document that contains it. */
export function resolvePath(from: string, reference: string): string {
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
    const root = descendants(parseXml(container, { prefixes: PREFIXES }), "rootfile")[0];
    const path = root?.attributes["full-path"];
    if (path !== undefined && zip.has(path)) return path;
  }
  for (const name of zip.names) if (/\.opf$/i.test(name)) return name;
  return undefined;
}

function refuseEncrypted(zip: Zip): void {
  const encryption = zip.read("META-INF/encryption.xml");
  if (encryption === undefined) return;
  const methods = descendants(parseXml(encryption, { prefixes: PREFIXES }), "enc:EncryptedData")
    .map((data) => child(data, "enc:EncryptionMethod")?.attributes.Algorithm ?? "");
  if (methods.some((method) => !FONTS.test(method))) {
    throw new DocumentError("encrypted", "the e-book is protected by DRM");
  }
}

function metadataOf(dublin: XmlElement | undefined): Metadata {
  const authors = children(dublin, "dc:creator").map(lineOf).filter((name) => name !== "");
  const date = isoDate(lineOf(child(dublin, "dc:date")));
  const language = languageTag(lineOf(child(dublin, "dc:language")));
  return {
    ...(authors.length === 0 ? {} : { author: authors.join(", ").slice(0, 500) }),
    ...(date === undefined ? {} : { date }),
    ...(language === undefined ? {} : { language }),
  };
}

function htmlIn(zip: Zip): string[] {
  return [...zip.names].filter((name) => /\.x?html?$/i.test(name)).sort();
}
