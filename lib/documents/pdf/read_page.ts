/**
 * Reads the content of a page from pdf.js: runs of text by direction, with faces and links, and ruling lines.
 * Below it: text layers, links, form fields, right-to-left words, ruling lines, and names of fonts.
 */
import type { PDFPageProxy } from "unpdf/pdfjs";
import { DocumentError, given, kept } from "../types.ts";
import { type Box, CJK, cleanText, type Face, least, type PageContent, type Run } from "./lines.ts";
import {
  apply,
  boxAround,
  combine,
  type Matrix,
  type OperatorList,
  type Operators,
  placedOperators,
  quarterTurns,
  uprightMatrix,
} from "../pdfjs.ts";

/** Most text items on a page. */
const MOST_ITEMS = 100_000;

type TextContent = Awaited<ReturnType<PDFPageProxy["getTextContent"]>>;

/** Reads the content of a page, and frees the memory that pdf.js keeps for it. `faces` caches the fonts of the document. */
export async function readPage(
  page: PDFPageProxy,
  ops: Operators,
  faces: Map<string, Face>,
): Promise<PageContent> {
  try {
    const viewport = page.getViewport({ scale: 1 });
    const base = viewport.transform as unknown as Matrix;
    const { content, styles } = await readText(page);
    const operators = await page.getOperatorList();
    const annotations: Annotation[] = await page.getAnnotations();
    const items = [...content, ...filledIn(annotations)];
    const layers = textLayers(items, {
      base,
      isVertical: (fontName) => styles[fontName]?.vertical === true,
      faceOf: (fontName) => faceNamed(page, fontName, faces),
      links: linkAreas(annotations),
      words: items.some(({ dir }) => dir === "rtl") ? turnedWords(operators, ops) : new Map(),
    });
    return {
      height: viewport.height,
      layers: layers.map(({ runs, matrix }) => ({ runs, rules: rulesOf(operators, ops, matrix) })),
    };
  } finally {
    page.cleanup();
  }
}

/** Returns the text of a page. Throws if there are too many items, before all of them are read. */
async function readText(page: PDFPageProxy): Promise<{ content: TextItem[]; styles: TextContent["styles"] }> {
  const reader = page.streamTextContent().getReader();
  const content: TextItem[] = [];
  const styles: TextContent["styles"] = {};
  while (true) {
    const { done, value } = await reader.read() as ReadableStreamReadResult<TextContent>;
    if (done) return { content, styles };
    Object.assign(styles, value.styles);
    for (const item of value.items) content.push(item as unknown as TextItem);
    if (content.length > MOST_ITEMS) {
      await reader.cancel(new Error("too many")).catch(() => {});
      throw new DocumentError(
        "too_complex",
        `a page of the PDF holds more than ${MOST_ITEMS} pieces of text`,
      );
    }
  }
}

/** Returns the face of a font. pdf.js knows it after the operators of the page are read. */
function faceNamed(page: PDFPageProxy, fontName: string, faces: Map<string, Face>): Face {
  return kept(faces, fontName, () => {
    const font = page.commonObjs.has(fontName) ? page.commonObjs.get(fontName) : undefined;
    return faceOf(typeof font?.name === "string" ? font.name : "");
  });
}

/** The fields of an item in the text content of pdf.js that the loader uses. */
interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  readonly transform: Matrix;
  readonly fontName: string;
}

/** Input for reading the items of a page. */
interface TextContext {
  /** Transformation from the space of the file to that of the page, where y grows downwards. */
  readonly base: Matrix;
  readonly isVertical: (fontName: string) => boolean;
  readonly faceOf: (fontName: string) => Face;
  /** Rectangles of links in the space of the file. */
  readonly links: readonly LinkArea[];
  /** Words with reversed ligatures, mapped to the correct words. */
  readonly words: ReadonlyMap<string, string>;
}

/** Greatest valid size or position, in points. */
const FARTHEST_VALUE = 1e6;

/** Returns the text of a page by direction, the most frequent direction first. */
function textLayers(items: readonly TextItem[], context: TextContext): Layer[] {
  const layers = new Map<string, Layer>();
  for (const item of items) {
    if (typeof item.str !== "string") continue;
    const vertical = context.isVertical(item.fontName);
    const turns = vertical ? 1 : quarterTurns(combine(context.base, item.transform));
    const key = vertical ? "vertical" : `${turns}`;
    const upright = combine(uprightMatrix(turns), context.base);
    kept(layers, key, () => new Layer(upright, vertical, context)).add(item);
  }
  return [...layers.values()].sort((a, b) => b.characters - a.characters);
}

/** Text in one direction. */
class Layer {
  /** Transformation from the space of the file to one in which the text is upright. */
  readonly matrix: Matrix;
  readonly vertical: boolean;
  readonly context: TextContext;
  readonly runs: Run[] = [];
  characters = 0;
  readonly #areas: LinkArea[];
  /** Whether the file has a separate blank after the last run. */
  #blank = false;

  constructor(matrix: Matrix, vertical: boolean, context: TextContext) {
    this.matrix = matrix;
    this.vertical = vertical;
    this.context = context;
    this.#areas = context.links.map(({ url, left, top, right, bottom }) => ({
      url,
      ...boxAround([apply(matrix, left, top), apply(matrix, right, bottom)]),
    }));
  }

  add(item: TextItem): void {
    const text = cleanText(item.str);
    if (text.trim() === "") {
      this.#blank ||= text !== "";
      return;
    }
    const run = this.#runOf(item, text);
    if (run === undefined) return;
    this.#blank = false;
    this.characters += text.length;
    this.runs.push(...splitByLinks(run, this.#areas));
  }

  #runOf({ transform, width, height, dir, fontName }: TextItem, text: string): Run | undefined {
    const [a, b, c, d, x, y] = combine(this.matrix, transform);
    const size = this.vertical ? Math.hypot(a, b) : Math.hypot(c, d);
    const length = Math.abs(this.vertical ? height : width);
    if (
      ![x, y, size, length].every((value) => Number.isFinite(value) && Math.abs(value) < FARTHEST_VALUE) ||
      size === 0
    ) return;
    const rtl = dir === "rtl";
    // The glyphs of vertical text are centred on their line.
    const baseline = this.vertical ? y + 0.35 * size : y;
    const last = this.runs.at(-1);
    const blank = this.#blank && last !== undefined && Math.abs(last.baseline - baseline) < 0.5 * size;
    return {
      text: rtl ? righted(text.trim(), this.context.words) : text.trim(),
      left: x,
      right: x + length,
      top: baseline - 0.8 * size,
      bottom: baseline + 0.2 * size,
      baseline,
      size,
      face: this.context.faceOf(fontName),
      rtl,
      blankLeft: blank && last.left <= x || (rtl ? /\s$/ : /^\s/).test(text),
      blankRight: blank && last.left > x || (rtl ? /^\s/ : /\s$/).test(text),
    };
  }
}

/** Returns a text with its words corrected. */
function righted(text: string, words: ReadonlyMap<string, string>): string {
  return words.size === 0 ? text : text.replace(/[^\s\p{P}]+/gu, (word) => words.get(word) ?? word);
}

/** A rectangle with the address it links to. */
interface LinkArea extends Box {
  readonly url: string;
}

/**
 * Returns a run cut where links begin and end. A PDF does not store the positions of characters, so they are estimated, and
 * words stay whole.
 */
function splitByLinks(run: Run, areas: readonly LinkArea[]): Run[] {
  const middle = run.baseline - 0.3 * run.size;
  const hit = areas.filter((area) =>
    area.top <= middle && middle <= area.bottom &&
    Math.min(area.right, run.right) - Math.max(area.left, run.left) > 0.25 * run.size
  ).sort((a, b) => a.left - b.left);
  if (hit.length === 0) return [run];
  if (run.rtl || hit[0]!.left - 0.3 * run.size <= run.left && run.right <= hit[0]!.right + 0.3 * run.size) {
    return [{ ...run, link: hit[0]!.url }];
  }
  const edges = characterEdges(run);
  const parts: Run[] = [];
  let done = 0;
  const add = (from: number, to: number, link?: string) => {
    const text = run.text.slice(from, to);
    if (text.trim() === "") return;
    parts.push({
      ...run,
      text: text.trim(),
      left: edges[from]!,
      right: edges[to]!,
      blankLeft: from === 0 ? run.blankLeft : /^\s/.test(text) || /\s/.test(run.text[from - 1]!),
      blankRight: to === run.text.length ? run.blankRight : /\s$/.test(text),
      ...given({ link }),
    });
  };
  for (const { left, right, url } of hit) {
    const [from, to] = [left, right].map((x) => wordEdge(run.text, nearest(edges, x), done)) as [
      number,
      number,
    ];
    if (to <= from || from < done) continue;
    add(done, from);
    add(from, to, url);
    done = to;
  }
  add(done, run.text.length);
  return parts.length === 0 ? [run] : parts;
}

/** Returns the left edges of all characters and the right edge of the last, estimated from usual widths. */
function characterEdges({ text, left, right }: Run): number[] {
  const widths = Array.from({ length: text.length }, (_, i) => widthOf(text[i]!));
  const scale = (right - left) / (widths.reduce((sum, width) => sum + width, 0) || 1);
  const edges = [left];
  for (const width of widths) edges.push(edges.at(-1)! + width * scale);
  return edges;
}

function widthOf(character: string): number {
  if (CJK.test(character) || "mMWw".includes(character)) return 1;
  if (/[iljft.,;:!|'()\[\] I]/.test(character)) return 0.35;
  return /[A-Z]/.test(character) ? 0.75 : 0.6;
}

function nearest(edges: readonly number[], x: number): number {
  const distances = edges.map((edge) => Math.abs(edge - x));
  return distances.indexOf(least(distances));
}

/** Returns the word boundary nearest to a position in the text, not before `least`. */
function wordEdge(text: string, at: number, least: number): number {
  const divides = (character: string) => /[\s(),;:“”"]/.test(character) || CJK.test(character);
  const isEdge = (i: number) => i <= 0 || i >= text.length || divides(text[i]!) || divides(text[i - 1]!);
  for (let far = 0; far <= text.length; far++) {
    if (at - far >= least && isEdge(at - far)) return at - far;
    if (at + far <= text.length && isEdge(at + far)) return at + far;
  }
  return at;
}

/** The fields of a pdf.js annotation that the loader uses. */
interface Annotation {
  readonly subtype?: string;
  readonly url?: string;
  readonly rect?: readonly number[];
  readonly annotationFlags?: number;
  readonly fieldType?: string | null;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  readonly contentsObj?: { readonly str?: string };
  readonly textContent?: readonly string[];
}

/** Bits of the flags Hidden and NoView (ISO 32000-2, table 167). */
const UNSEEN = 0b100010;
/** Largest font size of text in form fields. */
const USUAL_SIZE = 10;

/** Returns the rectangles of links to addresses. */
function linkAreas(annotations: readonly Annotation[]): LinkArea[] {
  return annotations.flatMap(({ subtype, url, rect }) => {
    if (subtype !== "Link" || typeof url !== "string" || rect?.length !== 4) return [];
    const [left, top, right, bottom] = rect as [number, number, number, number];
    return [{ url, left, top, right, bottom }];
  });
}

/** Returns the text in form fields and text boxes as text items of the page. */
function filledIn(annotations: readonly Annotation[]): TextItem[] {
  return annotations.flatMap((annotation) => {
    const { rect, annotationFlags = 0 } = annotation;
    const lines = annotationLines(annotation);
    if (lines.length === 0 || rect?.length !== 4 || (annotationFlags & UNSEEN) !== 0) return [];
    const [left, bottom, right, top] = rect as [number, number, number, number];
    const size = Math.min(USUAL_SIZE, (top - bottom) / lines.length * 0.8);
    if (!(size > 1)) return [];
    return lines.map((str, i) => ({
      str,
      dir: "ltr",
      width: Math.min(right - left, str.length * size * 0.5),
      height: size,
      transform: [size, 0, 0, size, left, top - size * (1.2 * i + 1)] as const,
      fontName: "",
    }));
  });
}

function annotationLines(
  { subtype, fieldType, fieldValue, password, contentsObj, textContent }: Annotation,
): string[] {
  if (subtype === "FreeText") return filledLines(textContent?.join("\n") || contentsObj?.str);
  if (subtype !== "Widget" || fieldType !== "Tx" && fieldType !== "Ch" || password) return [];
  return Array.isArray(fieldValue) ? fieldValue.flatMap(filledLines) : filledLines(fieldValue);
}

function filledLines(text: unknown): string[] {
  return typeof text === "string" ? text.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "") : [];
}

/** Most glyphs of a word. */
const LONGEST_WORD = 60;
const ARABIC_OR_HEBREW = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/**
 * Returns the words whose ligatures pdf.js reverses, mapped to the correct words. A page draws right-to-left glyphs from
 * left to right. pdf.js reverses the characters, including those of a glyph that stands for several: لا becomes ال. The
 * glyphs in the operator list show where this happened.
 */
function turnedWords(
  { fnArray, argsArray }: OperatorList,
  ops: Operators,
): Map<string, string> {
  const words = new Map<string, string>();
  const note = (glyphs: readonly string[]) => {
    if (!glyphs.some((glyph) => glyph.length > 1) || glyphs.length > LONGEST_WORD) return;
    const right = glyphs.toReversed().join("").normalize("NFKC");
    const wrong = Array.from(glyphs.join("").normalize("NFKC")).reverse().join("");
    if (right !== wrong) words.set(wrong, right);
  };
  // A word may be drawn in several parts. pdf.js returns it as a whole or in these parts.
  let word: string[] = [], part: string[] = [];
  for (let i = 0; i < fnArray.length; i++) {
    if (fnArray[i] !== ops.showText || !Array.isArray(argsArray[i]?.[0])) continue;
    for (const glyph of argsArray[i][0] as ({ readonly unicode?: string } | number | null)[]) {
      if (typeof glyph !== "object" || glyph === null) continue;
      const text = glyph.unicode ?? "";
      if (ARABIC_OR_HEBREW.test(text)) {
        word.push(text);
        part.push(text);
      } else {
        note(word);
        note(part);
        word = [];
        part = [];
      }
    }
    note(part);
    part = [];
  }
  note(word);
  return words;
}

/** Most ruling lines of a page. A page with more is a drawing. */
export const MOST_RULES = 6_000;
/** Greatest thickness of a filled rectangle that is a ruling line, in points. */
const THICKEST = 3;
const SHORTEST = 4;

/** Returns the horizontal and vertical lines that a page draws, under the transformation `base`. */
function rulesOf(operators: OperatorList, ops: Operators, base: Matrix): Box[] {
  const rules: Box[] = [];
  const { stroke, closeStroke, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke } = ops;
  const strokes = new Set([
    stroke,
    closeStroke,
    fillStroke,
    eoFillStroke,
    closeFillStroke,
    closeEOFillStroke,
  ]);
  for (const { fn, args, matrix } of placedOperators(operators, ops, base)) {
    const path = fn === ops.constructPath ? args?.[1]?.[0] as Float32Array | null | undefined : undefined;
    if (!path) continue;
    if (strokes.has(args[0])) addSegments(rules, path, matrix);
    else if (args[0] === ops.fill || args[0] === ops.eoFill) addBars(rules, path, matrix);
    if (rules.length > MOST_RULES) return [];
  }
  return rules;
}

type Point = [x: number, y: number];

/** Yields the sub-paths without curves. */
function* subpaths(
  path: Float32Array,
  matrix: Matrix,
): Generator<{ points: Point[]; closed: boolean }, void, undefined> {
  let points: Point[] = [];
  let curved = false;
  for (let at = 0; at < path.length;) {
    const op = path[at]!;
    const closed = op > 3;
    // A move or the end of a path.
    if (op === 0 || closed) {
      if (points.length > 0 && !curved) yield { points, closed };
      if (points.length > 0 || closed) [points, curved] = [[], false];
    }
    if (op < 2) points.push(apply(matrix, path[at + 1]!, path[at + 2]!));
    else if (!closed) curved = true;
    at += op < 2 ? 3 : op === 2 ? 7 : op === 3 ? 5 : 1;
  }
  if (points.length > 0 && !curved) yield { points, closed: false };
}

/** Adds the lines that a stroked path draws. `path`: operators with their coordinates, in the numbers of pdf.js. */
export function addSegments(rules: Box[], path: Float32Array, matrix: Matrix): void {
  for (const { points, closed } of subpaths(path, matrix)) {
    const last = closed ? points.length : points.length - 1;
    for (let i = 0; i < last; i++) addRule(rules, points[i]!, points[(i + 1) % points.length]!);
  }
}

/** Adds the rectangles of a filled path that are thin enough to be lines. */
export function addBars(rules: Box[], path: Float32Array, matrix: Matrix): void {
  for (const { points } of subpaths(path, matrix)) {
    if (points.length < 4 || points.length > 5) continue;
    const { left, top, right, bottom } = boxAround(points);
    const width = right - left, height = bottom - top;
    if (Math.min(width, height) > THICKEST || Math.max(width, height) < SHORTEST) continue;
    const x = (left + right) / 2, y = (top + bottom) / 2;
    if (width >= height) addRule(rules, [left, y], [right, y]);
    else addRule(rules, [x, top], [x, bottom]);
  }
}

function addRule(rules: Box[], from: Point, to: Point): void {
  const { left, top, right, bottom } = boxAround([from, to]);
  const dx = right - left, dy = bottom - top;
  if (Math.max(dx, dy) < SHORTEST || Math.min(dx, dy) > 0.7) return;
  const x = (from[0] + to[0]) / 2, y = (from[1] + to[1]) / 2;
  rules.push(dx > dy ? { left, right, top: y, bottom: y } : { left: x, right: x, top, bottom });
}

/** Returns the face that the PostScript name of a font describes. `SFBX1200`, `CMTT10` and the like are fonts of TeX. */
export function faceOf(postScriptName: string): Face {
  const name = postScriptName.replace(/^[A-Z]{6}\+/, "");
  return {
    name,
    bold: /bold|black|heavy|demi|semibold/i.test(name) ||
      /^(CMBX|CMSSBX|SFBX|SFSX|LMRoman.*bold|NimbusRomNo9L-Medi|NimbusSanL-Bold)/.test(name) ||
      /^(NimbusRomNo9L-Medi|URWPalladioL-Bold|CharterBT-Bold)/.test(name) || /-(Bd|Md|Medi|B|BI)$/.test(name),
    italic: /italic|oblique|slanted|kursiv/i.test(name) || /^(CMTI|CMSL|SFTI|SFSL)/.test(name) ||
      /-(It|ReguItal|MediItal|BI|I)$/.test(name),
    mono:
      /mono|courier|consol|typewriter|menlo|monaco|fixed|inconsolata|hack-|sourcecode|lettergothic|andale|ocr/i
        .test(name) ||
      /^(CMTT|SFTT|ECTT|LMTT|CMSLTT|txtt|NimbusMon|FreeMono|CMITT|CMCSC.*TT|LMMono|BeraSansMono|Code)/.test(
        name,
      ),
  };
}
