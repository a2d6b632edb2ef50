import { child, children, textOf, type XmlElement } from "../xml/mod.ts";

/** The title of an element, which stands in it or in its information. */
export function titleOf(node: XmlElement): string {
  const info = children(node).find(({ name }) => name === "info" || name.endsWith("info"));
  const title = child(node, "title") ?? child(info, "title");
  if (title !== undefined) return lineOf(title);
  if (node.name !== "refentry") return "";
  const name = lineOf(child(node, "refmeta", "refentrytitle")) ||
    lineOf(child(node, "refnamediv", "refname"));
  return `${name}${volume(child(node, "refmeta"))}`;
}

/** Returns the section of a manual page: `(1)`. */
export function volume(node: XmlElement | undefined): string {
  const number = lineOf(child(node, "manvolnum"));
  return number === "" ? "" : `(${number})`;
}

/** The text of an element on one line. */
export function lineOf(node: XmlElement | undefined): string {
  return textOf(node).replace(/\s+/g, " ").trim();
}
