/**
 * Opens OpenDocument files, zipped or flat: their kind, their parts and their encryption.
 * Below it: title and metadata, and the prefixes of namespaces.
 */
import { type Described, described } from "../metadata.ts";
import { isInternal } from "../office/properties.ts";
import { DocumentError } from "../types.ts";
import { rootTag } from "../root_tag.ts";
import { child, children, parseXml, type Prefixes, readElements, textOf, type XmlElement } from "../xml.ts";
import { Zip } from "../zip.ts";
import { fromBase64 } from "../packed.ts";
import type { PictureSource } from "../pictures/types.ts";

/** Kind of an OpenDocument file, from its media type. */
type Kind = "text" | "presentation" | "spreadsheet";

/** Bytes at the start of a flat file that contain its root element. */
const HEAD = 16_384;

/** An OpenDocument file: a ZIP archive of XML documents, or one flat XML document that contains all of them. */
export class Package {
  readonly kind: Kind;
  readonly #zip: Zip | undefined;
  readonly #flat: Uint8Array;

  /** Throws `DocumentError`: `encrypted`, `damaged`, or `unsupported` for databases, formulas and other kinds. */
  constructor(bytes: Uint8Array) {
    this.#flat = bytes;
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
    this.#zip = isZip ? new Zip(bytes) : undefined;
    this.kind = kindOf(isZip ? this.#check() : flatType(bytes));
  }

  /** Yields the outermost elements of some names among the styles and the body of the document. */
  elements(names: Iterable<string>): ReturnType<typeof readElements> {
    return readElements(this.#zip?.pieces("content.xml") ?? this.#flat, names, PREFIXES);
  }

  /** Returns a part of the ZIP archive, parsed; `undefined` if it is missing. Flat files have no parts. */
  part(name: string): XmlElement | undefined {
    const bytes = this.#zip?.read(name);
    return bytes === undefined ? undefined : parseXml(bytes, PREFIXES);
  }

  /** Returns where the picture in a `draw:image` is: a part of the ZIP archive, or Base64 in the element of a flat file. */
  picture(image: XmlElement | undefined): PictureSource {
    const inside = child(image, "office:binary-data");
    if (inside !== undefined) return { bytes: () => fromBase64(textOf(inside)) };
    const address = image?.attributes["xlink:href"] ?? "";
    if (/^[a-z][a-z0-9+.-]*:|^\.\.\//i.test(address)) return { link: address };
    return address === "" ? {} : { bytes: () => this.#zip?.read(address.replace(/^\.\//, "")) };
  }

  /** Checks that the content exists and can be read. Returns the media type. */
  #check(): string {
    const zip = this.#zip!;
    const manifest = this.part("META-INF/manifest.xml");
    const isEncrypted = zip.has("encrypted-package") ||
      children(manifest, "manifest:file-entry").some((entry) =>
        entry.attributes["manifest:full-path"] === "content.xml" &&
        child(entry, "manifest:encryption-data") !== undefined
      );
    if (isEncrypted) throw new DocumentError("encrypted", "a password is needed to open the file");
    const root = children(manifest, "manifest:file-entry").find((entry) =>
      entry.attributes["manifest:full-path"] === "/"
    );
    const own = zip.read("mimetype");
    const type = own === undefined ? "" : new TextDecoder().decode(own.subarray(0, 200)).trim();
    if (!zip.has("content.xml")) throw new DocumentError("damaged", "the file has no content.xml");
    return type !== "" ? type : root?.attributes["manifest:media-type"] ?? "";
  }
}

function flatType(bytes: Uint8Array): string {
  const root = rootTag(new TextDecoder().decode(bytes.subarray(0, HEAD)));
  if (root?.name !== "document") {
    throw new DocumentError("damaged", "the file is neither a ZIP archive nor flat OpenDocument XML");
  }
  return /mimetype\s*=\s*["']([^"']*)["']/.exec(root.tag)?.[1] ?? "";
}

function kindOf(type: string): Kind {
  const name = /^application\/(?:vnd\.oasis\.opendocument|vnd\.sun\.xml|x-vnd\.oasis\.opendocument)\.(\w+)/
    .exec(type)?.[1];
  switch (name) {
    case "text":
    case "writer":
      return "text";
    case "presentation":
    case "graphics":
    case "impress":
      return "presentation";
    case "spreadsheet":
      return "spreadsheet";
    default:
      throw new DocumentError(
        "unsupported",
        `OpenDocument files of the type "${type.slice(0, 100)}" are not supported`,
      );
  }
}

/** Returns title and metadata in an `office:meta` element. */
export function readMetadata(meta: XmlElement | undefined): Described {
  const value = (name: string) => textOf(child(meta, name));
  return described([
    ["title", value("dc:title")],
    ["author", value("meta:initial-creator") || value("dc:creator")],
    ["created", value("meta:creation-date")],
    ["modified", value("dc:date")],
    ["language", value("dc:language")],
    ["keywords", children(meta, "meta:keyword").map(textOf).join(";")],
    ["description", value("dc:description")],
    ["subject", value("dc:subject")],
    ...children(meta, "meta:user-defined").map(userField),
  ]);
}

/** Returns the name and value of a field that the user defined, in its type. */
function userField(field: XmlElement): [name: string, value: unknown] {
  const { "meta:name": name = "", "meta:value-type": type } = field.attributes;
  const text = textOf(field).trim();
  // A new document of LibreOffice has empty fields.
  if (text === "" || isInternal(name)) return [name, undefined];
  return [name, type === "float" ? Number(text) : type === "boolean" ? text === "true" : text];
}

/** Returns how often a cell or row is repeated, or how many it spans: a whole number from 1. */
export function countOf({ attributes }: XmlElement, name: string): number {
  const count = Number(attributes[name] ?? 1);
  return Number.isInteger(count) && count > 0 ? count : 1;
}

const OASIS = "urn:oasis:names:tc:opendocument:xmlns:";

/** Prefixes of the names of elements and attributes in the loaders of OpenDocument files. */
const PREFIXES: Prefixes = {
  ...Object.fromEntries(
    ["office", "text", "table", "style", "meta", "presentation", "manifest", "chart"].map((
      name,
    ) => [`${OASIS}${name}:1.0`, name]),
  ),
  [`${OASIS}drawing:1.0`]: "draw",
  [`${OASIS}datastyle:1.0`]: "number",
  [`${OASIS}svg-compatible:1.0`]: "svg",
  [`${OASIS}xsl-fo-compatible:1.0`]: "fo",
  "http://www.w3.org/1999/xlink": "xlink",
  "http://www.w3.org/1998/Math/MathML": "math",
  "http://purl.org/dc/elements/1.1/": "dc",
};
