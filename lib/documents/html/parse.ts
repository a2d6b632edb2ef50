/**
 * Parses HTML of any quality into a tree, in linear time.
 * Below the parser: its open elements, functions for the tree, and the rules of HTML by element.
 */
import type { Tokenizer as TokenizerClass, TokenizerCallbacks } from "htmlparser2";
import { DocumentError, kept, words } from "../types.ts";

/** A page with more elements is rejected. Each element takes about 200 bytes. */
const MOST_ELEMENTS = 2_000_000;
/** Deeper elements are moved to this level, so that functions may walk the tree recursively. */
const DEEPEST = 250;
/** Longer attribute values, such as pictures in `data:` addresses, are cut. */
const LONGEST_VALUE = 10_000;

/** The elements of a page as a tree. The root is named `#root`. */
export interface Page {
  readonly root: Element;
  /** Comments in the first 2,000 characters. */
  readonly comments: readonly string[];
}

/**
 * Reads HTML of any quality in linear time. With `xml` the tag `<p/>` is an empty element. Throws {@linkcode DocumentError}
 * `too_complex` beyond two million elements.
 */
export async function parseHtml(source: string, { xml = false } = {}): Promise<Page> {
  const { Tokenizer } = await import("htmlparser2");
  return new TreeBuilder(source, xml).run(Tokenizer);
}

class TreeBuilder implements TokenizerCallbacks {
  readonly #source: string;
  readonly #xml: boolean;
  readonly #root: Element = { name: "#root", attributes: {}, children: [], parent: undefined };
  readonly #comments: string[] = [];
  readonly #open = new OpenElements();
  #count = 0;
  /** Pending text: the decoded part, then a range of the source. */
  #decoded = "";
  #textStart = 0;
  #textEnd = 0;
  #name = "";
  #attributeName = "";
  #attributeValue = "";
  #attributes: Record<string, string> | undefined;

  constructor(source: string, xml: boolean) {
    this.#source = source;
    this.#xml = xml;
  }

  run(Tokenizer: typeof TokenizerClass): Page {
    const tokenizer = new Tokenizer({ recognizeSelfClosing: this.#xml, decodeEntities: true }, this);
    tokenizer.write(this.#source);
    tokenizer.end();
    this.#flushText();
    return { root: this.#root, comments: this.#comments };
  }

  ontext(start: number, end: number): void {
    if (start !== this.#textEnd) {
      this.#decoded += this.#source.slice(this.#textStart, this.#textEnd);
      this.#textStart = start;
    }
    this.#textEnd = end;
  }

  ontextentity(code: number): void {
    this.#decoded += this.#source.slice(this.#textStart, this.#textEnd) + String.fromCodePoint(code);
    this.#textStart = this.#textEnd = 0;
  }

  onopentagname(start: number, end: number): void {
    this.#flushText();
    const name = this.#source.slice(start, end).toLowerCase();
    this.#name = name === "image" && !this.isInForeignContext() ? "img" : name;
    this.#attributes = undefined;
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#source.slice(start, end).toLowerCase();
    this.#attributeValue = "";
  }

  onattribdata(start: number, end: number): void {
    const longest = this.#longestValue();
    if (this.#attributeValue.length < longest && ATTRIBUTES.has(this.#attributeName)) {
      this.#attributeValue += this.#source.slice(start, Math.min(end, start + longest));
    }
  }

  /** Returns the longest value of the attribute at hand: an address may be a picture in Base64. */
  #longestValue(): number {
    return this.#attributeName === "src" ? Infinity : LONGEST_VALUE;
  }

  onattribentity(code: number): void {
    if (this.#attributeValue.length < this.#longestValue()) {
      this.#attributeValue += String.fromCodePoint(code);
    }
  }

  onattribend(): void {
    if (!ATTRIBUTES.has(this.#attributeName)) return;
    this.#attributes ??= {};
    this.#attributes[this.#attributeName] ??= this.#attributeValue;
  }

  onopentagend(): void {
    this.#openElement(false);
  }

  onselfclosingtag(): void {
    this.#openElement(this.#xml || this.isInForeignContext());
  }

  onclosetag(start: number, end: number): void {
    this.#flushText();
    const name = this.#source.slice(start, end).toLowerCase();
    if (name === "br") this.#add("br", undefined);
    const at = this.#open.last(name);
    if (at < 0) return;
    if (FORMATTING.has(name) && at < this.#open.block) this.#open.forget(name);
    else if (
      TABLE_PARTS.has(name) ? at >= this.#open.last("table") || name === "table" : at >= this.#open.scope
    ) {
      this.#open.closeTo(at);
    }
  }

  oncomment(start: number, end: number, offset: number): void {
    this.#flushText();
    if (start < 2_000 && this.#comments.length < 20) {
      this.#comments.push(this.#source.slice(start, end - offset).slice(0, 500));
    }
  }

  oncdata(start: number, end: number, offset: number): void {
    if (this.#xml || this.isInForeignContext()) this.ontext(start, end - offset);
    else this.oncomment(start, end, offset);
  }

  ondeclaration(): void {
    this.#flushText();
  }

  onprocessinginstruction(): void {
    this.#flushText();
  }

  onend(): void {}

  isInForeignContext(): boolean {
    return this.#open.last("svg") >= 0 || this.#open.last("math") >= 0;
  }

  #openElement(isEmpty: boolean): void {
    const name = this.#name;
    if (name === "html" || name === "body") {
      const open = this.#open.at(this.#open.last(name));
      if (open !== undefined) {
        for (const [key, value] of Object.entries(this.#attributes ?? {})) {
          (open.attributes as Record<string, string>)[key] ??= value;
        }
        return;
      }
    }
    if (this.isInForeignContext()) {
      this.#push(name, isEmpty);
      return;
    }
    if (!IN_HEAD.has(name) && this.#open.top?.name === "head") this.#open.closeTop();
    if (name === "body" || name === "frameset") this.#open.closeTo(this.#open.last("head"));
    const implied = IMPLIED[name];
    if (implied !== undefined) {
      let protectedTo = -1;
      for (const scope of implied.within) protectedTo = Math.max(protectedTo, this.#open.last(scope));
      let first = Infinity;
      for (const ended of implied.ends) {
        const at = this.#open.last(ended);
        if (at > protectedTo) first = Math.min(first, at);
      }
      this.#open.closeTo(first);
    }
    if (BLOCKS.has(name) || HEADINGS.has(name)) {
      const paragraph = this.#open.last("p");
      if (paragraph > this.#open.scope) this.#open.closeTo(paragraph);
      const top = this.#open.top;
      if (HEADINGS.has(name) && top !== undefined && HEADINGS.has(top.name)) {
        this.#open.closeTop();
      }
    }
    if (name === "a" && this.#open.last("a") > this.#open.scope) {
      const at = this.#open.last("a");
      if (at > this.#open.block) this.#open.closeTo(at);
    }
    this.#push(name, isEmpty || VOID.has(name));
  }

  #push(name: string, isEmpty: boolean): void {
    const element = this.#add(name, this.#attributes);
    if (isEmpty) return;
    this.#open.open(name, this.#open.count >= DEEPEST ? this.#parent() : element);
  }

  #parent(): Element {
    return this.#open.top?.element ?? this.#root;
  }

  #add(name: string, attributes: Record<string, string> | undefined): Element {
    if (++this.#count > MOST_ELEMENTS) {
      throw new DocumentError("too_complex", "it has more than 2,000,000 elements");
    }
    const parent = this.#parent();
    const element: Element = { name, attributes: attributes ?? NONE, children: [], parent };
    parent.children.push(element);
    return element;
  }

  #flushText(): void {
    if (this.#textEnd === 0 && this.#decoded === "") return;
    const text = this.#decoded + this.#source.slice(this.#textStart, this.#textEnd);
    this.#decoded = "";
    this.#textStart = this.#textEnd = 0;
    if (this.#open.top?.name === "head" && text.trim() !== "") this.#open.closeTop();
    if (text !== "") this.#parent().children.push(text);
  }
}

const NONE: Readonly<Record<string, string>> = Object.freeze({});

/** The open elements of the HTML parser. Each method takes constant time per element that it opens or closes. */
class OpenElements {
  /** Beyond the deepest level, `element` is the element that receives the content. */
  readonly #stack: { name: string; element: Element }[] = [];
  /** Indices into the stack by name: an end tag finds its element without a search. */
  readonly #byName = new Map<string, number[]>();
  readonly #scopes: number[] = [];
  readonly #blocks: number[] = [];

  get count(): number {
    return this.#stack.length;
  }

  /** Name and element of the innermost entry. */
  get top(): { readonly name: string; readonly element: Element } | undefined {
    return this.#stack.at(-1);
  }

  /**
   * Index of the innermost element that the end tags of other elements cannot cross, such as a table cell; -1 if there is
   * none.
   */
  get scope(): number {
    return this.#scopes.at(-1) ?? -1;
  }

  /** Index of the innermost block; -1 if there is none. */
  get block(): number {
    return this.#blocks.at(-1) ?? -1;
  }

  /** Returns the index of the innermost element of a name, or -1. */
  last(name: string): number {
    return this.#byName.get(name)?.at(-1) ?? -1;
  }

  at(index: number): Element | undefined {
    return this.#stack[index]?.element;
  }

  open(name: string, element: Element): void {
    const at = this.#stack.length;
    this.#stack.push({ name, element });
    kept(this.#byName, name, () => []).push(at);
    if (SCOPES.has(name)) this.#scopes.push(at);
    if (BLOCKS.has(name)) this.#blocks.push(at);
  }

  /** Drops an inline element whose end tag comes while blocks within it are open. Its content continues. */
  forget(name: string): void {
    const at = this.#byName.get(name)!.pop()!;
    this.#stack[at]!.name = "";
  }

  /** Closes the elements from an index on. A negative index closes nothing. */
  closeTo(at: number): void {
    if (at < 0) return;
    while (this.#stack.length > at) {
      const { name } = this.#stack.pop()!;
      this.#byName.get(name)?.pop();
    }
    while (this.scope >= at) this.#scopes.pop();
    while (this.block >= at) this.#blocks.pop();
  }

  /** Closes the innermost element. */
  closeTop(): void {
    this.closeTo(this.#stack.length - 1);
  }
}

/** An element of a page. Its text is in strings among its children. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
  readonly parent: Element | undefined;
}

/** Returns the value of an attribute. Empty if it is missing. */
export function attribute(element: Element, name: string): string {
  return element.attributes[name] ?? "";
}

/** Returns at most 20 class names, in lower case. */
export function classes(element: Element): string[] {
  const value = element.attributes.class;
  return value === undefined ? [] : value.toLowerCase().split(/\s+/, 20).filter((name) => name !== "");
}

/** Yields the child elements. */
export function* elements(parent: Element): Generator<Element, void, undefined> {
  for (const child of parent.children) if (typeof child !== "string") yield child;
}

/**
 * Calls `visit` for an element and its descendants in document order. Skips the descendants of an element for which it
 * returns `false`.
 */
export function walk(root: Element, visit: (element: Element) => boolean | void): void {
  if (visit(root) === false) return;
  for (const child of root.children) if (typeof child !== "string") walk(child, visit);
}

/** Returns the first element of a name in `root`, including `root`. */
export function find(root: Element, name: string): Element | undefined {
  if (root.name === name) return root;
  for (const child of root.children) {
    const found = typeof child === "string" ? undefined : find(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns all text in an element, unchanged. */
export function textOf(element: Element): string {
  const parts: string[] = [];
  collect(element, parts);
  return parts.join("");
}

/** Returns all text in an element on one line. */
export function lineOf(element: Element): string {
  return textOf(element).replace(/[\s\u00a0]+/g, " ").trim();
}

function collect(element: Element, parts: string[]): void {
  for (const child of element.children) {
    if (typeof child === "string") parts.push(child);
    else if (child.name === "br") parts.push(" ");
    else collect(child, parts);
  }
}

/** Elements without content. */
const VOID = words(
  "area base basefont bgsound br col command embed frame hr img input isindex keygen link meta param source track wbr",
);

/** Elements that begin and end a line of text. */
export const BLOCKS = words(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption",
  "figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav noframes",
  "ol optgroup option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp",
);

export const HEADINGS = words("h1 h2 h3 h4 h5 h6");

/** Inline elements whose end tag does not close blocks opened within them. */
const FORMATTING = words(
  "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr q s samp small span strike strong",
  "sub sup tt u var",
);

/** Elements whose text a reader never sees. */
export const UNSEEN = words(
  "applet audio base bgsound button canvas command datalist dialog embed head iframe input keygen link meta meter",
  "noembed noscript object optgroup option param progress rp script select source style svg template textarea title",
  "track video",
);

/** Attributes that are kept. The text does not depend on any other. */
const ATTRIBUTES = words(
  "alt alttext aria-hidden aria-label aria-level border checked class colspan content data-lang data-language",
  "data-actualsrc data-lazy-src data-original data-src data-srcset recindex src srcset",
  "data-line-number datetime dir encoding epub:type headers hidden href id itemprop lang name property rel role rowspan",
  "scope start style title type value width height xml:lang xmlns action",
);

/** Optional end tags: the open elements that a start tag closes, and the elements that protect those around them. */
const IMPLIED: Readonly<Record<string, { ends: readonly string[]; within: readonly string[] }>> = {
  li: { ends: ["li"], within: ["ul", "ol", "menu", "dir", "table"] },
  dt: { ends: ["dt", "dd"], within: ["dl", "table"] },
  dd: { ends: ["dt", "dd"], within: ["dl", "table"] },
  tr: { ends: ["tr", "caption", "colgroup"], within: ["table"] },
  td: { ends: ["td", "th"], within: ["table", "tr"] },
  th: { ends: ["td", "th"], within: ["table", "tr"] },
  thead: { ends: ["thead", "tbody", "tfoot", "caption", "colgroup"], within: ["table"] },
  tbody: { ends: ["thead", "tbody", "tfoot", "caption", "colgroup"], within: ["table"] },
  tfoot: { ends: ["thead", "tbody", "tfoot", "caption", "colgroup"], within: ["table"] },
  option: { ends: ["option"], within: ["select"] },
  rt: { ends: ["rt", "rp"], within: ["ruby"] },
  rp: { ends: ["rt", "rp"], within: ["ruby"] },
};

/** Elements that the end tags of other elements cannot cross. */
const SCOPES = words("table td th caption template svg math");
/** Elements whose end tags apply up to the table that contains them. */
const TABLE_PARTS = words("table thead tbody tfoot tr td th caption");

/** Elements that do not end the head. */
const IN_HEAD = words("base basefont bgsound link meta noframes noscript object script style template title");
