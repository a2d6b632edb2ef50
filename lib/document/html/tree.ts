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
