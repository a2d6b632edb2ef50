import { combine, type Matrix } from "../pdf/upright.ts";
import type { OperatorList } from "../pdf/rules.ts";

/** The operators of pdf.js that draw images. */
export interface ImageOps {
  readonly save: number;
  readonly restore: number;
  readonly transform: number;
  readonly paintFormXObjectBegin: number;
  readonly paintFormXObjectEnd: number;
  readonly setFillRGBColor: number;
  readonly paintImageXObject: number;
  readonly paintImageXObjectRepeat: number;
  readonly paintInlineImageXObject: number;
  readonly paintImageMaskXObject: number;
}

/** An image as pdf.js decodes it, or the name under which it keeps it. */
export type ImageSource = string | PdfImage;

/** Pixels of an image. */
export interface PdfImage {
  readonly width: number;
  readonly height: number;
  /** 1: a bit for each pixel, 1 is white. 2: RGB. 3: RGBA. Absent for a mask: a bit for each pixel, 0 is painted. */
  readonly kind?: number;
  readonly data: ArrayLike<number> | string;
}

/** An image on a page. */
export interface Placement {
  readonly source: ImageSource;
  /** Maps the unit square, with the first row of the image at y = 1, to the page. */
  readonly matrix: Matrix;
  /** For a mask: the grey that it is painted in, 0 … 255. */
  readonly ink?: number;
}

/** Most images on a page. */
const MOST_IMAGES = 5_000;

/** Returns the images that a page draws, under the transformation `base`. The last one lies on top. */
export function placementsOf(
  { fnArray, argsArray }: OperatorList,
  ops: ImageOps,
  base: Matrix,
): Placement[] {
  const found: Placement[] = [];
  const stack: { now: Matrix; ink: number }[] = [];
  let now = base, ink = 0;
  const restore = () => ({ now, ink } = stack.pop() ?? { now, ink });
  for (let i = 0; i < fnArray.length && found.length < MOST_IMAGES; i++) {
    const fn = fnArray[i], args = argsArray[i];
    if (fn === ops.save) stack.push({ now, ink });
    else if (fn === ops.restore || fn === ops.paintFormXObjectEnd) restore();
    else if (fn === ops.transform) now = combine(now, args as Matrix);
    else if (fn === ops.paintFormXObjectBegin) {
      stack.push({ now, ink });
      const inner = args?.[0];
      if (Array.isArray(inner) || ArrayBuffer.isView(inner)) now = combine(now, inner as unknown as Matrix);
    } else if (fn === ops.setFillRGBColor) ink = greyOf(args);
    else if (fn === ops.paintImageXObject || fn === ops.paintInlineImageXObject) {
      found.push({ source: args[0], matrix: now });
    } else if (fn === ops.paintImageMaskXObject) {
      const { data } = args[0];
      found.push({ source: typeof data === "string" ? data : args[0], matrix: now, ink });
    } else if (fn === ops.paintImageXObjectRepeat) {
      const [source, scaleX, scaleY, positions] = args;
      for (let at = 0; at + 1 < positions.length && found.length < MOST_IMAGES; at += 2) {
        const place: Matrix = [scaleX, 0, 0, scaleY, positions[at], positions[at + 1]];
        found.push({ source, matrix: combine(now, place) });
      }
    }
  }
  return found;
}

/** Returns the grey of a colour, `["#rrggbb"]` or `[r, g, b]`. */
function greyOf(args: readonly unknown[]): number {
  const [first] = args;
  const [r, g, b] = typeof first === "string"
    ? [1, 3, 5].map((at) => parseInt(first.slice(at, at + 2), 16))
    : args as number[];
  const grey = Math.round(0.299 * r! + 0.587 * g! + 0.114 * b!);
  return Number.isFinite(grey) ? grey : 0;
}
