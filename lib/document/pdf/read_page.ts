import type { PDFPageProxy } from "unpdf/pdfjs";
import { DocumentError } from "../types.ts";
import { type Annotation, filledIn, linkAreas } from "./annotations.ts";
import { faceOf } from "./face.ts";
import { turnedWords } from "./right_to_left_words.ts";
import { type DrawOps, rulesOf } from "./rules.ts";
import { type TextItem, textLayers } from "./text_layers.ts";
import type { Face, PageContent } from "./types.ts";
import type { Matrix } from "./upright.ts";

/** Most text items on a page. */
const MOST_ITEMS = 100_000;

type TextContent = Awaited<ReturnType<PDFPageProxy["getTextContent"]>>;

/** Reads the content of a page, and frees the memory that pdf.js keeps for it. `faces` caches the fonts of the document. */
export async function readPage(
  page: PDFPageProxy,
  ops: DrawOps & { readonly showText: number },
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
      width: viewport.width,
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
  const known = faces.get(fontName);
  if (known !== undefined) return known;
  const font = page.commonObjs.has(fontName) ? page.commonObjs.get(fontName) : undefined;
  const face = faceOf(typeof font?.name === "string" ? font.name : "");
  faces.set(fontName, face);
  return face;
}
