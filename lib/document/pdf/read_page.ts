import type { PDFPageProxy } from "unpdf/pdfjs";
import { cleanText } from "./clean_text.ts";
import { faceOf } from "./face.ts";
import { type LinkArea, splitByLinks } from "./links.ts";
import { type DrawOps, rulesOf } from "./rules.ts";
import type { Face, PageContent, Run } from "./types.ts";
import { apply, combine, type Matrix, quarterTurns, uprightMatrix } from "./upright.ts";

/** What is read of an item of pdf.js's text content. */
interface Item {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  readonly transform: Matrix;
  readonly fontName: string;
}

/** Reads what a page shows, and frees what pdf.js keeps of it. `faces` remembers the document's fonts. */
export async function readPage(
  page: PDFPageProxy,
  ops: DrawOps,
  faces: Map<string, Face>,
): Promise<PageContent> {
  try {
    const viewport = page.getViewport({ scale: 1 });
    const base = viewport.transform as unknown as Matrix;
    const content = await page.getTextContent();
    const operators = await page.getOperatorList();
    const links = linkAreas(await page.getAnnotations());
    const layers = new Map<
      string,
      { turns: 0 | 1 | 2 | 3; runs: Run[]; characters: number; spaced: boolean }
    >();
    for (const item of content.items as unknown as Item[]) {
      if (typeof item.str !== "string") continue;
      const vertical = content.styles[item.fontName]?.vertical === true;
      const matrix = combine(base, item.transform);
      const turns = vertical ? 1 : quarterTurns(matrix);
      const key = vertical ? "vertical" : `${turns}`;
      let layer = layers.get(key);
      if (layer === undefined) layers.set(key, layer = { turns, runs: [], characters: 0, spaced: false });
      const text = cleanText(item.str);
      if (text.trim() === "") {
        layer.spaced ||= text !== "";
        continue;
      }
      const run = runOf(
        item,
        text,
        vertical,
        combine(uprightMatrix(turns), matrix),
        faceNamed(page, item.fontName, faces),
        layer.spaced,
      );
      layer.spaced = /\s$/.test(text);
      if (run === undefined) continue;
      layer.characters += text.length;
      layer.runs.push(...splitByLinks(run, links.get(base, turns)));
    }
    const sorted = [...layers.values()].sort((a, b) => b.characters - a.characters);
    return {
      width: viewport.width,
      height: viewport.height,
      layers: sorted.map(({ turns, runs }) => ({
        runs,
        rules: rulesOf(operators, ops, combine(uprightMatrix(turns), base)),
      })),
    };
  } finally {
    page.cleanup();
  }
}

function runOf(
  item: Item,
  text: string,
  vertical: boolean,
  matrix: Matrix,
  face: Face,
  spaced: boolean,
): Run | undefined {
  const [, , c, d, x, y] = matrix;
  const size = vertical ? Math.hypot(matrix[0], matrix[1]) : Math.hypot(c, d);
  const length = Math.abs(vertical ? item.height : item.width);
  if (
    ![x, y, size, length].every(Number.isFinite) || size === 0 ||
    Math.max(Math.abs(x), Math.abs(y), size, length) > 1e6
  ) return;
  const trimmed = text.trim();
  // the glyphs of vertical text stand centred on their line
  const baseline = vertical ? y + 0.35 * size : y;
  return {
    text: trimmed,
    left: x,
    right: x + length,
    top: baseline - 0.8 * size,
    bottom: baseline + 0.2 * size,
    baseline,
    size,
    face,
    rtl: item.dir === "rtl",
    spaced: spaced || /^\s/.test(text),
  };
}

/** The face of a font, which pdf.js knows once the page's operators are read. */
function faceNamed(page: PDFPageProxy, fontName: string, faces: Map<string, Face>): Face {
  const known = faces.get(fontName);
  if (known !== undefined) return known;
  const font = page.commonObjs.has(fontName) ? page.commonObjs.get(fontName) : undefined;
  const face = faceOf(typeof font?.name === "string" ? font.name : "");
  faces.set(fontName, face);
  return face;
}

function linkAreas(annotations: readonly { subtype?: string; url?: string; rect?: number[] }[]) {
  const found = annotations.filter(({ subtype, url, rect }) =>
    subtype === "Link" && typeof url === "string" && rect?.length === 4
  );
  const made = new Map<number, LinkArea[]>();
  return {
    get(base: Matrix, turns: 0 | 1 | 2 | 3): LinkArea[] {
      let areas = made.get(turns);
      if (areas === undefined) {
        const matrix = combine(uprightMatrix(turns), base);
        areas = found.map(({ url, rect }) => {
          const [x1, y1] = apply(matrix, rect![0]!, rect![1]!),
            [x2, y2] = apply(matrix, rect![2]!, rect![3]!);
          return {
            url: url!,
            left: Math.min(x1, x2),
            right: Math.max(x1, x2),
            top: Math.min(y1, y2),
            bottom: Math.max(y1, y2),
          };
        });
        made.set(turns, areas);
      }
      return areas;
    },
  };
}
