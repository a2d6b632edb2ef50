import { cleanText } from "./clean_text.ts";
import { type LinkArea, splitByLinks } from "./links.ts";
import type { Face, Run } from "./types.ts";
import { apply, combine, type Matrix, quarterTurns, uprightMatrix } from "./upright.ts";

/** The fields of an item in the text content of pdf.js that the loader uses. */
export interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  readonly transform: Matrix;
  readonly fontName: string;
}

/** Input for reading the items of a page. */
export interface TextContext {
  /** Transformation from the space of the file to that of the page, where y grows downwards. */
  readonly base: Matrix;
  readonly isVertical: (fontName: string) => boolean;
  readonly faceOf: (fontName: string) => Face;
  /** Rectangles of links in the space of the file. */
  readonly links: readonly LinkArea[];
  /** Words with reversed ligatures, mapped to the correct words. */
  readonly words: ReadonlyMap<string, string>;
}

/** Text in one direction. */
export interface TextLayer {
  /** Transformation from the space of the file to one in which the text is upright. */
  readonly matrix: Matrix;
  readonly runs: Run[];
}

/** Greatest valid size or position, in points. */
const FARTHEST = 1e6;

/** Returns the text of a page by direction, the most frequent direction first. */
export function textLayers(items: readonly TextItem[], context: TextContext): TextLayer[] {
  const layers = new Map<string, Layer>();
  for (const item of items) {
    if (typeof item.str !== "string") continue;
    const vertical = context.isVertical(item.fontName);
    const turns = vertical ? 1 : quarterTurns(combine(context.base, item.transform));
    const key = vertical ? "vertical" : `${turns}`;
    let layer = layers.get(key);
    if (layer === undefined) {
      layers.set(key, layer = new Layer(combine(uprightMatrix(turns), context.base), vertical, context));
    }
    layer.add(item);
  }
  return [...layers.values()].sort((a, b) => b.characters - a.characters);
}

class Layer implements TextLayer {
  readonly runs: Run[] = [];
  characters = 0;
  readonly #areas: LinkArea[];
  /** Whether the file has a separate blank after the last run. */
  #blank = false;

  constructor(readonly matrix: Matrix, readonly vertical: boolean, readonly context: TextContext) {
    this.#areas = context.links.map(({ url, ...box }) => {
      const [x1, y1] = apply(matrix, box.left, box.top), [x2, y2] = apply(matrix, box.right, box.bottom);
      return {
        url,
        left: Math.min(x1, x2),
        right: Math.max(x1, x2),
        top: Math.min(y1, y2),
        bottom: Math.max(y1, y2),
      };
    });
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
      ![x, y, size, length].every((value) => Number.isFinite(value) && Math.abs(value) < FARTHEST) ||
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
