import type { Tokenizer as TokenizerClass, TokenizerCallbacks } from "htmlparser2";
import { DocumentError } from "../types.ts";
import { BLOCKS, FORMATTING, HEADINGS, VOID } from "./names.ts";
import { ATTRIBUTES, IMPLIED, IN_HEAD, SCOPES, TABLE_PARTS } from "./rules.ts";
import type { Element } from "./tree.ts";

/** A page with more elements is refused: each takes about 200 bytes. */
const MOST_ELEMENTS = 2_000_000;
/** Deeper elements are put on this level, so that code which walks the tree may recurse. */
const DEEPEST = 250;
/** Longer values, such as pictures in `data:` addresses, are cut. */
const LONGEST_VALUE = 10_000;

/** A tree of the elements of a page; the root is named `#root`. */
export interface Page {
  readonly root: Element;
  /** Comments of the first 2,000 characters. */
  readonly comments: readonly string[];
}

/**
 * Reads HTML, however broken, in linear time. With `xml` the tag `<p/>` has no content. Throws {@linkcode DocumentError}
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
  /** Open elements. What is too deep has the element that its content goes to. */
  readonly #stack: { name: string; element: Element }[] = [];
  /** Indices into the stack by name, so that an end tag finds its element without a search. */
  readonly #open = new Map<string, number[]>();
  readonly #scopes: number[] = [];
  readonly #blocks: number[] = [];
  #count = 0;
  /** Text that is not yet in the tree: entities decoded so far, then a part of the source. */
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
    const at = this.#last(name);
    if (at < 0) return;
    if (FORMATTING.has(name) && at < (this.#blocks.at(-1) ?? -1)) this.#forget(name);
    else if (
      TABLE_PARTS.has(name) ? at >= this.#last("table") || name === "table" : at >= (this.#scopes.at(-1) ?? 0)
    ) {
      this.#closeTo(at);
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
    return this.#last("svg") >= 0 || this.#last("math") >= 0;
  }

  #openElement(isEmpty: boolean): void {
    const name = this.#name;
    if (name === "html" || name === "body") {
      const open = this.#stack[this.#last(name)]?.element;
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
    if (!IN_HEAD.has(name) && this.#stack.at(-1)?.name === "head") this.#closeTo(this.#stack.length - 1);
    if (name === "body" || name === "frameset") this.#closeTo(this.#last("head"));
    const implied = IMPLIED[name];
    if (implied !== undefined) {
      let protectedTo = -1;
      for (const scope of implied.within) protectedTo = Math.max(protectedTo, this.#last(scope));
      let first = Infinity;
      for (const ended of implied.ends) {
        const at = this.#last(ended);
        if (at > protectedTo) first = Math.min(first, at);
      }
      this.#closeTo(first);
    }
    if (BLOCKS.has(name) || HEADINGS.has(name)) {
      const paragraph = this.#last("p");
      if (paragraph > (this.#scopes.at(-1) ?? -1)) this.#closeTo(paragraph);
      const top = this.#stack.at(-1);
      if (HEADINGS.has(name) && top !== undefined && HEADINGS.has(top.name)) {
        this.#closeTo(this.#stack.length - 1);
      }
    }
    if (name === "a" && this.#last("a") > (this.#scopes.at(-1) ?? -1)) {
      const at = this.#last("a");
      if (at > (this.#blocks.at(-1) ?? -1)) this.#closeTo(at);
    }
    this.#push(name, isEmpty || VOID.has(name));
  }

  #push(name: string, isEmpty: boolean): void {
    const element = this.#add(name, this.#attributes);
    if (isEmpty) return;
    const at = this.#stack.length;
    this.#stack.push({ name, element: at >= DEEPEST ? this.#parent() : element });
    const indices = this.#open.get(name);
    if (indices === undefined) this.#open.set(name, [at]);
    else indices.push(at);
    if (SCOPES.has(name)) this.#scopes.push(at);
    if (BLOCKS.has(name)) this.#blocks.push(at);
  }

  #parent(): Element {
    return this.#stack.at(-1)?.element ?? this.#root;
  }

  #add(name: string, attributes: Record<string, string> | undefined): Element {
    if (++this.#count > MOST_ELEMENTS) throw new DocumentError("too_complex", "more than 2,000,000 elements");
    const parent = this.#parent();
    const element: Element = { name, attributes: attributes ?? NONE, children: [], parent };
    parent.children.push(element);
    return element;
  }

  #last(name: string): number {
    return this.#open.get(name)?.at(-1) ?? -1;
  }

  /** An inline element that is closed while blocks within it are open: its end tag is spent, its content goes on. */
  #forget(name: string): void {
    const at = this.#open.get(name)!.pop()!;
    this.#stack[at]!.name = "";
  }

  /** Closes the open elements from this one up. */
  #closeTo(at: number): void {
    if (at < 0) return;
    while (this.#stack.length > at) {
      const { name } = this.#stack.pop()!;
      this.#open.get(name)?.pop();
    }
    while ((this.#scopes.at(-1) ?? -1) >= at) this.#scopes.pop();
    while ((this.#blocks.at(-1) ?? -1) >= at) this.#blocks.pop();
  }

  #flushText(): void {
    if (this.#textEnd === 0 && this.#decoded === "") return;
    const text = this.#decoded + this.#source.slice(this.#textStart, this.#textEnd);
    this.#decoded = "";
    this.#textStart = this.#textEnd = 0;
    if (this.#stack.at(-1)?.name === "head" && text.trim() !== "") this.#closeTo(this.#stack.length - 1);
    if (text !== "") this.#parent().children.push(text);
  }
}

const NONE: Readonly<Record<string, string>> = Object.freeze({});
