import type { ListItem } from "../writer/markdown_builder.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml/mod.ts";

/** Returns the texts of a SmartArt diagram (`dgm:dataModel`) as a nested list. */
export function readDiagram(model: XmlElement | undefined): ListItem[] {
  const texts = new Map<string, string>();
  let root: string | undefined;
  for (const point of children(child(model, "dgm:ptLst"), "dgm:pt")) {
    const id = point.attributes["modelId"] ?? "";
    const type = point.attributes["type"] ?? "node";
    if (type === "doc") root = id;
    if (type !== "node" && type !== "asst") continue;
    const lines = descendants(child(point, "dgm:t"), "a:p").map((p) =>
      descendants(p, "a:t").map(textOf).join("")
    );
    texts.set(id, lines.join("\n"));
  }
  const below = new Map<string, { to: string; order: number }[]>();
  for (const { attributes } of children(child(model, "dgm:cxnLst"), "dgm:cxn")) {
    if ((attributes["type"] ?? "parOf") !== "parOf") continue;
    const from = attributes["srcId"] ?? "";
    const to = { to: attributes["destId"] ?? "", order: Number(attributes["srcOrd"] ?? 0) };
    const list = below.get(from);
    if (list === undefined) below.set(from, [to]);
    else list.push(to);
  }
  const items: ListItem[] = [];
  const left = new Map(texts);
  // Each text is visited once, which also ends cycles.
  const visit = (id: string, depth: number) => {
    for (const { to } of (below.get(id) ?? []).sort((a, b) => a.order - b.order)) {
      const text = left.get(to);
      if (text === undefined || !left.delete(to)) continue;
      items.push({ depth, text });
      if (depth < 20) visit(to, depth + 1);
    }
  };
  if (root !== undefined) visit(root, 0);
  for (const text of left.values()) items.push({ depth: 0, text });
  return items;
}
