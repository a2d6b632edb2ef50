import type { Tokenizer as TokenizerClass, TokenizerCallbacks } from "htmlparser2";
import { DocumentError } from "../types.ts";
import { BLOCKS, FORMATTING, HEADINGS, VOID } from "./names.ts";
import { OpenElements } from "./open_elements.ts";
import { ATTRIBUTES, IMPLIED, IN_HEAD, TABLE_PARTS } from "./rules.ts";
import type { Element } from "./tree.ts";

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
    if (this.#attributeValue.length < LONGEST_VALUE && ATTRIBUTES.has(this.#attributeName)) {
      this.#attributeValue += this.#source.slice(start, Math.min(end, start + LONGEST_VALUE));
    }
  }

  onattribentity(code: number): void {
    if (this.#attributeValue.length < LONGEST_VALUE) this.#attributeValue += String.fromCodePoint(code);
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
