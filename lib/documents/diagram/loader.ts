/**
 * Loads drawings: draw.io (diagrams.net), the canvas of Obsidian (JSON Canvas), and Excalidraw.
 * Below it: each of the three, and notes of Obsidian that hold an Excalidraw drawing.
 */
import { bytesToText } from "../decode.ts";
import { htmlLines } from "../html/lines.ts";
import { type JsonFields, listOf, recordOf, textIn } from "../json_fields.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { described } from "../metadata.ts";
import { withFrontMatter } from "../text/front_matter.ts";
import { loadMarkdown } from "../text/markdown.ts";
import { fromBase64 } from "../packed.ts";
import { type Document, DocumentError, guarded, kept, type Loader, taken } from "../types.ts";
import { child, children, parseXml, textOf, type XmlElement } from "../xml.ts";
import {
  drawingInPng,
  drawingInSvg,
  inflatedText,
  MOST_INFLATED,
  textsOfSvg,
  unescaped,
} from "./embedded.ts";
import { type Box, type Connection, isMadeUpName, writeDiagram } from "./writer.ts";

/** Drawings of draw.io, Obsidian and Excalidraw. */
export const loader: Loader = guarded(async (bytes, file) => {
  const inPicture = drawingInPng(bytes);
  // A program may write a picture without its drawing.
  if (inPicture === "") return new MarkdownBuilder().finish();
  const text = inPicture ?? (await bytesToText(bytes, file)).text;
  if (!/^\ufeff?\s*</.test(text)) return loadText(text);
  const root = parseXml(text);
  if (root.name !== "svg") return loadDrawio(root);
  const drawing = drawingInSvg(text, root);
  if (drawing !== undefined) {
    return drawing.startsWith("{") ? loadText(drawing) : loadDrawio(parseXml(drawing));
  }
  const builder = new MarkdownBuilder();
  for (const line of textsOfSvg(root)) builder.paragraph(line);
  return builder.finish();
});

function loadText(text: string): Document {
  if (/^\ufeff?---/.test(text)) return loadExcalidrawNote(text);
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new DocumentError("damaged", "the drawing is not JSON", { cause });
  }
  const fields = recordOf(data);
  if (Array.isArray(fields?.elements)) return loadExcalidraw(fields);
  if (fields?.type === "excalidrawlib") return loadLibrary(fields);
  if (fields !== undefined && (Array.isArray(fields.nodes) || Object.keys(fields).length === 0)) {
    return loadCanvas(fields);
  }
  throw new DocumentError("unsupported", "it is no drawing");
}

// draw.io

function loadDrawio(root: XmlElement): Document {
  const builder = new MarkdownBuilder();
  if (root.name === "mxGraphModel") writeGraph(root, builder, 1);
  else if (root.name !== "mxfile") throw new DocumentError("damaged", "it is no drawing of draw.io");
  let left = MOST_INFLATED;
  const pages = children(root, "diagram");
  for (const [i, page] of pages.entries()) {
    const { name = "" } = page.attributes;
    builder.page(i + 1, undefined, name);
    const shown = !isMadeUpName(name);
    if (shown) builder.heading(1, name);
    const inner = child(page, "mxGraphModel");
    const packed = textOf(page).trim();
    if (inner === undefined && packed !== "") {
      const xml = unpack(packed, left);
      left -= xml.length;
      writeGraph(parseXml(xml), builder, shown ? 2 : 1);
    } else if (inner !== undefined) writeGraph(inner, builder, shown ? 2 : 1);
  }
  return builder.finish(described([["modified", root.attributes.modified]]));
}

/** Returns the XML of a page, which is escaped as in an address, compressed, and in Base64. */
function unpack(packed: string, most: number): string {
  const bytes = fromBase64(packed);
  if (bytes === undefined) throw new DocumentError("damaged", "a page of the drawing is not in Base64");
  return unescaped(inflatedText(bytes, most));
}

/** A cell of a graph with the element that holds its label. */
interface Cell {
  readonly id: string;
  readonly parent: string;
  readonly lines: readonly string[];
  readonly style: string;
  readonly x: number;
  readonly y: number;
  readonly element: XmlElement;
}

function writeGraph(model: XmlElement, builder: MarkdownBuilder, level: number): void {
  const cells = children(child(model, "root")).map(cellOf).filter((cell) => cell !== undefined);
  const inside = Map.groupBy(cells, ({ parent }) => parent);
  const edges = cells.filter(({ element }) => element.attributes.edge === "1");
  const edgeIds = new Set(edges.map(({ id }) => id));
  const inTable = new Set<Cell>();
  const boxes: Box[] = [];
  for (const cell of cells) {
    if (edgeIds.has(cell.id) || edgeIds.has(cell.parent) || inTable.has(cell)) continue;
    const rows = /(?:^|;)shape=table;/.test(cell.style) ? rowsOf(cell, inside) : [];
    for (const row of rows) {
      inTable.add(row.cell);
      for (const one of row.cells) inTable.add(one);
    }
    boxes.push({
      ...cell,
      write: rows.length === 0 ? undefined : () => {
        builder.paragraph(cell.lines.join("\n"));
        const texts = rows.map(({ cell, cells }) =>
          (cells.length === 0 ? [cell] : cells).map(({ lines }) => lines.join(" "))
        );
        if (texts.some((row) => row.some((text) => text !== ""))) builder.table(texts);
      },
    });
  }
  const connections = edges.map((cell): Connection => ({
    from: cell.element.attributes.source ?? "",
    to: cell.element.attributes.target ?? "",
    lines: [...cell.lines, ...taken(inside, cell.id).flatMap(({ lines }) => lines)],
  }));
  writeDiagram(boxes, connections, builder, level);
}

/** Returns a cell. It may be wrapped into an element with its label and data. */
function cellOf(outer: XmlElement): Cell | undefined {
  const element = outer.name === "mxCell" ? outer : child(outer, "mxCell");
  if (element === undefined) return undefined;
  const { id = element.attributes.id ?? "", label, value, tooltip = "" } = outer.attributes;
  const { parent = "", style = "" } = element.attributes;
  const raw = outer.attributes.placeholders === "1" ? filled(outer) : label ?? value ?? "";
  const geometry = child(element, "mxGeometry")?.attributes;
  return {
    id,
    parent,
    lines: [raw, tooltip].flatMap((text) => labelLines(text, style)),
    style,
    x: Number(geometry?.x ?? 0) || 0,
    y: Number(geometry?.y ?? 0) || 0,
    element,
  };
}

/** Returns a label with the values of other attributes in it. Values that are repeated again and again stay names. */
function filled({ attributes }: XmlElement): string {
  let left = 4 * Object.values(attributes).join("").length;
  return (attributes.label ?? "").replace(/%(\w{1,60})%/g, (all, name: string) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name]! : all;
    left -= value.length;
    return left < 0 ? all : value;
  });
}

function labelLines(label: string, style: string): string[] {
  const isHtml = /(?:^|;)html=1/.test(style) || /<(?:br|div|p|b|i|u|font|span)\b[^<>]{0,500}>/i.test(label);
  const lines = isHtml ? htmlLines(label) : label.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

/** Returns the rows of a table with their cells from left to right. Of several with one identifier the first has the cells. */
function rowsOf(table: Cell, inside: Map<string, Cell[]>): { cell: Cell; cells: Cell[] }[] {
  return taken(inside, table.id).filter(({ element, id }) =>
    element.attributes.edge !== "1" && id !== table.id
  )
    .toSorted((a, b) => a.y - b.y)
    .map((cell) => ({ cell, cells: taken(inside, cell.id).toSorted((a, b) => a.x - b.x) }));
}

// Obsidian

/** Most pairs of boxes and groups that are compared. */
const MOST_PAIRS = 20_000_000;

function loadCanvas(data: JsonFields): Document {
  const builder = new MarkdownBuilder();
  const nodes = listOf(data.nodes);
  const groups = nodes.filter(({ type }) => type === "group")
    .toSorted((a, b) => numberIn(a.width) * numberIn(a.height) - numberIn(b.width) * numberIn(b.height));
  const isNested = groups.length * nodes.length <= MOST_PAIRS;
  const boxes = nodes.map((node): Box => {
    const [x, y] = [numberIn(node.x), numberIn(node.y)];
    const middle = [x + numberIn(node.width) / 2, y + numberIn(node.height) / 2] as const;
    const around = isNested
      ? groups.find((group) => group !== node && isWithin(middle, group, node))
      : undefined;
    const text = textIn(node.text);
    return {
      id: textIn(node.id),
      lines: node.type === "text"
        ? text.split("\n").map((line) => line.replace(/^[#\s]+/, ""))
        : [named(node)].filter((name) => name !== ""),
      parent: around === undefined ? undefined : textIn(around.id),
      x,
      y,
      write: node.type === "text" ? (into, level) => writeMarkdown(text, into, level) : undefined,
    };
  });
  const connections = listOf(data.edges).map((edge): Connection => ({
    from: textIn(edge.fromNode),
    to: textIn(edge.toNode),
    lines: [textIn(edge.label)].filter((label) => label !== ""),
  }));
  writeDiagram(boxes, connections, builder, 1);
  return builder.finish();
}

/** Returns whether a point lies in a group that is larger than the box. */
function isWithin([x, y]: readonly [number, number], group: JsonFields, node: JsonFields): boolean {
  const [left, top, width, height] = [group.x, group.y, group.width, group.height].map(numberIn);
  return left! <= x && x <= left! + width! && top! <= y && y <= top! + height! &&
    width! * height! > numberIn(node.width) * numberIn(node.height);
}

/** Returns a group's label, an address, or a link to another note. */
function named(node: JsonFields): string {
  const file = textIn(node.file);
  if (file !== "") return `[[${file}${textIn(node.subpath)}]]`;
  return textIn(node.label) || textIn(node.url);
}

/** Adds Markdown, whose headings become those of the document. */
function writeMarkdown(text: string, builder: MarkdownBuilder, level: number): void {
  const block: string[] = [];
  let fence = "";
  const flush = () => builder.block(block.splice(0).join("\n"));
  for (const line of text.split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === "" && mark !== undefined) fence = mark;
    else if (mark !== undefined && mark.startsWith(fence)) fence = "";
    const heading = fence === "" ? /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line.slice(0, 500)) : null;
    if (heading === null) block.push(line);
    else {
      flush();
      builder.heading(level + heading[1]!.length - 1, heading[2]!);
    }
  }
  if (fence !== "") block.push(fence);
  flush();
}

// Excalidraw

function loadExcalidraw(data: JsonFields): Document {
  const builder = new MarkdownBuilder();
  writeExcalidraw(data.elements, builder, 1);
  return builder.finish();
}

/** Reads a library: drawings to put into others, which have names in its second version. */
function loadLibrary({ libraryItems, library }: JsonFields): Document {
  const builder = new MarkdownBuilder();
  for (const { name, elements } of listOf(libraryItems)) {
    builder.heading(1, textIn(name));
    writeExcalidraw(elements, builder, textIn(name) === "" ? 1 : 2);
  }
  for (const elements of Array.isArray(library) ? library : []) writeExcalidraw(elements, builder, 1);
  return builder.finish();
}

function writeExcalidraw(all: unknown, builder: MarkdownBuilder, level: number): void {
  const elements = listOf(all).filter((one) => one.isDeleted !== true);
  const byId = new Map(elements.map((one) => [textIn(one.id), one]));
  const labels = new Map<string, string[]>();
  const boxes: Box[] = [];
  for (const one of elements) {
    const [id, container] = [textIn(one.id), byId.get(textIn(one.containerId))];
    const text = one.type === "text" ? textIn(one.originalText) || textIn(one.text) : frameName(one);
    const lines = [...text.split("\n"), textIn(one.link)].map((line) => line.trim()).filter((line) =>
      line !== ""
    );
    if (container === undefined) {
      if (one.type !== "arrow" && one.type !== "line") {
        boxes.push({
          id,
          lines,
          parent: textIn(one.frameId) || undefined,
          x: numberIn(one.x),
          y: numberIn(one.y),
        });
      }
    } else kept(labels, textIn(container.id), () => []).push(...lines);
  }
  const named = boxes.map((box) => ({ ...box, lines: [...box.lines, ...taken(labels, box.id)] }))
    .filter(({ lines }) => lines.length > 0);
  const connections = elements.filter(({ type }) => type === "arrow" || type === "line").map((
    arrow,
  ): Connection => ({
    from: textIn(recordOf(arrow.startBinding)?.elementId),
    to: textIn(recordOf(arrow.endBinding)?.elementId),
    lines: taken(labels, textIn(arrow.id)),
  }));
  writeDiagram(named, connections, builder, level);
}

function frameName({ type, name }: JsonFields): string {
  return type === "frame" || type === "magicframe" ? textIn(name) : "";
}

const note = withFrontMatter(loadMarkdown, true);

/** Reads a note of Obsidian that lists the texts of its drawing. The drawing itself is left out. */
function loadExcalidrawNote(text: string): Document {
  const start = /^(?:%%\s*\n)?#{1,2} Drawing\s*$/m.exec(text);
  const listed = start === null ? text : text.slice(0, start.index);
  return note(
    listed.replace(/ \^[\w-]{1,20}$/gm, "").replace(/^#{1,2} (?:Excalidraw Data|Text Elements)\s*$/gm, "")
      // Obsidian shows this line where the plugin is missing.
      .replace(/^==⚠ .{0,500}$/gm, "")
      .trimEnd() + "\n",
  );
}

function numberIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
