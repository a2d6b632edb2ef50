import { DocumentError } from "../types.ts";
import { child, children, parseXml, rootTag, type XmlElement, type XmlSource } from "../xml/mod.ts";
import { Zip } from "../zip/mod.ts";
import { PREFIXES } from "./namespaces.ts";

/** Kind of an OpenDocument file, from its media type. */
export type Kind = "text" | "presentation" | "spreadsheet";

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

  /** Returns the XML source with the styles and the body of the document. */
  content(): XmlSource {
    return this.#zip?.pieces("content.xml") ?? this.#flat;
  }

  /** Returns a part of the ZIP archive, parsed; `undefined` if it is missing. Flat files have no parts. */
  part(name: string): XmlElement | undefined {
    const bytes = this.#zip?.read(name);
    return bytes === undefined ? undefined : parseXml(bytes, { prefixes: PREFIXES });
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
