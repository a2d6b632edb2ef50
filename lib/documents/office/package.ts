/**
 * Opens Office Open XML files (docx, pptx, xlsx): their parts, the relations between parts, and metadata.
 * Below it: the prefixes of namespaces in both variants of the standard.
 */
import { isCompoundFile } from "./binary.ts";
import { isInternal } from "./properties.ts";
import { type Described, described } from "../metadata.ts";
import { DocumentError, kept } from "../types.ts";
import { child, children, parseXml, type Prefixes, readElements, textOf, type XmlElement } from "../xml.ts";
import { Zip } from "../zip.ts";
import type { PictureSource } from "../pictures/types.ts";

/** A relation from one part of an Office file to another, or to an external address. */
interface Relation {
  readonly id: string;
  /** Last segment of the type: `styles`, `slide`, `hyperlink` … */
  readonly type: string;
  /** Name of the part in the ZIP archive, or the address if it is external. */
  readonly target: string;
  readonly external: boolean;
}

/** The relations of a part, in the order of the file. */
interface Relations {
  readonly list: readonly Relation[];
  /** Documents refer to as many relations as they have, so each is found in constant time. The first of an id counts. */
  readonly byId: ReadonlyMap<string, Relation>;
}

/** An Office file (Open Packaging Conventions): its parts and the relations between them. */
export class Package {
  readonly #zip: Zip;
  readonly #relations = new Map<string, Relations>();

  /** Throws {@linkcode DocumentError} if the bytes are not a ZIP archive, or encrypted. */
  constructor(bytes: Uint8Array) {
    if (isCompoundFile(bytes)) throw notOpenXml(bytes);
    this.#zip = new Zip(bytes);
  }

  /** Returns the root element of a part, or `undefined` if there is no part of this name. */
  part(name: string | undefined): XmlElement | undefined {
    if (name === undefined || !this.#zip.has(name)) return undefined;
    return parseXml(this.#zip.pieces(name), PREFIXES);
  }

  /** Whether there is a part of this name. */
  has(name: string): boolean {
    return this.#zip.has(name);
  }

  /** Returns the bytes of a part, such as a picture; `undefined` if there is no part of this name. Throws {@linkcode DocumentError}. */
  bytes(name: string): Uint8Array | undefined {
    return this.#zip.read(name);
  }

  /**
   * Returns where a picture is that a part refers to. `embedded`, `linked`: the ids of the relations to its part, and to a file outside.
   */
  picture(part: string, embedded: string | undefined, linked?: string): PictureSource {
    const relation = this.target(part, embedded) ?? this.target(part, linked);
    if (relation === undefined) return {};
    return relation.external ? { link: relation.target } : { bytes: () => this.bytes(relation.target) };
  }

  /** Yields the outermost elements of some names in a part, which is not kept. */
  *elements(part: string, names: Iterable<string>): Generator<XmlElement, void, undefined> {
    for (const { element } of readElements(this.#zip.pieces(part), names, PREFIXES)) yield element;
  }

  /** Returns the relations of a part, or those of the whole file without a name. */
  relations(part = ""): readonly Relation[] {
    return this.#relationsOf(part).list;
  }

  /** Returns the relation of a part with this id. */
  target(part: string, id: string | undefined): Relation | undefined {
    return id === undefined ? undefined : this.#relationsOf(part).byId.get(id);
  }

  /** Returns the name of the first part of a type that a part refers to. */
  related(part: string, type: string): string | undefined {
    return this.relations(part).find((one) => one.type === type && !one.external)?.target;
  }

  /**
   * Returns the name of the main part: the one that the relations name, or else the first of `usual` that exists. Throws
   * {@linkcode DocumentError} `damaged` if there is none.
   */
  main(...usual: readonly string[]): string {
    const main = this.related("", "officeDocument");
    for (const name of [main, ...usual]) if (name !== undefined && this.#zip.has(name)) return name;
    throw new DocumentError("damaged", "the main part of the file is missing");
  }

  /** Returns the core, application and custom properties, and the title unless a program made it up. */
  properties(): Described {
    const core = this.part(this.related("", "core-properties") ?? "docProps/core.xml");
    const app = this.part(this.related("", "extended-properties") ?? "docProps/app.xml");
    const custom = this.part(this.related("", "custom-properties") ?? "docProps/custom.xml");
    const value = (name: string) => textOf(child(core, name)).trim();
    const ofApp = (name: string) =>
      textOf(children(app).find((one) => one.name.replace(/^.*:/, "") === name));
    const [title, author] = [value("dc:title"), value("dc:creator")];
    return described([
      ["title", MADE_UP.test(title) ? "" : title],
      ["author", /^(?:python-docx|openpyxl|unknown)$/i.test(author) ? "" : author],
      ["created", value("dcterms:created")],
      ["modified", value("dcterms:modified")],
      ["language", value("dc:language")],
      ["keywords", value("cp:keywords")],
      ["description", value("dc:description").replace(/^generated by python-docx$/, "")],
      ["status", value("cp:contentStatus")],
      ["subject", value("dc:subject")],
      ["category", value("cp:category")],
      ["manager", ofApp("Manager")],
      ["company", ofApp("Company")],
      ...children(custom).map((property) => customProperty(property)),
    ]);
  }

  #relationsOf(part: string): Relations {
    return kept(this.#relations, part, () => {
      const list = this.#read(part);
      return { list, byId: new Map(list.toReversed().map((one) => [one.id, one])) };
    });
  }

  #read(part: string): Relation[] {
    const slash = part.lastIndexOf("/") + 1;
    const root = this.part(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
    return children(root, "rel:Relationship").map(({ attributes }) => {
      const external = attributes["TargetMode"] === "External";
      const target = attributes["Target"] ?? "";
      return {
        id: attributes["Id"] ?? "",
        type: (attributes["Type"] ?? "").replace(/^.*\//, ""),
        target: external ? target : resolve(part.slice(0, slash), target),
        external,
      };
    });
  }
}

/** Returns the elements to read of alternatives for newer and older programs (`mc:AlternateContent`). */
export function chosen(alternatives: XmlElement): XmlElement[] {
  return children(child(alternatives, "mc:Choice") ?? child(alternatives, "mc:Fallback"));
}

/** Matches titles that programs give to new documents. */
const MADE_UP =
  /^(?:microsoft word - .*|powerpoint( 演示文稿| 簡報| presentation)?|presentation ?\d*|slide ?\d+|幻灯片 ?\d+|untitled|document ?\d*|文档 ?\d*|演示文稿 ?\d*|word document)$/i;

/** Returns the name and value of a property that people or programs of a company defined. */
function customProperty(
  { attributes: { name = "" }, children: nodes }: XmlElement,
): [name: string, value: unknown] {
  const value = nodes.find((node) => typeof node !== "string");
  const text = textOf(value).trim();
  // Labels of Microsoft Purview say who may see a document.
  if (/^MSIP_Label_[^_]*_Name$/.test(name)) return ["access_level", text];
  if (value === undefined || isInternal(name)) return [name, undefined];
  const type = value.name.replace(/^.*:/, "");
  if (type === "bool") return [name, /^(?:true|1)$/i.test(text)];
  return [name, /^(?:u?i[1248]|u?int|r[48])$/.test(type) && text !== "" ? Number(text) : text];
}

/** Returns the error for a compound file: it contains an encrypted package, or is a document of the older formats. */
function notOpenXml(bytes: Uint8Array): DocumentError {
  // Names in its directory are in UTF-16.
  const name = Array.from("EncryptedPackage", (char) => `${char}\0`).join("");
  return new TextDecoder("latin1").decode(bytes).includes(name)
    ? new DocumentError("encrypted", "a password is needed to open the file")
    : new DocumentError("unsupported", "the file has the format of Office before 2007");
}

/** Resolves a target relative to a folder in the ZIP archive. */
function resolve(folder: string, target: string): string {
  const parts: string[] = [];
  for (const part of (target.startsWith("/") ? target : folder + target).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const name = parts.join("/");
  try {
    return name.includes("%") ? decodeURIComponent(name) : name;
  } catch {
    return name;
  }
}

const TRANSITIONAL = "http://schemas.openxmlformats.org/";
const STRICT = "http://purl.oclc.org/ooxml/";

/**
 * Maps prefixes to the paths of the namespaces below the roots of the transitional and the strict variant of the standard.
 */
const PATHS: Readonly<Record<string, readonly [string, string?]>> = {
  w: ["wordprocessingml/2006/main", "wordprocessingml/main"],
  p: ["presentationml/2006/main", "presentationml/main"],
  x: ["spreadsheetml/2006/main", "spreadsheetml/main"],
  a: ["drawingml/2006/main", "drawingml/main"],
  c: ["drawingml/2006/chart", "drawingml/chart"],
  dgm: ["drawingml/2006/diagram", "drawingml/diagram"],
  pic: ["drawingml/2006/picture", "drawingml/picture"],
  wp: ["drawingml/2006/wordprocessingDrawing", "drawingml/wordprocessingDrawing"],
  xdr: ["drawingml/2006/spreadsheetDrawing", "drawingml/spreadsheetDrawing"],
  m: ["officeDocument/2006/math", "officeDocument/math"],
  r: ["officeDocument/2006/relationships", "officeDocument/relationships"],
  rel: ["package/2006/relationships"],
  cp: ["package/2006/metadata/core-properties"],
  mc: ["markup-compatibility/2006"],
};

/** Prefixes of the names of elements and attributes in the loaders of Office files. */
const PREFIXES: Prefixes = {
  ...Object.fromEntries(
    Object.entries(PATHS).flatMap(([prefix, [path, strict]]) => [
      [TRANSITIONAL + path, prefix],
      ...(strict === undefined ? [] : [[STRICT + strict, prefix]]),
    ]),
  ),
  "http://purl.org/dc/elements/1.1/": "dc",
  "http://purl.org/dc/terms/": "dcterms",
  "urn:schemas-microsoft-com:vml": "v",
  "urn:schemas-microsoft-com:office:office": "o",
  "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
  "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup": "wpg",
  "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments": "tc",
  "http://schemas.microsoft.com/office/powerpoint/2018/8/main": "p188",
};
