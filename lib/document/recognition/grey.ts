import type { PdfImage } from "./placements.ts";
import type { GreyImage } from "./raster.ts";

/** Kinds of pixels of pdf.js. */
const BITS = 1, RGB = 2, RGBA = 3;

/**
 * Returns an image of pdf.js in shades of grey, transparent parts on white; `undefined` if it has fewer bytes than its size
 * needs. `ink`: the grey of a mask.
 */
export function greyImage({ width, height, kind, data }: PdfImage, ink = 0): GreyImage | undefined {
  if (typeof data === "string") return undefined;
  const pixels = width * height;
  const grey = new Uint8Array(pixels);
  if (kind === RGB || kind === RGBA) {
    const size = kind === RGB ? 3 : 4;
    if (data.length < pixels * size) return undefined;
    for (let i = 0, at = 0; i < pixels; i++, at += size) {
      const value = (77 * data[at]! + 150 * data[at + 1]! + 29 * data[at + 2]!) >> 8;
      grey[i] = kind === RGB ? value : 255 - (255 - value) * data[at + 3]! / 255;
    }
    return { width, height, grey };
  }
  const stride = (width + 7) >> 3;
  if (data.length < stride * height) return undefined;
  const isMask = kind !== BITS;
  const painted = isMask ? new Uint8Array(pixels) : undefined;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const bit = data[y * stride + (x >> 3)]! >> (7 - (x & 7)) & 1;
      if (painted === undefined) grey[i] = bit === 1 ? 255 : 0;
      else {
        painted[i] = 1 - bit;
        grey[i] = ink;
      }
    }
  }
  return { width, height, grey, ...(painted === undefined ? {} : { painted }) };
}
