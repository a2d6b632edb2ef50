import { attribute, type Element, elements } from "./tree.ts";
import type { Walk } from "./walk.ts";
import { writeMarked } from "./write_inline.ts";

/** Writes `<ul>` and `<ol>`. */
export function writeList(list: Element, walk: Walk): void {
  const { writer } = walk;
  writer.endItem();
  if (walk.depth < 0) writer.endLine();
  walk.depth++;
  let number = Number.parseInt(attribute(list, "start"), 10);
  if (!Number.isFinite(number)) number = 1;
  for (const child of list.children) {
    if (typeof child === "string") {
      if (child.trim() !== "") writer.text(child);
    } else if (child.name === "li") {
      const value = Number.parseInt(attribute(child, "value"), 10);
      if (list.name === "ol" && Number.isFinite(value)) number = value;
      if (!walk.isOmitted(child)) writeItem(child, list.name === "ol" ? number++ : undefined, walk);
    } else walk.visit(child);
  }
  writer.endItem();
  walk.depth--;
}

function writeItem(element: Element, number: number | undefined, walk: Walk): void {
  walk.writer.openItem(walk.depth, number);
  walk.children(element);
  walk.writer.endItem();
}

/** Writes `<dl>`: a term and its descriptions make one list item, the term in bold. */
export function writeDefinitions(list: Element, walk: Walk): void {
  const { writer } = walk;
  writer.endItem();
  walk.depth++;
  const visit = (parent: Element) => {
    for (const child of elements(parent)) {
      if (walk.isOmitted(child)) continue;
      if (child.name === "dt") writeTerm(child, walk);
      else if (child.name === "dd") {
        if (writer.inItem) writer.endLine();
        else writer.openItem(walk.depth);
        walk.children(child);
        writer.endLine();
      } else if (child.name === "div") visit(child);
      else walk.visit(child);
    }
  };
  visit(list);
  writer.endItem();
  walk.depth--;
}

function writeTerm(term: Element, walk: Walk): void {
  walk.writer.endItem();
  const { hasBlock, hasHeading } = walk.options.measures.get(term)!;
  if (hasHeading) return walk.children(term);
  walk.writer.openItem(walk.depth);
  if (hasBlock) walk.children(term);
  else writeMarked(term, "**", walk);
  walk.writer.endLine();
}
