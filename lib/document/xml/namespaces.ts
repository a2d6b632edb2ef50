/** Maps the prefixes of a document to those that the caller expects. */
export class Namespaces {
  readonly #known: ReadonlyMap<string, string>;
  /** Prefix in the document to prefix of the caller, if they differ. There is one map for each element with declarations. */
  #renamed: ReadonlyMap<string, string> = new Map();
  readonly #outer: { readonly depth: number; readonly renamed: ReadonlyMap<string, string> }[] = [];

  constructor(prefixes: Readonly<Record<string, string>>) {
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
