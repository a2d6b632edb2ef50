/** Writes a drawing as Markdown: boxes from top to bottom, those that contain others as sections, then the labelled lines. */
import type { MarkdownBuilder } from "../markdown_builder.ts";
import { joined, kept, shortName, taken } from "../types.ts";

/** A box with text, or a container of boxes. */
export interface Box {
  readonly id: string;
  /** Lines of plain text. */
  readonly lines: readonly string[];
  /** Further lines, which do not belong to the heading of a container. */
  readonly details?: readonly string[];
  /** Identifier of the container, if it lies in one. */
  readonly parent?: string | undefined;
  readonly x: number;
  readonly y: number;
  /** Writes it in another form, such as a table or Markdown. */
  readonly write?: ((builder: MarkdownBuilder, level: number) => void) | undefined;
}

/** A line between two boxes. */
export interface Connection {
  readonly from: string;
  readonly to: string;
  readonly lines: readonly string[];
}

/** Deepest nesting of containers; what lies deeper belongs to the last one. */
const DEEPEST = 100;
const LONGEST_HEADING = 120;

/** Adds the boxes and lines of a drawing. `level`: that of the first headings. */
export function writeDiagram(
  boxes: readonly Box[],
  connections: readonly Connection[],
  builder: MarkdownBuilder,
  level: number,
): void {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const inside = new Map<string, Box[]>();
  for (const box of boxes) {
    const { parent = "" } = box;
    kept(inside, byId.has(parent) && parent !== box.id ? parent : "", () => []).push(box);
  }
  const written = new Set<Box>();
  const containers = withText(boxes, byId);
  const add = (list: readonly Box[], at: number, depth: number): void => {
    const sorted = list.toSorted((a, b) => a.y - b.y || a.x - b.x);
    const isContainer = (box: Box) => containers.has(box.id) && depth < DEEPEST;
    for (const box of sorted) if (!isContainer(box)) addBox(box, at);
    // Containers follow, so that no other box stands under their headings.
    for (const box of sorted.filter(isContainer)) {
      const title = box.lines.join(" ");
      const isHeading = box.write === undefined && title !== "" && title.length <= LONGEST_HEADING;
      if (isHeading) {
        builder.heading(at, title);
        builder.paragraph((box.details ?? []).join("\n"));
      } else addBox(box, at);
      written.add(box);
      // Of several boxes with one identifier the first contains the others.
      add(taken(inside, box.id), isHeading ? at + 1 : at, depth + 1);
    }
  };
  const addBox = (box: Box, at: number): void => {
    if (written.has(box)) return;
    written.add(box);
    if (box.write === undefined) builder.paragraph([...box.lines, ...(box.details ?? [])].join("\n"));
    else box.write(builder, at);
  };
  add(taken(inside, ""), level, 0);
  // Boxes that contain each other in a circle, and those that lie too deep.
  for (const box of boxes) addBox(box, level);
  const names = new Map<string, string>();
  for (const { from, to, lines } of connections) {
    const label = lines.join(" ");
    if (label === "") continue;
    const ends = [from, to].map((id) => kept(names, id, () => shortName(byId.get(id)?.lines ?? []))).filter((
      name,
    ) => name !== "");
    builder.item({ depth: 0, text: joined([ends.length === 2 ? `${ends.join(" → ")}:` : "", label], " ") });
  }
}

/** Returns the identifiers of the containers with text somewhere in them. */
function withText(boxes: readonly Box[], byId: ReadonlyMap<string, Box>): Set<string> {
  const found = new Set<string>();
  for (const { id: own, lines, details = [], write, parent } of boxes) {
    if (lines.length + details.length === 0 && write === undefined) continue;
    for (
      let id = parent;
      id !== undefined && id !== own && byId.has(id) && !found.has(id);
      id = byId.get(id)!.parent
    ) {
      found.add(id);
    }
  }
  return found;
}

/** Returns whether a page has no name, or one that the program gave it. */
export function isMadeUpName(name: string): boolean {
  return /^(?:(?:page|seite|página|zeichenblatt|dessin|blatt|页|頁|第|绘图|ページ)[-\s]?\d+(?:\s*[页頁])?|)$/i
    .test(name.trim());
}
