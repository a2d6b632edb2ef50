/** An element of a page. Text is a string among its children. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
  readonly parent: Element | undefined;
}

/** The value of an attribute, empty when there is none. */
export function attribute(element: Element, name: string): string {
  return element.attributes[name] ?? "";
}

/** The class names, in lower case, at most 20 of them. */
export function classes(element: Element): string[] {
  const value = element.attributes.class;
  return value === undefined ? [] : value.toLowerCase().split(/\s+/, 20).filter((name) => name !== "");
}

/** The child elements. */
export function* elements(parent: Element): Generator<Element, void, undefined> {
  for (const child of parent.children) if (typeof child !== "string") yield child;
}

/** Calls `visit` for an element and all below it in document order; below one it returns `false` for it goes no further. */
export function walk(root: Element, visit: (element: Element) => boolean | void): void {
  if (visit(root) === false) return;
  for (const child of root.children) if (typeof child !== "string") walk(child, visit);
}

/** The first element of a name below `root`, or `root` itself. */
export function find(root: Element, name: string): Element | undefined {
  if (root.name === name) return root;
  for (const child of root.children) {
    const found = typeof child === "string" ? undefined : find(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All text below an element, as it stands in the source. */
export function textOf(element: Element): string {
  const parts: string[] = [];
  collect(element, parts);
  return parts.join("");
}

/** All text below an element on one line. */
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
