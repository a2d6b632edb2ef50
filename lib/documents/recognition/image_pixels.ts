/**
 * The pixels of an image that Leptonica reads, which Tesseract's WebAssembly contains: TIFF, BMP and WebP. It needs no data of languages.
 * Below it: Leptonica's form of an image.
 */
import type { Pixels } from "../pictures/types.ts";
import { MOST_PIXELS } from "../pdfium/pdfium.ts";
import { DocumentError } from "../types.ts";
import { sizeOf, startCore } from "./text_engine.ts";

/** Returns the pixels of an image, those of the first page of a TIFF. Throws {@linkcode DocumentError}. */
export async function imagePixels(image: Uint8Array): Promise<Pixels> {
  // Each image has an instance of its own, which is not used again: its memory need not be freed.
  const started = await startCore();
  try {
    const { width, height } = sizeOf(image, started);
    if (!(width >= 1 && height >= 1) || width * height > MOST_PIXELS) {
      throw new DocumentError("too_complex", `the image has ${width} × ${height} pixels`);
    }
    const { core, memory } = started;
    const data = core._malloc(image.length);
    if (data === 0) throw new DocumentError("too_complex", "the image needs too much memory");
    new Uint8Array(memory.buffer).set(image, data);
    const pix = core._pixReadMem(data, image.length);
    if (pix === 0) throw new DocumentError("damaged", "the image cannot be read");
    return readPix(new DataView(memory.buffer), pix);
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw new DocumentError("damaged", "the image cannot be read", { cause });
  }
}

/** Offsets in `struct Pix`, each a number of 32 bits: size, bits of a pixel, samples, words of a row, colour map, pixels. */
const WIDTH = 0, HEIGHT = 4, DEPTH = 8, SAMPLES = 12, ROW_WORDS = 16, COLOUR_MAP = 44, DATA = 48;
/** Offset in `struct PixColormap` of the number of colours. The first field points to them: blue, green, red, opacity. */
const COUNT = 12;

/** Reads an image. A row is of words of 32 bits, and a pixel begins at the highest bit. */
function readPix(memory: DataView, pix: number): Pixels {
  const field = (at: number) => memory.getUint32(pix + at, true);
  const [width, height, depth] = [field(WIDTH), field(HEIGHT), field(DEPTH)];
  const [row, from, map] = [4 * field(ROW_WORDS), field(DATA), field(COLOUR_MAP)];
  if (![1, 2, 4, 8, 16, 32].includes(depth)) {
    throw new DocumentError("damaged", `it has ${depth} bits for a pixel`);
  }
  const channels = depth === 32 ? field(SAMPLES) === 4 ? 4 : 3 : map === 0 ? 1 : 3;
  const data = new Uint8Array(width * height * channels);
  const colours = map === 0 ? undefined : coloursOf(memory, map);
  const most = 2 ** depth - 1;
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const word = memory.getUint32(from + y * row + (bit >> 5) * 4, true);
      if (depth === 32) {
        for (let c = 0; c < channels; c++) data[to++] = word >>> 24 - 8 * c;
        continue;
      }
      const value = word >>> 32 - depth - (bit & 31) & most;
      if (colours !== undefined) {
        const colour = colours[value] ?? 0;
        for (let c = 0; c < 3; c++) data[to++] = colour >> 16 - 8 * c;
      } // In an image of two colours, 1 is black.
      else data[to++] = depth === 1 ? 255 * (1 - value) : value * 255 / most;
    }
  }
  return { width, height, channels, data };
}

/** The colours of a map, as numbers of 24 bits. */
function coloursOf(memory: DataView, map: number): number[] {
  const at = memory.getUint32(map, true), count = Math.min(256, memory.getUint32(map + COUNT, true));
  return Array.from({ length: count }, (_, i) => memory.getUint32(at + 4 * i, true) & 0xffffff);
}
