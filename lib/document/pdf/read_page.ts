import type { PDFPageProxy } from "unpdf/pdfjs";
import { faceOf } from "./face.ts";
import { type Annotation, filledIn, linkAreas } from "./annotations.ts";
import { turnedWords } from "./right_to_left_words.ts";
import { type DrawOps, rulesOf } from "./rules.ts";
import { type TextItem, textLayers } from "./text_layers.ts";
import type { Face, PageContent } from "./types.ts";
import type { Matrix } from "./upright.ts";

/** Reads what a page shows, and frees what pdf.js keeps of it. `faces` remembers the document's fonts. */
export async function readPage(
  page: PDFPageProxy,
  ops: DrawOps & { readonly showText: number },
  faces: Map<string, Face>,
): Promise<PageContent> {
  try {
    const viewport = page.getViewport({ scale: 1 });
    const base = viewport.transform as unknown as Matrix;
    const content = await page.getTextContent();
    const operators = await page.getOperatorList();
    const annotations: Annotation[] = await page.getAnnotations();
    const items = [...content.items as unknown as TextItem[], ...filledIn(annotations)];
    const layers = textLayers(items, {
      base,
      isVertical: (fontName) => content.styles[fontName]?.vertical === true,
      faceOf: (fontName) => faceNamed(page, fontName, faces),
      links: linkAreas(annotations),
      words: items.some(({ dir }) => dir === "rtl") ? turnedWords(operators, ops) : new Map(),
    });
    return {
      width: viewport.width,
      height: viewport.height,
      layers: layers.map(({ runs, matrix }) => ({ runs, rules: rulesOf(operators, ops, matrix) })),
    };
  } finally {
    page.cleanup();
  }
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
