/**
 * Reads the content of an OFD page: runs of text by direction, and ruling lines, in the form of the pages of a PDF.
 * Below it: the positions of characters, arrays of numbers, and paths.
 */
import { apply, combine, type Matrix, quarterTurns, uprightMatrix } from "../pdfjs.ts";
import {
  CJK,
  cleanText,
  type Face,
  linesOf,
  type PageContent,
  type PageLayer,
  type Run,
  textOf as lineText,
} from "../pdf/lines.ts";
import type { PdfPicture } from "../pdf/pictures.ts";
import type { PictureSource } from "../pictures/types.ts";
import { addBars, addSegments, faceOf, MOST_RULES } from "../pdf/read_page.ts";
import { DocumentError, kept } from "../types.ts";
import { child, children, textOf, type XmlElement } from "../xml.ts";

/** Names and drawings that the pages of a document refer to, by identifier. */
export interface Resources {
  /** Names of fonts. */
  readonly fonts: ReadonlyMap<string, string>;
  /** Drawings that are used in several places. */
  readonly drawings: ReadonlyMap<string, XmlElement>;
  readonly pictures: ReadonlyMap<string, PictureSource>;
}

/** The content of a page, with its pictures. */
export interface OfdPage extends PageContent {
  readonly pictures: readonly PdfPicture[];
}

/** Points in a millimetre, the unit of OFD. */
const POINTS = 72 / 25.4;
const MILLIMETRES: Matrix = [POINTS, 0, 0, POINTS, 0, 0];
/** Most parts on a page, with those of its templates, drawings and annotations; and in the file, whose pages may share them. */
const MOST = {
  objects: { page: 200_000, file: 5_000_000 },
  "pieces of text": { page: 100_000, file: 2_000_000 },
  characters: { page: 2_000_000, file: 20_000_000 },
} as const;
/** Deepest nesting of groups and drawings. */
const DEEPEST = 30;
/** Height of A4, for pages that do not state theirs. */
const USUAL_HEIGHT = 297;

/** Counts the parts of the pages of a file. Throws {@linkcode DocumentError} `too_complex` at a limit. */
export class PartCount {
  readonly #inFile = new Map<keyof typeof MOST, number>();
  readonly #onPage = new Map<keyof typeof MOST, number>();

  startPage(): void {
    this.#onPage.clear();
  }

  add(kind: keyof typeof MOST, more: number): void {
    for (const [place, counts] of [["page", this.#onPage], ["file", this.#inFile]] as const) {
      const count = (counts.get(kind) ?? 0) + more;
      counts.set(kind, count);
      if (count > MOST[kind][place]) {
        const subject = place === "page" ? "a page of the OFD file" : "the OFD file";
        throw new DocumentError("too_complex", `${subject} has more than ${MOST[kind][place]} ${kind}`);
      }
    }
  }
}

/**
 * Returns the content of a page. `roots`: its templates, then the page. `area`: the element with its size. The
 * texts of annotations follow the page, since they lie over it.
 */
export function contentOf(
  roots: readonly XmlElement[],
  annotations: readonly XmlElement[],
  area: XmlElement | undefined,
  resources: Resources,
  count: PartCount,
): OfdPage {
  count.startPage();
  const page = new PageReader(resources, count);
  for (const root of roots) {
    for (const layer of children(child(root, "ofd:Content"), "ofd:Layer")) page.add(layer, MILLIMETRES, 0);
  }
  const annotated = annotations.map((annotation) => {
    const reader = new PageReader(resources, count);
    for (const shown of children(annotation, "ofd:Appearance")) reader.addObject(shown, MILLIMETRES, 0);
    const lines = reader.layers().flatMap(({ runs }) => linesOf(runs)).map(lineText);
    const remark = textOf(child(annotation, "ofd:Remark")).trim();
    count.add("characters", remark.length);
    return [...lines, ...(lines.includes(remark) ? [] : [remark])].join("\n").trim();
  });
  const [, , , height = USUAL_HEIGHT] = numbers(textOf(child(area, "ofd:PhysicalBox")));
  const { pictures } = page;
  return { height: height * POINTS, layers: page.layers(), annotations: annotated, pictures };
}

/** The text and the ruling lines in one direction. */
interface OpenLayer {
  readonly upright: Matrix;
  readonly runs: Run[];
  characters: number;
}

/** A path and the transformation that it is drawn under. */
interface Path {
  readonly data: Float32Array;
  readonly matrix: Matrix;
  readonly stroked: boolean;
}

class PageReader {
  readonly pictures: PdfPicture[] = [];
  readonly #resources: Resources;
  readonly #faces = new Map<string, Face>();
  readonly #layers = new Map<string, OpenLayer>();
  readonly #paths: Path[] = [];
  readonly #count: PartCount;

  constructor(resources: Resources, count: PartCount) {
    this.#resources = resources;
    this.#count = count;
  }

  /** Adds the objects in a layer, a group or a drawing. */
  add(parent: XmlElement, matrix: Matrix, depth: number): void {
    if (depth > DEEPEST) return;
    for (const object of children(parent)) {
      if (object.attributes.Visible === "false") continue;
      this.#count.add("objects", 1);
      if (object.name === "ofd:TextObject") this.#addText(object, placed(object, matrix));
      else if (object.name === "ofd:ImageObject") this.#addPicture(object, matrix);
      else if (object.name === "ofd:PathObject") this.#addPath(object, placed(object, matrix), depth);
      else if (object.name === "ofd:CompositeObject") {
        const drawing = this.#resources.drawings.get(object.attributes.ResourceID ?? "");
        if (drawing !== undefined) {
          this.add(child(drawing, "ofd:Content") ?? drawing, placed(object, matrix), depth + 1);
        }
      } else if (object.name === "ofd:PageBlock") this.addObject(object, matrix, depth);
    }
  }

  /** Adds the objects in a group that has a place of its own. */
  addObject(group: XmlElement, matrix: Matrix, depth: number): void {
    this.add(group, placed(group, matrix), depth + 1);
  }

  /** Returns the content by direction, the most frequent direction first. */
  layers(): PageLayer[] {
    const layers = [...this.#layers.values()].sort((a, b) => b.characters - a.characters);
    return layers.map(({ upright, runs }) => ({ runs, rules: this.#rules(upright) }));
  }

  #rules(upright: Matrix): PageLayer["rules"] {
    const rules: { left: number; top: number; right: number; bottom: number }[] = [];
    for (const { data, matrix, stroked } of this.#paths) {
      (stroked ? addSegments : addBars)(rules, data, combine(upright, matrix));
      if (rules.length > MOST_RULES) return [];
    }
    return rules;
  }

  #addText(object: XmlElement, matrix: Matrix): void {
    const size = Number(object.attributes.Size ?? "") || 3.5;
    const name = this.#resources.fonts.get(object.attributes.Font ?? "") ?? "";
    const face = kept(this.#faces, name, () => faceOf(name));
    const bold = Number(object.attributes.Weight ?? "400") >= 600;
    const shown = bold || object.attributes.Italic === "true"
      ? kept(
        this.#faces,
        `${name} ${bold}`,
        () => ({ ...face, bold, italic: object.attributes.Italic === "true" }),
      )
      : face;
    let [x, y] = [0, 0];
    for (const code of children(object, "ofd:TextCode")) {
      // A position that is left out is that of the code before.
      x = numbers(code.attributes.X)[0] ?? x;
      y = numbers(code.attributes.Y)[0] ?? y;
      this.#count.add("characters", textOf(code).length);
      for (const piece of piecesOf(code, x, y, size)) this.#addRun(piece, matrix, size, shown);
    }
  }

  #addRun(
    { text, from, to, vertical, blankLeft, blankRight }: Glyphs,
    matrix: Matrix,
    em: number,
    face: Face,
  ): void {
    this.#count.add("pieces of text", 1);
    const turns = vertical ? 1 : quarterTurns(matrix);
    const layer = kept(this.#layers, vertical ? "vertical" : `${turns}`, () => ({
      upright: uprightMatrix(turns),
      runs: [],
      characters: 0,
    }));
    const whole = combine(layer.upright, matrix);
    const [left, line] = apply(whole, ...from);
    const [right] = apply(whole, ...to);
    const size = em * (vertical ? Math.hypot(whole[0], whole[1]) : Math.hypot(whole[2], whole[3]));
    const isValid = [left, right, line, size].every((value) =>
      Number.isFinite(value) && Math.abs(value) < 1e6
    );
    if (!isValid || size === 0) return;
    // The glyphs of vertical text are centred on their line.
    const baseline = vertical ? line + 0.35 * size : line;
    layer.characters += text.length;
    layer.runs.push({
      text,
      left: Math.min(left, right),
      right: Math.max(left, right),
      top: baseline - 0.8 * size,
      bottom: baseline + 0.2 * size,
      baseline,
      size,
      face,
      rtl: false,
      blankLeft,
      blankRight,
    });
  }

  #addPicture(object: XmlElement, outer: Matrix): void {
    const [, , width = 0, height = 0] = numbers(object.attributes.Boundary);
    const matrix = placed(object, outer);
    // The transformation of a picture makes it as large as it is from a square of one unit.
    const [right, bottom] = object.attributes.CTM === undefined ? [width, height] : [1, 1];
    const corners = [[0, 0], [right, 0], [0, bottom], [right, bottom]].map(([x, y]) => apply(matrix, x!, y!));
    const xs = corners.map(([x]) => x), ys = corners.map(([, y]) => y);
    const on = {
      left: Math.min(...xs),
      top: Math.min(...ys),
      right: Math.max(...xs),
      bottom: Math.max(...ys),
    };
    if (!Object.values(on).every(Number.isFinite)) return;
    const box = { left: on.left, top: on.top, width: on.right - on.left, height: on.bottom - on.top };
    this.pictures.push({ ...this.#resources.pictures.get(object.attributes.ResourceID ?? ""), on, box });
  }

  #addPath(object: XmlElement, matrix: Matrix, depth: number): void {
    // A pattern that fills the path may contain text, as watermarks do.
    for (const fill of children(object, "ofd:FillColor")) {
      const pattern = child(fill, "ofd:Pattern", "ofd:CellContent");
      if (pattern !== undefined) this.add(pattern, matrix, depth + 1);
    }
    if (this.#paths.length > MOST_RULES) return;
    const data = pathOf(textOf(child(object, "ofd:AbbreviatedData")));
    const { Stroke = "true", Fill = "false" } = object.attributes;
    if (Stroke !== "false" || Fill === "true") {
      this.#paths.push({ data, matrix, stroked: Stroke !== "false" });
    }
  }
}

/** Returns the transformation of what an object contains: its place on the page after its own transformation. */
function placed({ attributes }: XmlElement, outer: Matrix): Matrix {
  const [x = 0, y = 0] = numbers(attributes.Boundary);
  const own = numbers(attributes.CTM);
  const matrix = combine(outer, [1, 0, 0, 1, x, y]);
  return own.length === 6 ? combine(matrix, own as unknown as Matrix) : matrix;
}

/** Characters that stand side by side. */
interface Glyphs {
  readonly text: string;
  /** Start and end of the text on its baseline, in the space of the object. */
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  /** Whether upright characters stand one below the other. */
  readonly vertical: boolean;
  readonly blankLeft: boolean;
  readonly blankRight: boolean;
}

/** Gap between characters, in font sizes, at which a text is divided: the next one may be in another column. */
const GAP = 0.6;

/** Yields the characters of a code, divided where they are far from each other. */
function* piecesOf(code: XmlElement, x: number, y: number, size: number): Generator<Glyphs, void, undefined> {
  const text = textOf(code).replace(/^\s*\n\s*|\s*\n\s*$/g, "").replace(/\s*\n\s*/g, " ");
  const dx = deltas(code.attributes.DeltaX, text.length), dy = deltas(code.attributes.DeltaY, text.length);
  // The distance after the last character leads to no other one. A code of several lines goes back at the end of each.
  const sum = (list: readonly number[]) =>
    list.slice(0, text.length - 1).reduce((all, one) => all + Math.abs(one), 0);
  const vertical = sum(dy) > sum(dx);
  let [open, isOpen, blank] = ["", false, false];
  let start: [number, number] = [x, y], end: [number, number] = [x, y];
  function* close(next: boolean): Generator<Glyphs, void, undefined> {
    const shown = cleanText(open).trim();
    if (shown !== "") {
      yield { text: shown, from: start, to: end, vertical, blankLeft: blank, blankRight: next };
    }
    blank = next;
    open = "";
    isOpen = false;
  }
  let index = 0;
  for (const char of text) {
    const wide = CJK.test(char) ? size : 0.5 * size;
    const advance: [number, number] = [
      dx[index] ?? (vertical || dy[index] !== undefined ? 0 : wide),
      dy[index] ?? (vertical ? size : 0),
    ];
    index++;
    // Blanks at the ends of a piece do not count for its place.
    if (/\s/.test(char) && !isOpen) blank = true;
    else {
      if (!isOpen) start = [x, y];
      isOpen = true;
      open += char;
    }
    if (!/\s/.test(char)) {
      const long = Math.min(vertical ? advance[1] : advance[0], wide) || wide;
      end = vertical ? [x, y + long] : [x + long, y];
    }
    const gap = vertical ? Math.abs(advance[1]) - size : Math.abs(advance[0]) - wide;
    x += advance[0];
    y += advance[1];
    const isNextLine = Math.abs(vertical ? advance[0] : advance[1]) > GAP * size;
    if (isOpen && (gap > GAP * size || isNextLine)) yield* close(/\s/.test(char));
  }
  yield* close(/\s/.test(open.at(-1) ?? ""));
}

/** Returns numbers that are separated by blanks. */
function numbers(text = ""): number[] {
  return text.split(/[\s,]+/).filter((part) => part !== "").map(Number).filter(Number.isFinite);
}

/** Returns the distances between characters. `g 3 2.5` stands for three times 2.5. `most`: that are needed. */
function deltas(text = "", most: number): number[] {
  const parts = text.trim().split(/[\s,]+/).slice(0, 3 * most + 3);
  const list: number[] = [];
  for (let i = 0; i < parts.length && list.length < most; i++) {
    if (parts[i] !== "g") list.push(Number(parts[i]) || 0);
    else {
      const times = Math.min(Number(parts[++i]) || 0, most - list.length);
      const value = Number(parts[++i]) || 0;
      for (let k = 0; k < times; k++) list.push(value);
    }
  }
  return text.trim() === "" ? [] : list;
}

/** The operators of OFD's paths: their number in pdf.js, and how many coordinates follow. */
const OPERATORS: Readonly<Record<string, readonly [number, number]>> = {
  S: [0, 2],
  M: [0, 2],
  L: [1, 2],
  B: [2, 6],
  Q: [3, 4],
  C: [4, 0],
};
const LONGEST_PATH = 20_000;

/** Returns a path in the numbers of pdf.js; empty if it has curves or is long, so that it draws no table. */
function pathOf(text: string): Float32Array {
  if (text.length > LONGEST_PATH) return new Float32Array();
  const path: number[] = [];
  const parts = text.trim().split(/[\s,]+/);
  for (let i = 0; i < parts.length;) {
    const operator = OPERATORS[parts[i++]!];
    if (operator === undefined) return new Float32Array();
    const [number, count] = operator;
    path.push(number, ...parts.slice(i, i + count).map(Number));
    i += count;
  }
  return path.every(Number.isFinite) ? new Float32Array(path) : new Float32Array();
}
