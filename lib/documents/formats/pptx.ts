/**
 * Loads PowerPoint presentations (Office Open XML). A slide is a page.
 * Below it: shapes in reading order, placeholders of layouts and masters, text bodies and tables.
 */
import { DocumentError, guarded, kept, type Loader, pairs } from "../types.ts";
import { chosen, Package } from "../office/package.ts";
import { alternative, type BlockSink, MarkdownBuilder } from "../markdown_builder.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml.ts";
import { addGraphic, mathToLatex } from "../office/embedded.ts";
import { addRows, commentLabel, countAs } from "../office/text.ts";

const MOST_SLIDES = 10_000;

/** PowerPoint presentations (Office Open XML). A slide is a page. */
export const loader: Loader = guarded((bytes, name) => {
  const file = new Package(bytes);
  const main = file.main("ppt/presentation.xml");
  const slides = children(child(file.part(main), "p:sldIdLst"), "p:sldId");
  if (slides.length > MOST_SLIDES) throw new DocumentError("too_complex", `it has ${slides.length} slides`);
  const builder = new MarkdownBuilder(name);
  const reader = new SlideReader(file, main);
  const emptyPages: number[] = [];
  for (const [i, { attributes }] of slides.entries()) {
    builder.page(i + 1, "slide");
    const before = builder.length;
    const part = file.target(main, attributes["r:id"])?.target;
    if (part !== undefined) reader.add(part, builder);
    if (builder.length === before) emptyPages.push(i + 1);
  }
  return builder.finish({ ...file.properties(), emptyPages });
});

function authorsOf(file: Package, main: string): Map<string, string> {
  const authors = new Map<string, string>();
  for (const { type, target } of file.relations(main)) {
    if (type !== "commentAuthors" && type !== "authors") continue;
    for (const { attributes } of children(file.part(target))) {
      authors.set(attributes["id"] ?? "", attributes["name"] ?? "");
    }
  }
  return authors;
}

/** Types of placeholders that repeat on every slide. */
const FURNITURE = new Set(["dt", "ftr", "sldNum", "hdr"]);

/** Square points of a slide whose size is not written. */
const USUAL_AREA = 720 * 540;

/** Adds slides: the title as heading, the content in reading order, notes and comments. */
class SlideReader {
  readonly #package: Package;
  /** Square points of a slide. */
  readonly #area: number;
  /** Names of the authors of comments, by id. */
  readonly #authors: ReadonlyMap<string, string>;
  /** The layouts and masters that were read so far. */
  readonly #parts = new Map<string, XmlElement | undefined>();

  constructor(file: Package, main: string) {
    this.#package = file;
    const { cx, cy } = child(file.part(main), "p:sldSz")?.attributes ?? {};
    const area = Number(cx) * Number(cy) / EMU ** 2;
    this.#area = area > 0 ? area : USUAL_AREA;
    this.#authors = authorsOf(file, main);
  }

  add(part: string, builder: MarkdownBuilder): void {
    const slide = this.#package.part(part);
    const layouts = this.#layoutsOf(part);
    const shapes = shapesOf(child(slide, "p:cSld", "p:spTree"));
    const isTitle = (shape: XmlElement) => /^(?:title|ctrTitle)$/.test(placeholder(shape)?.type ?? "");
    const title = shapes.find((shape) => isTitle(shape) && bodyText(child(shape, "p:txBody")) !== "");
    if (title !== undefined) builder.heading(1, bodyText(child(title, "p:txBody")));
    const show = slide?.attributes["show"];
    if (show === "0" || show === "false") builder.paragraph("(hidden slide)");
    let last = START;
    // A shape without a position follows the one before it.
    const placed = (shape: XmlElement) => last = positionOf(shape, layouts) ?? last;
    for (const shape of inReadingOrder(shapes.filter((one) => one !== title), placed)) {
      this.#shape(shape, { part, layouts, scaling: UNSCALED }, builder);
    }
    this.#notes(part, builder);
    this.#comments(part, builder);
  }

  /** Returns the layout and the master of a slide, whose placeholders it inherits. */
  #layoutsOf(slide: string): readonly XmlElement[] {
    const layout = this.#package.related(slide, "slideLayout");
    const master = layout === undefined ? undefined : this.#package.related(layout, "slideMaster");
    return [layout, master].filter((name) => name !== undefined)
      .map((name) => kept(this.#parts, name, () => this.#package.part(name)))
      .filter((one) => one !== undefined);
  }

  #shape(shape: XmlElement, slide: Slide, builder: MarkdownBuilder): void {
    const { part, layouts, scaling } = slide;
    const isFurniture = FURNITURE.has(placeholder(shape)?.type ?? "");
    if (isFurniture) return;
    switch (shape.name) {
      case "p:sp": {
        const filling = child(shape, "p:spPr", "a:blipFill");
        // A tile is a pattern.
        if (child(filling, "a:stretch") !== undefined) this.#picture(shape, filling, slide, builder);
        return addBody(child(shape, "p:txBody"), bulletsOf(shape, layouts), builder);
      }
      case "p:pic":
        // The last of alternatives is the one that all programs can show.
        return this.#picture(shape, descendants(shape, "p:blipFill").at(-1), slide, builder);
      case "p:grpSp": {
        const inner = { ...slide, scaling: scalingIn(shape, scaling) };
        for (const one of inReadingOrder(shapesOf(shape), (inner) => positionOf(inner, []) ?? START)) {
          this.#shape(one, inner, builder);
        }
        return;
      }
      case "p:graphicFrame":
        for (const one of children(child(shape, "a:graphic", "a:graphicData"))) {
          const preview = descendants(one, "p:pic")[0];
          if (one.name === "a:tbl") addTable(one, builder);
          // An embedded document of another program is shown by its picture.
          else if (preview !== undefined) {
            this.#picture(shape, child(preview, "p:blipFill"), slide, builder);
          } else addGraphic(one, { file: this.#package, part }, builder);
        }
    }
  }

  #picture(
    shape: XmlElement,
    filling: XmlElement | undefined,
    { part, layouts, scaling }: Slide,
    builder: MarkdownBuilder,
  ): void {
    const blip = child(filling, "a:blip")?.attributes;
    const place = positionOf(shape, layouts);
    const box = place === undefined ? undefined : {
      left: (scaling.x.by * place.x + scaling.x.plus) / EMU,
      top: (scaling.y.by * place.y + scaling.y.plus) / EMU,
      width: scaling.x.by * place.width / EMU,
      height: scaling.y.by * place.height / EMU,
    };
    const about = children(shape).map((one) => child(one, "p:cNvPr")).find((one) => one !== undefined);
    const text = alternative(about?.attributes["descr"] ?? "");
    if (blip === undefined && text === undefined) return;
    builder.image(text, {
      ...this.#package.picture(part, blip?.["r:embed"], blip?.["r:link"]),
      box,
      share: box && box.width * box.height / this.#area,
    });
  }

  /** Adds the speaker's notes. */
  #notes(part: string, builder: MarkdownBuilder): void {
    const notes = this.#package.part(this.#package.related(part, "notesSlide"));
    for (const shape of shapesOf(child(notes, "p:cSld", "p:spTree"))) {
      if (placeholder(shape)?.type === "body") addBody(child(shape, "p:txBody"), () => "none", builder);
    }
  }

  /** Adds comments of both kinds: those of PowerPoint until 2019, and threaded ones. */
  #comments(part: string, builder: MarkdownBuilder): void {
    for (const { type, target } of this.#package.relations(part)) {
      if (type !== "comments") continue;
      const add = (comment: XmlElement, text: string) => {
        const { authorId = "", dt, created } = comment.attributes;
        const line = text.replace(/\s+/g, " ").trim();
        if (line !== "") builder.block(`${commentLabel(this.#authors.get(authorId), dt ?? created)} ${line}`);
      };
      for (const comment of children(this.#package.part(target))) {
        if (comment.name === "p:cm") add(comment, textOf(child(comment, "p:text")));
        else if (comment.name === "p188:cm") {
          add(comment, bodyText(child(comment, "p188:txBody")));
          for (const reply of descendants(comment, "p188:reply")) {
            add(reply, bodyText(child(reply, "p188:txBody")));
          }
        }
      }
    }
  }
}

/** Returns the shapes of a tree or group, and of alternatives the first that has shapes: drawings by hand have none. */
function shapesOf(tree: XmlElement | undefined): XmlElement[] {
  const visit = (one: XmlElement): XmlElement[] =>
    one.name === "mc:AlternateContent"
      ? children(one).map((part) => children(part).flatMap(visit)).find(({ length }) => length > 0) ?? []
      : /^p:(?:sp|pic|grpSp|graphicFrame)$/.test(one.name)
      ? [one]
      : [];
  return children(tree).flatMap(visit);
}

/** A slide whose shapes are read, its layout and master, and the scaling of the group that a shape is in. */
interface Slide {
  readonly part: string;
  readonly layouts: readonly XmlElement[];
  readonly scaling: Scaling;
}

/** Turns coordinates in a group into those of the slide: x' = by · x + plus. */
interface Scaling {
  readonly x: { readonly by: number; readonly plus: number };
  readonly y: { readonly by: number; readonly plus: number };
}
const UNSCALED: Scaling = { x: { by: 1, plus: 0 }, y: { by: 1, plus: 0 } };

/** Returns the scaling in a group, which itself is in a group with the scaling `outer`. */
function scalingIn(group: XmlElement, outer: Scaling): Scaling {
  const frame = child(group, "p:grpSpPr", "a:xfrm");
  const along = (axis: "x" | "y") => {
    const number = (name: string, key: string) => Number(child(frame, name)?.attributes[key]);
    const by = number("a:ext", `c${axis}`) / number("a:chExt", `c${axis}`);
    const plus = number("a:off", axis) - by * number("a:chOff", axis);
    const { by: outerBy, plus: outerPlus } = outer[axis];
    return Number.isFinite(plus) ? { by: outerBy * by, plus: outerBy * plus + outerPlus } : outer[axis];
  };
  return { x: along("x"), y: along("y") };
}

/** Position of a shape, in EMU, on its slide or in its group. */
interface Position {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
const START: Position = { x: 0, y: 0, width: 0, height: 0 };
/** EMU in a point. */
const EMU = 12_700;

/** Returns the placeholder that a shape fills, if any. */
function placeholder(shape: XmlElement): { readonly type: string; readonly index: string } | undefined {
  for (const part of children(shape)) {
    const found = child(part, "p:nvPr", "p:ph");
    if (found !== undefined) {
      return { type: found.attributes["type"] ?? "body", index: found.attributes["idx"] ?? "0" };
    }
  }
  return undefined;
}

/** Returns the placeholders that a shape inherits from: the layout's by index or type, the master's by type. */
function inherited(shape: XmlElement, layouts: readonly XmlElement[]): XmlElement[] {
  const wanted = placeholder(shape);
  if (wanted === undefined) return [];
  const type = sameType(wanted.type);
  return layouts.flatMap((layout) => {
    const all = children(child(layout, "p:cSld", "p:spTree"), "p:sp").map((one) => ({
      one,
      ph: placeholder(one),
    }));
    const byIndex = layout.name === "p:sldLayout" && wanted.index !== "0"
      ? all.find(({ ph }) => ph?.index === wanted.index)
      : undefined;
    const found = byIndex ?? all.find(({ ph }) => ph !== undefined && sameType(ph.type) === type);
    return found === undefined ? [] : [found.one];
  });
}

/** Returns the bullets of a shape's text, from its own styles up to those of the master. */
function bulletsOf(shape: XmlElement, layouts: readonly XmlElement[]): Bullets {
  const ph = placeholder(shape);
  const styles = [shape, ...inherited(shape, layouts)].map((one) => child(one, "p:txBody", "a:lstStyle"));
  const isBody = ph !== undefined && (ph.type === "body" || ph.type === "obj");
  if (isBody) styles.push(child(layouts.at(-1), "p:txStyles", "p:bodyStyle"));
  const known = new Map<number, Bullet>();
  const bulletAt = (level: number) =>
    styles.map((one) => styledBullet(one, level)).find((bullet) => bullet !== undefined) ?? "none";
  return (level) => kept(known, level, () => bulletAt(level));
}

/** Returns the position of a shape, or else that of the placeholder it fills. */
function positionOf(shape: XmlElement, layouts: readonly XmlElement[]): Position | undefined {
  for (const one of [shape, ...inherited(shape, layouts)]) {
    const frame = child(one, "p:spPr", "a:xfrm") ?? child(one, "p:xfrm") ?? child(one, "p:grpSpPr", "a:xfrm");
    const [from, size] = [child(frame, "a:off")?.attributes, child(frame, "a:ext")?.attributes];
    const [x, y] = [Number(from?.["x"]), Number(from?.["y"])];
    if (Number.isFinite(x) && Number.isFinite(y)) {
      return { x, y, width: Number(size?.["cx"]) || 0, height: Number(size?.["cy"]) || 0 };
    }
  }
  return undefined;
}

function sameType(type: string): string {
  return type === "ctrTitle" ? "title" : type === "obj" || type === "subTitle" ? "body" : type;
}

/** Beginning of the paragraphs of a level: a bullet, a number in this format, or nothing. */
type Bullet = "none" | "bullet" | { readonly format: string; readonly start: number };

/** Returns the bullet of a level, from the innermost list of styles that defines it. */
type Bullets = (level: number) => Bullet;

/** Adds the paragraphs of a text body (`p:txBody`, `a:txBody`). */
function addBody(body: XmlElement | undefined, bullets: Bullets, sink: BlockSink): void {
  const counts: number[] = [];
  for (const paragraph of children(body, "a:p")) {
    const text = paragraphText(paragraph);
    const properties = child(paragraph, "a:pPr");
    const level = Math.max(0, Math.min(8, Number(properties?.attributes["lvl"] ?? 0) || 0));
    const bullet = bulletOf(properties) ?? bullets(level);
    if (text.trim() === "") continue;
    counts.length = Math.min(counts.length, level + 1);
    if (bullet === "none") {
      counts.length = Math.min(counts.length, level);
      sink.paragraph(text);
    } else if (bullet === "bullet") sink.item({ depth: level, text });
    else {
      const count = counts[level] ?? bullet.start;
      counts[level] = count + 1;
      const label = countAs(count, bullet.format);
      if (label === String(count)) sink.item({ depth: level, number: count, text });
      else sink.item({ depth: level, text: `${label}. ${text}` });
    }
  }
}

/** Returns the text of a paragraph, including line breaks. */
function paragraphText(paragraph: XmlElement): string {
  const parts: string[] = [];
  const visit = (element: XmlElement) => {
    if (element.name === "a:t") parts.push(textOf(element));
    else if (element.name === "a:br") parts.push("\n");
    else if (element.name === "m:oMath") parts.push(`$${mathToLatex(element)}$`);
    // The number of a slide and the date are not text.
    else if (element.name === "a:fld" && /^(?:slidenum|datetime)/.test(element.attributes["type"] ?? "")) {
      return;
    } else if (element.name === "mc:AlternateContent") chosen(element).forEach(visit);
    else if (!element.name.endsWith("Pr")) children(element).forEach(visit);
  };
  visit(paragraph);
  return parts.join("").replace(/[\t\v]/g, " ");
}

/** Returns all text of a body on one line. */
function bodyText(body: XmlElement | undefined): string {
  return children(body, "a:p").map(paragraphText).join(" ").replace(/\s+/g, " ").trim();
}

/** Formats of numbers by the start of their name. */
const NUMBERINGS = Object.entries(pairs(
  "alphaLc lowerLetter alphaUc upperLetter romanLc lowerRoman romanUc upperRoman",
  "ea1Chs chineseCounting ea1Cht chineseCounting ea1Jpn chineseCounting",
));

/** Returns the bullet that paragraph properties set, if any. */
function bulletOf(properties: XmlElement | undefined): Bullet | undefined {
  for (const { name, attributes } of children(properties)) {
    if (name === "a:buNone") return "none";
    if (name === "a:buChar" || name === "a:buBlip") return "bullet";
    if (name === "a:buAutoNum") {
      const type = attributes["type"] ?? "";
      const format = NUMBERINGS.find(([start]) => type.startsWith(start))?.[1] ?? "decimal";
      return { format, start: Number(attributes["startAt"] ?? 1) || 1 };
    }
  }
  return undefined;
}

/** Returns the bullet that a list of styles (`a:lstStyle`, `p:bodyStyle`) defines for a level, if any. */
function styledBullet(styles: XmlElement | undefined, level: number): Bullet | undefined {
  return bulletOf(child(styles, `a:lvl${level + 1}pPr`));
}

/**
 * Adds a table (`a:tbl`). The text of a merged cell is repeated in every position that it covers, but appears once if it
 * spans the whole row.
 */
function addTable(table: XmlElement, sink: BlockSink): void {
  const rows: string[][] = [];
  for (const row of children(table, "a:tr")) {
    const line: string[] = [];
    const cells = children(row, "a:tc");
    const above = rows.at(-1) ?? [];
    const whole = Number(cells[0]?.attributes["gridSpan"] ?? 1) >= cells.length && cells.length > 1;
    for (const [i, cell] of cells.entries()) {
      const { hMerge, vMerge } = cell.attributes;
      if (hMerge === "1" || hMerge === "true") line.push(whole ? "" : line[i - 1] ?? "");
      else if (vMerge === "1" || vMerge === "true") line.push(above[i] ?? "");
      else line.push(bodyText(descendants(cell, "a:txBody")[0]));
    }
    rows.push(line);
  }
  addRows(sink, rows);
}

/**
 * Returns shapes from top to bottom, and those in one row from left to right. Two shapes share a row if more than half of the
 * height of the larger one lies beside the first of the row.
 */
function inReadingOrder(
  shapes: readonly XmlElement[],
  positionOf: (shape: XmlElement) => Position,
): XmlElement[] {
  const sorted = shapes.map((shape) => ({ shape, position: positionOf(shape) }))
    .sort((a, b) => a.position.y - b.position.y);
  const rows: (typeof sorted)[] = [];
  for (const one of sorted) {
    const first = rows.at(-1)?.[0]?.position;
    const overlap = first === undefined ? 0 : first.y + first.height - one.position.y;
    const isBeside = first !== undefined &&
      (one.position.y === first.y || overlap > Math.max(first.height, one.position.height) / 2);
    if (isBeside) rows.at(-1)!.push(one);
    else rows.push([one]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.position.x - b.position.x)).map(({ shape }) => shape);
}
