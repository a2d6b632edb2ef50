import { parseDocument } from "htmlparser2";

/** A node of a parsed page. */
export type Node = ReturnType<typeof parseDocument>["children"][number];
export type Element = Extract<Node, { attribs: unknown }>;

/** Elements that stand on lines of their own. */
const BLOCKS = new Set([
  "p",
  "div",
  "li",
  "tr",
  "td",
  "th",
  "dt",
  "dd",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "pre",
  "br",
]);

export function parsePage(html: string): Node[] {
  return parseDocument(html, { recognizeSelfClosing: true }).children;
}

/** Whether a node is an element of this class. */
export function hasClass(node: Node, name: string): boolean {
  return isElement(node) && (node.attribs["class"] ?? "").split(/\s+/).includes(name);
}

export function isElement(node: Node): node is Element {
  return "attribs" in node;
}

/** Returns all elements that fit, in the order of the page. */
export function elements(nodes: readonly Node[], fits: (element: Element) => boolean): Element[] {
  return nodes.filter(isElement).flatMap((node) => [
    ...(fits(node) ? [node] : []),
    ...elements(node.children, fits),
  ]);
}

/** Returns the text of the nodes, one line for each block, without the elements that `skipped` names. */
export function textOf(nodes: readonly Node[], skipped: (element: Element) => boolean): string {
  let text = "";
  const visit = (node: Node): void => {
    if (node.type === "text") text += node.data.replace(/\s+/g, " ");
    if (!isElement(node) || skipped(node)) return;
    const block = BLOCKS.has(node.name);
    if (block) text += "\n";
    node.children.forEach(visit);
    if (block) text += "\n";
  };
  nodes.forEach(visit);
  return text.replace(/ *\n[ \n]*/g, "\n").replace(/ {2,}/g, " ").trim();
}
