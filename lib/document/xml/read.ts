import { Parser } from "htmlparser2";
import { DocumentError } from "../types.ts";
import { decoded } from "./decode.ts";
import { Namespaces } from "./namespaces.ts";
import type { FoundElement, XmlElement, XmlNode, XmlOptions, XmlSource } from "./types.ts";

const DEPTH = 500;
const NODES = 4_000_000;

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlNode[];
}

/**
 * Returns the root of an XML document. Only XML's five predefined entities and character references are replaced;
 * declarations are not read, so nothing expands and nothing is fetched. Errors of form are tolerated. Throws {@linkcode
 * DocumentError}: `damaged` without a root, `too_complex` beyond a limit.
 */
export function parseXml(source: XmlSource, options: XmlOptions = {}): XmlElement {
  const reader = new Reader(undefined, options);
  reader.readAll(source);
  const root = reader.root;
  if (root === undefined) throw new DocumentError("damaged", "the XML has no root element");
  return root;
}

/**
 * Yields the outermost elements with one of the names while the document is read. The rest of the document is not kept, so
 * that a sheet with a million rows takes little memory. Throws like {@linkcode parseXml}.
 */
export function* readElements(
  source: XmlSource,
  names: Iterable<string>,
  options: XmlOptions = {},
): Generator<FoundElement, void, undefined> {
  const reader = new Reader(new Set(names), options);
  for (const text of decoded(source)) {
    reader.write(text);
    yield* reader.taken();
  }
  reader.end();
  yield* reader.taken();
}

class Reader {
  root: XmlElement | undefined;
  readonly #parser: Parser;
  readonly #namespaces: Namespaces;
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #depth: number;
  readonly #limit: number;
  readonly #open: OpenElement[] = [];
  #found: FoundElement[] = [];
  /** Depth of the element that is being kept. Without wanted names every element is kept. */
  #keeping: number;
  #nodes = 0;

  constructor(wanted: ReadonlySet<string> | undefined, options: XmlOptions) {
    this.#wanted = wanted;
    this.#depth = options.depth ?? DEPTH;
    this.#limit = options.nodes ?? NODES;
    this.#keeping = wanted === undefined ? 0 : Infinity;
    this.#namespaces = new Namespaces(options.prefixes ?? {});
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#onOpen(name, attributes),
      onclosetag: () => this.#onClose(),
      ontext: (text) => this.#onText(text),
    }, { xmlMode: true });
  }

  readAll(source: XmlSource): void {
    for (const text of decoded(source)) this.write(text);
    this.end();
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): void {
    this.#parser.end();
  }

  /** Returns the elements found since the last call. */
  taken(): readonly FoundElement[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #onOpen(written: string, all: Record<string, string>): void {
    const depth = this.#open.length;
    if (depth >= this.#depth) throw tooComplex(`the XML is nested more than ${this.#depth} deep`);
    this.#namespaces.open(depth, all);
    const element: OpenElement = {
      name: this.#namespaces.element(written),
      attributes: this.#namespaces.attributes(all),
      children: [],
    };
    if (depth < this.#keeping && this.#wanted?.has(element.name)) {
      this.#keeping = depth;
      this.#nodes = 0;
    }
    if (depth > this.#keeping) this.#keep(element);
    else if (this.#wanted === undefined && this.root === undefined) this.root = element;
    this.#open.push(element);
  }

  #onClose(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const depth = this.#open.length;
    this.#namespaces.close(depth);
    if (this.#wanted === undefined || depth !== this.#keeping) return;
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
