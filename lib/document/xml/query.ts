import type { XmlElement } from "./types.ts";

/** The child elements, without texts; only those of one name if it is given. */
export function children(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter((node): node is XmlElement =>
    typeof node !== "string" && (name === undefined || node.name === name)
  );
}

/** The first child element of a name; of several names, the first child along that path. */
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

/** The elements of a name at any depth below, in document order; none inside of one that was found. */
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

/** All text below, in document order. */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  const parts: string[] = [];
  const visit = (parent: XmlElement) => {
    for (const node of parent.children) typeof node === "string" ? parts.push(node) : visit(node);
  };
  visit(element);
  return parts.join("");
}
