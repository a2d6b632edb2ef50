import { BLOCKS } from "./names.ts";
import { SCOPES } from "./rules.ts";
import type { Element } from "./tree.ts";

/** The elements that are open while a page is parsed. Every step takes constant time per opened element. */
export class OpenElements {
  /** An element beyond the deepest level has the element that its content goes to. */
  readonly #stack: { name: string; element: Element }[] = [];
  /** Indices into the stack by name, so that an end tag finds its element without a search. */
  readonly #byName = new Map<string, number[]>();
  readonly #scopes: number[] = [];
  readonly #blocks: number[] = [];

  get count(): number {
    return this.#stack.length;
  }

  /** Name and element of the innermost one. */
  get top(): { readonly name: string; readonly element: Element } | undefined {
    return this.#stack.at(-1);
  }

  /** Index of the innermost element that other end tags do not reach beyond, such as a table cell; -1 if there is none. */
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
    const indices = this.#byName.get(name);
    if (indices === undefined) this.#byName.set(name, [at]);
    else indices.push(at);
    if (SCOPES.has(name)) this.#scopes.push(at);
    if (BLOCKS.has(name)) this.#blocks.push(at);
  }

  /** Uses up the end tag of an inline element while blocks within it are open: its content goes on. */
  forget(name: string): void {
    const at = this.#byName.get(name)!.pop()!;
    this.#stack[at]!.name = "";
  }

  /** Closes the elements from an index up. A negative index closes nothing. */
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
