import type { LinkArea } from "./links.ts";
import type { TextItem } from "./text_layers.ts";

/** The fields of a pdf.js annotation that the loader uses. */
export interface Annotation {
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
export function linkAreas(annotations: readonly Annotation[]): LinkArea[] {
  return annotations.flatMap(({ subtype, url, rect }) => {
    if (subtype !== "Link" || typeof url !== "string" || rect?.length !== 4) return [];
    const [left, top, right, bottom] = rect as [number, number, number, number];
    return [{ url, left, top, right, bottom }];
  });
}

/** Returns the text in form fields and text boxes as text items of the page. */
export function filledIn(annotations: readonly Annotation[]): TextItem[] {
  return annotations.flatMap((annotation) => {
    const { rect, annotationFlags = 0 } = annotation;
    const lines = textOf(annotation);
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

function textOf(
  { subtype, fieldType, fieldValue, password, contentsObj, textContent }: Annotation,
): string[] {
  if (subtype === "FreeText") return linesOf(textContent?.join("\n") || contentsObj?.str);
  if (subtype !== "Widget" || fieldType !== "Tx" && fieldType !== "Ch" || password) return [];
  return Array.isArray(fieldValue) ? fieldValue.flatMap(linesOf) : linesOf(fieldValue);
}

function linesOf(text: unknown): string[] {
  return typeof text === "string" ? text.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "") : [];
}
