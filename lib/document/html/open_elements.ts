import { BLOCKS } from "./names.ts";
import { SCOPES } from "./rules.ts";
import type { Element } from "./tree.ts";

/** The open elements of the HTML parser. Each method takes constant time per element that it opens or closes. */
export class OpenElements {
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
    const indices = this.#byName.get(name);
    if (indices === undefined) this.#byName.set(name, [at]);
    else indices.push(at);
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
