import type { XmlElement } from "./types.ts";

/** Returns the child elements, without texts. `name` restricts them to one name. */
export function children(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter((node): node is XmlElement =>
    typeof node !== "string" && (name === undefined || node.name === name)
  );
}

/** Returns the first child element of a name. With several names, follows them as a path. */
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

/** Returns the elements of a name at any depth, in document order. Elements inside a found one are not searched. */
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

/** Returns all text in an element, in document order. */
export function textOf(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  const parts: string[] = [];
  const visit = (parent: XmlElement) => {
    for (const node of parent.children) typeof node === "string" ? parts.push(node) : visit(node);
  };
  visit(element);
  return parts.join("");
}

/** Returns all text in an element on one line. */
export function lineOf(element: XmlElement | undefined): string {
  return textOf(element).replace(/\s+/g, " ").trim();
}
