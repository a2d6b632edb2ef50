import { child, children, lineOf, type XmlElement } from "../xml/mod.ts";

/** Returns the title of an element, from the element or from its `info`. */
export function titleOf(node: XmlElement): string {
  const info = children(node).find(({ name }) => name === "info" || name.endsWith("info"));
  const title = child(node, "title") ?? child(info, "title");
  if (title !== undefined) return lineOf(title);
  if (node.name !== "refentry") return "";
  const name = lineOf(child(node, "refmeta", "refentrytitle")) ||
    lineOf(child(node, "refnamediv", "refname"));
  return `${name}${volume(child(node, "refmeta"))}`;
}

/** Returns the section of a manual page in parentheses: `(1)`. Empty if there is none. */
export function volume(node: XmlElement | undefined): string {
  const number = lineOf(child(node, "manvolnum"));
  return number === "" ? "" : `(${number})`;
}
