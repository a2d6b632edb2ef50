/** Reads XMP, the RDF that PDF files and pictures carry about themselves. */
import { children, descendants, parseXml, type Prefixes, textOf, type XmlElement } from "./xml.ts";

const PREFIXES: Prefixes = {
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
  "http://purl.org/dc/elements/1.1/": "dc",
  "http://ns.adobe.com/xap/1.0/": "xmp",
  "http://ns.adobe.com/xap/1.0/rights/": "rights",
  "http://ns.adobe.com/pdf/1.3/": "pdf",
  "http://ns.adobe.com/photoshop/1.0/": "photoshop",
  "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": "iptc",
  "http://ns.adobe.com/lightroom/1.0/": "lr",
  "http://ns.adobe.com/pdfx/1.3/": "pdfx",
};

/** The fields of the normal form by the names of XMP. */
const KNOWN: Readonly<Record<string, string>> = {
  "dc:title": "title",
  "dc:creator": "authors",
  "dc:subject": "tags",
  "pdf:Keywords": "keywords",
  "lr:hierarchicalSubject": "tags",
  "dc:description": "description",
  "dc:language": "language",
  "xmp:CreateDate": "created",
  "photoshop:DateCreated": "created",
  "xmp:ModifyDate": "modified",
  "dc:date": "published",
};
/** Other fields of these vocabularies are about the file, its history or the place where a picture was taken. */
const OTHERS =
  /^(?:dc:(?!format$|type$)|prism\w*:|pdfx:|rights:(?!Marked$)|iptc:|photoshop:(?:Headline|Credit|Source|City|State|Country)$)/;

const MOST_UNITS = 1_000_000, MOST_NODES = 50_000;

/** Returns the fields in a packet, those of the normal form by its names. Empty if the packet is broken. */
export function xmpFields(packet: string): [name: string, value: unknown][] {
  if (packet.length > MOST_UNITS) return [];
  let root: XmlElement;
  try {
    root = parseXml(packet, PREFIXES, MOST_NODES);
  } catch {
    return [];
  }
  return descendants(root, "rdf:Description").flatMap((description) => [
    ...Object.entries(description.attributes).flatMap(([name, value]) => field(name, value)),
    ...children(description).flatMap((child) => field(child.name, valueOf(child))),
  ]);
}

function field(name: string, value: unknown): [name: string, value: unknown][] {
  if (Object.hasOwn(KNOWN, name)) return [[KNOWN[name]!, value]];
  return OTHERS.test(name) ? [[name.slice(name.indexOf(":") + 1), value]] : [];
}

/** Returns the items of a list, the text in the first of several languages, or the text. */
function valueOf(element: XmlElement): unknown {
  const [inner] = children(element);
  if (inner === undefined) return textOf(element);
  const items = children(inner, "rdf:li").map((item) => textOf(item).trim()).filter((text) => text !== "");
  // A list of one is often several names or words in one text.
  return inner.name === "rdf:Alt" || items.length === 1 ? items[0] : items;
}
