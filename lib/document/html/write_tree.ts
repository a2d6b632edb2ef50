import type { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { Flow } from "./flow.ts";
import { measureTree } from "./measure.ts";
import type { Element } from "./tree.ts";

/** Returns an HTML element that a loader makes from other markup. */
export function element(
  name: string,
  children: readonly (Element | string)[],
  attributes: Readonly<Record<string, string>> = {},
): Element {
  const made: Element = { name, attributes, children: [...children], parent: undefined };
  for (const child of made.children) {
    if (typeof child !== "string") (child as { parent: Element | undefined }).parent = made;
  }
  return made;
}

/** Adds elements made by {@linkcode element} to a document. */
export function writeTree(children: readonly (Element | string)[], builder: MarkdownBuilder): void {
  const root = element("#root", children);
  new Flow(builder, { measures: measureTree(root, { hidden: false }), omitted: new Set() }).write(root);
}
