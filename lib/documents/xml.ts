/**
 * Reads XML into trees, within limits of depth and size. Entities and external resources are never resolved.
 * Below the reader: encodings, namespaces, and functions that look for elements.
 */
import { Parser } from "htmlparser2";
import { decoderOf } from "./encoding.ts";
import { DocumentError } from "./types.ts";

/** An element of an XML document. */
export interface XmlElement {
  /**
   * Name with its prefix: that of {@linkcode Prefixes} for a namespace listed there, else the one in the document.
   */
  readonly name: string;
  /** Attributes by name, with prefixes as in `name`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and texts in their order. Adjacent texts are joined. */
  readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

/** An XML document: decoded text, or bytes in one or several pieces. */
export type XmlSource = string | Uint8Array | Iterable<Uint8Array>;

/**
 * Prefixes by the URI of their namespace, which the names of its elements and attributes get, whatever prefix the document
 * uses. An empty prefix gives bare names. Names of other namespaces stay as written.
 */
export type Prefixes = Readonly<Record<string, string>>;

/** An element found by {@linkcode readElements}. */
export interface FoundElement {
  readonly element: XmlElement;
  /** The ancestors of the element, from the root inwards, with their attributes but without children. */
  readonly ancestors: readonly XmlElement[];
}

/** Deepest nesting of elements. */
const DEEPEST = 500;
/** Most elements and texts in memory at one time. */
const MOST_NODES = 4_000_000;

interface OpenElement extends XmlElement {
  readonly children: XmlNode[];
}

/**
 * Returns the root of an XML document. Only XML's five predefined entities and character references are replaced;
 * declarations are not read, so nothing expands and nothing is fetched. Errors of form are tolerated. Throws {@linkcode
 * DocumentError}: `damaged` without a root, `too_complex` beyond a limit.
 */
export function parseXml(source: XmlSource, prefixes: Prefixes = {}, nodes: number = MOST_NODES): XmlElement {
  const [root] = [...new Reader(undefined, prefixes, nodes).read(source)];
  if (root === undefined) throw new DocumentError("damaged", "the XML has no root element");
  return root.element;
}

/**
 * Yields the outermost elements with one of the names while the document is read. The rest of the document is not kept, so
 * that a sheet with a million rows takes little memory. Throws like {@linkcode parseXml}.
 */
export function readElements(
  source: XmlSource,
  names: Iterable<string>,
  prefixes: Prefixes = {},
  nodes: number = MOST_NODES,
): Generator<FoundElement, void, undefined> {
  return new Reader(new Set(names), prefixes, nodes).read(source);
}

class Reader {
  readonly #parser: Parser;
  readonly #namespaces: Namespaces;
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #limit: number;
  readonly #open: OpenElement[] = [];
  readonly #found: FoundElement[] = [];
  /** Depth of the wanted element that is open, all of whose content is kept. */
  #keeping = Infinity;
  #nodes = 0;

  /** `wanted`: names of elements; by default the root is wanted. */
  constructor(wanted: ReadonlySet<string> | undefined, prefixes: Prefixes, limit: number) {
    this.#wanted = wanted;
    this.#limit = limit;
    this.#namespaces = new Namespaces(prefixes);
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#onOpen(name, attributes),
      onclosetag: () => this.#onClose(),
      ontext: (text) => this.#onText(text),
    }, { xmlMode: true });
  }

  *read(source: XmlSource): Generator<FoundElement, void, undefined> {
    for (const text of decoded(source)) {
      this.#parser.write(text);
      yield* this.#found.splice(0);
    }
    this.#parser.end();
    yield* this.#found.splice(0);
  }

  #onOpen(written: string, all: Record<string, string>): void {
    const depth = this.#open.length;
    if (depth >= DEEPEST) throw tooComplex(`the XML is nested more than ${DEEPEST} deep`);
    this.#namespaces.open(depth, all);
    const element: OpenElement = {
      name: this.#namespaces.element(written),
      attributes: this.#namespaces.attributes(all),
      children: [],
    };
    if (depth < this.#keeping && (this.#wanted?.has(element.name) ?? true)) {
      this.#keeping = depth;
      this.#nodes = 0;
    }
    if (depth > this.#keeping) this.#keep(element);
    this.#open.push(element);
  }

  #onClose(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const depth = this.#open.length;
    this.#namespaces.close(depth);
    if (depth !== this.#keeping) return;
    this.#found.push({ element, ancestors: this.#open.slice() });
    this.#keeping = Infinity;
  }

  #onText(text: string): void {
    if (this.#open.length > this.#keeping) this.#keep(text);
  }

  /** Adds a node to the innermost open element. */
  #keep(node: XmlNode): void {
    const { children } = this.#open.at(-1)!;
    const last = children.at(-1);
    if (typeof node === "string" && typeof last === "string") {
      children[children.length - 1] = last + node;
      return;
    }
    if (++this.#nodes > this.#limit) throw tooComplex(`the XML has more than ${this.#limit} nodes`);
    children.push(node);
  }
}

function tooComplex(message: string): DocumentError {
  return new DocumentError("too_complex", message);
}

/** Bytes decoded at once. The decoded elements are consumed before the next step. */
const STEP = 262_144;

/** Yields the text of a source in parts. The encoding is that of the byte order mark, else the declared one, else UTF-8. */
function* decoded(source: XmlSource): Generator<string, void, undefined> {
  if (typeof source === "string") {
    for (let at = 0; at < source.length; at += STEP) yield source.slice(at, at + STEP);
    return;
  }
  let decoder: TextDecoder | undefined;
  for (const piece of source instanceof Uint8Array ? [source] : source) {
    decoder ??= new TextDecoder(encodingOf(piece));
    for (let at = 0; at < piece.length; at += STEP) {
      yield decoder.decode(piece.subarray(at, at + STEP), { stream: true });
    }
  }
  if (decoder !== undefined) yield decoder.decode();
}

function encodingOf(head: Uint8Array): string {
  const [a, b, c] = head;
  if (a === 0xfe && b === 0xff || (a === 0 && b === 0x3c)) return "utf-16be";
  if (a === 0xff && b === 0xfe || (a === 0x3c && b === 0 && c !== 0)) return "utf-16le";
  const start = new TextDecoder("latin1").decode(head.subarray(0, 200));
  const declared = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)
    ?.[1];
  // A declaration that can be read as single bytes cannot be in UTF-16, even if it says so.
  if (declared === undefined || /^utf-?(?:8|16)|^ucs/i.test(declared)) return "utf-8";
  const encoding = decoderOf(declared)?.encoding;
  if (encoding !== undefined) return encoding;
  throw new DocumentError("unsupported", `the encoding of the XML is unknown: ${declared}`);
}

/** Maps the prefixes of a document to those that the caller expects. */
class Namespaces {
  readonly #known: ReadonlyMap<string, string>;
  /** Prefix in the document to prefix of the caller, if they differ. There is one map for each element with declarations. */
  #renamed: ReadonlyMap<string, string> = new Map();
  readonly #outer: { readonly depth: number; readonly renamed: ReadonlyMap<string, string> }[] = [];

  constructor(prefixes: Prefixes) {
    this.#known = new Map(Object.entries(prefixes));
  }

  /** Records the declarations of an element that is opened at `depth`. */
  open(depth: number, attributes: Readonly<Record<string, string>>): void {
    let renamed: Map<string, string> | undefined;
    for (const name in attributes) {
      if (!name.startsWith("xmlns") || (name.length > 5 && name[5] !== ":")) continue;
      const prefix = name.slice(6);
      const wanted = this.#known.get(attributes[name]!);
      renamed ??= new Map(this.#renamed);
      if (wanted === undefined || wanted === prefix) renamed.delete(prefix);
      else renamed.set(prefix, wanted);
    }
    if (renamed === undefined) return;
    this.#outer.push({ depth, renamed: this.#renamed });
    this.#renamed = renamed;
  }

  /** Removes the declarations of the element at `depth`. */
  close(depth: number): void {
    while (this.#outer.length > 0 && this.#outer.at(-1)!.depth >= depth) {
      this.#renamed = this.#outer.pop()!.renamed;
    }
  }

  element(name: string): string {
    return this.#renamed.size === 0 ? name : this.#name(name, true);
  }

  attributes(all: Record<string, string>): Record<string, string> {
    if (this.#renamed.size === 0) return all;
    const named: Record<string, string> = {};
    for (const name in all) named[this.#name(name, false)] = all[name]!;
    return named;
  }

  /** A default namespace applies to elements only. */
  #name(name: string, hasDefault: boolean): string {
    const colon = name.indexOf(":");
    if (colon < 0 && !hasDefault) return name;
    const wanted = this.#renamed.get(colon < 0 ? "" : name.slice(0, colon));
    if (wanted === undefined) return name;
    const local = name.slice(colon + 1);
    return wanted === "" ? local : `${wanted}:${local}`;
  }
}

/** Returns the child elements, without texts. `name` restricts them to one name. */
export function children(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter((node): node is XmlElement =>
    typeof node !== "string" && (name === undefined || node.name === name)
  );
}

/** Returns the first child element of a name. With several names, follows them as a path. */
export function child(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  for (const name of path) {
    const from: XmlElement | undefined = element;
    element = undefined;
    for (const node of from?.children ?? []) {
      if (typeof node !== "string" && node.name === name) {
        element = node;
        break;
      }
    }
  }
  return element;
}

/** Returns the elements of a name at any depth, in document order. Elements inside a found one are not searched. */
export function descendants(element: XmlElement | undefined, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const visit = (parent: XmlElement) => {
    for (const node of parent.children) {
      if (typeof node === "string") continue;
      if (node.name === name) found.push(node);
      else visit(node);
    }
  };
  if (element !== undefined) visit(element);
  return found;
}

/** Returns all text in an element, in document order. */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  const parts: string[] = [];
  const visit = (parent: XmlElement) => {
    for (const node of parent.children) typeof node === "string" ? parts.push(node) : visit(node);
  };
  visit(element);
  return parts.join("");
}

/** Returns all text in an element on one line. */
export function lineOf(element: XmlElement | undefined): string {
  return textOf(element).replace(/\s+/g, " ").trim();
}
