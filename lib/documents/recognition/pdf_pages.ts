/**
 * Draws the scanned pages of a PDF in shades of grey, from the images on them.
 * Below it: the images that a page draws, the raster that they are painted on, and their pixels.
 */
import type { PDFPageProxy } from "unpdf/pdfjs";
import {
  boxAround,
  combine,
  type Matrix,
  openPdf,
  type OperatorList,
  type Operators,
  placedOperators,
} from "../pdfjs.ts";
import { MOST_PIXELS } from "./text_engine.ts";
import { withWasmDecoders } from "./wasm_decoders.ts";

/** An image of a page in which text is recognised: a file that Tesseract reads, and its orientation as in Exif, 1 … 8. */
export interface PageImage {
  readonly bytes: Uint8Array;
  readonly orientation: number;
}

/** A page of a document. `image`: absent if the page is not a scan. */
export interface NumberedPage {
  readonly number: number;
  readonly image?: PageImage;
  readonly isUnreadable?: boolean;
}

/** Yields the scanned pages of a PDF as images. Throws {@linkcode DocumentError} if it cannot be opened. */
export async function* pdfPages(bytes: Uint8Array, numbers: readonly number[]): AsyncGenerator<NumberedPage> {
  const { OPS } = await import("unpdf/pdfjs");
  const pdf = await openPdf(bytes, MOST_PIXELS);
  try {
    for (const number of numbers) {
      yield { number, ...await imageOf(number) };
    }
  } finally {
    await pdf.loadingTask.destroy();
  }

  async function imageOf(number: number): Promise<Omit<NumberedPage, "number">> {
    try {
      const page = await pdf.getPage(number);
      try {
        const raster = await withWasmDecoders(() => drawPage(page, OPS));
        return raster === undefined ? {} : { image: { bytes: raster.toPgm(), orientation: 1 } };
      } finally {
        page.cleanup();
      }
    } catch {
      // The other pages may be readable.
      return { isUnreadable: true };
    }
  }
}

/** Share of a page that its images must cover, so that it counts as scanned. */
const LEAST_COVERED = 0.5;
/** Finest resolution in which a page is drawn, in pixels per point: 300 dpi, for which Tesseract is trained. */
const FINEST = 300 / 72;
/** Coarsest resolution, 72 dpi. */
const COARSEST = 1;
/** Most pixels of a page, and of all its images. */
const MOST_PAGE_PIXELS = 30_000_000;
const MOST_IMAGE_PIXELS = 150_000_000;
/**
 * Most samples that are painted. A page of A4 at 300 dpi has 9 million pixels, and 16 samples each of an image at 1200 dpi.
 */
const MOST_SAMPLES = 300_000_000;
/** Longest side of a page in points. */
const LONGEST = 20_000;

/** An image with its place and, in pixels, its size. */
interface PlacedImage extends Placement {
  readonly image: PdfImage;
}

/** Draws the images of a page in shades of grey. Returns `undefined` if they cover too little of it: it is not a scan. */
async function drawPage(page: PDFPageProxy, ops: Operators): Promise<Raster | undefined> {
  const viewport = page.getViewport({ scale: 1 });
  const { width, height } = viewport;
  if (!(width > 0 && height > 0 && width < LONGEST && height < LONGEST)) return undefined;
  const operators = await page.getOperatorList();
  const placements = placementsOf(operators, ops, viewport.transform as unknown as Matrix)
    .filter(({ matrix }) => matrix.every(Number.isFinite));
  const covered = placements.reduce((sum, { matrix }) => sum + areaOn(matrix, width, height), 0);
  if (covered < LEAST_COVERED * width * height) return undefined;
  const images: PlacedImage[] = [];
  let pixels = 0;
  for (const placement of placements) {
    const image = await imageOf(page, placement.source);
    if (image === undefined) continue;
    pixels += image.width * image.height;
    if (pixels > MOST_IMAGE_PIXELS) break;
    images.push({ ...placement, image });
  }
  if (images.length === 0) return undefined;
  const wanted = Math.min(FINEST, Math.max(COARSEST, ...images.map(resolutionOf)));
  const scale = Math.min(wanted, Math.sqrt(MOST_PAGE_PIXELS / (width * height)));
  const raster = new Raster(Math.ceil(width * scale), Math.ceil(height * scale));
  let samples = 0;
  for (const { image, matrix, ink } of images) {
    const grey = greyImage(image, ink);
    if (grey === undefined) continue;
    samples += raster.paint(grey, combine([scale, 0, 0, scale, 0, 0], matrix));
    if (samples > MOST_SAMPLES) break;
  }
  return raster;
}

/** Returns the area of a page that the box around an image covers, in square points. */
function areaOn(matrix: Matrix, width: number, height: number): number {
  const { left, top, right, bottom } = boxOf(matrix);
  const across = Math.min(width, right) - Math.max(0, left);
  const down = Math.min(height, bottom) - Math.max(0, top);
  return Math.max(0, across) * Math.max(0, down);
}

/** Returns the box around the unit square under a transformation. */
function boxOf([a, b, c, d, e, f]: Matrix): ReturnType<typeof boxAround> {
  return boxAround([[e, f], [e + a, f + b], [e + c, f + d], [e + a + c, f + b + d]]);
}

/** Returns the resolution of an image on the page, in pixels per point. */
function resolutionOf({ image, matrix: [a, b, c, d] }: PlacedImage): number {
  const across = image.width / Math.hypot(a, b), down = image.height / Math.hypot(c, d);
  const resolution = Math.max(across, down);
  return Number.isFinite(resolution) ? resolution : COARSEST;
}

/** Returns the pixels of an image, which pdf.js may still be decoding; `undefined` if it could not decode them. */
async function imageOf(page: PDFPageProxy, source: Placement["source"]): Promise<PdfImage | undefined> {
  if (typeof source !== "string") return isImage(source) ? source : undefined;
  const objects = source.startsWith("g_") ? page.commonObjs : page.objs;
  const image = await new Promise<unknown>((resolve) => objects.get(source, resolve));
  return isImage(image) ? image : undefined;
}

function isImage(value: unknown): value is PdfImage {
  const { width, height, data } = (value ?? {}) as Partial<PdfImage>;
  return Number.isInteger(width) && Number.isInteger(height) && width! > 0 && height! > 0 &&
    data !== undefined;
}

/** An image as pdf.js decodes it, or the name under which it keeps it. */
type ImageSource = string | PdfImage;

/** Pixels of an image. */
interface PdfImage {
  readonly width: number;
  readonly height: number;
  /** 1: a bit for each pixel, 1 is white. 2: RGB. 3: RGBA. Absent for a mask: a bit for each pixel, 0 is painted. */
  readonly kind?: number;
  readonly data: ArrayLike<number> | string;
}

/** An image on a page. */
interface Placement {
  readonly source: ImageSource;
  /** Maps the unit square, with the first row of the image at y = 1, to the page. */
  readonly matrix: Matrix;
  /** For a mask: the grey that it is painted in, 0 … 255. */
  readonly ink?: number;
}

/** Most images on a page. */
const MOST_IMAGES = 5_000;

/** Returns the images that a page draws, under the transformation `base`. The last one lies on top. */
function placementsOf(operators: OperatorList, ops: Operators, base: Matrix): Placement[] {
  const found: Placement[] = [];
  const inks: number[] = [];
  let ink = 0;
  for (const { fn, args, matrix } of placedOperators(operators, ops, base)) {
    if (fn === ops.save || fn === ops.paintFormXObjectBegin) inks.push(ink);
    else if (fn === ops.restore || fn === ops.paintFormXObjectEnd) ink = inks.pop() ?? ink;
    else if (fn === ops.setFillRGBColor) ink = greyOf(args);
    else if (fn === ops.paintImageXObject || fn === ops.paintInlineImageXObject) {
      found.push({ source: args[0], matrix });
    } else if (fn === ops.paintImageMaskXObject) {
      const { data } = args[0];
      found.push({ source: typeof data === "string" ? data : args[0], matrix, ink });
    } else if (fn === ops.paintImageXObjectRepeat) {
      const [source, scaleX, scaleY, positions] = args;
      for (let at = 0; at + 1 < positions.length && found.length < MOST_IMAGES; at += 2) {
        const place: Matrix = [scaleX, 0, 0, scaleY, positions[at], positions[at + 1]];
        found.push({ source, matrix: combine(matrix, place) });
      }
    }
    if (found.length >= MOST_IMAGES) return found;
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

/** An image in shades of grey. */
interface GreyImage {
  readonly width: number;
  readonly height: number;
  /** A byte for each pixel, 0 is black. For a mask the grey of its ink, where it is painted. */
  readonly grey: Uint8Array;
  /** For a mask: 1 where it is painted. */
  readonly painted?: Uint8Array | undefined;
}

/** Most samples along a side of a pixel, where an image is scaled down. */
const MOST_SAMPLES_A_SIDE = 4;

/** A page in shades of grey, white at first. */
class Raster {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array<ArrayBuffer>;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.grey = new Uint8Array(width * height).fill(255);
  }

  /**
   * Paints an image. `matrix` maps the unit square, with the first row of the image at y = 1, to pixels. Returns the number
   * of samples taken, to which the time is proportional.
   */
  paint({ width, height, grey, painted }: GreyImage, [a, b, c, d, e, f]: Matrix): number {
    const area = a * d - b * c;
    if (!Number.isFinite(area) || Math.abs(area) < 1e-6) return 0;
    const box = boxOf([a, b, c, d, e, f]);
    const left = Math.max(0, Math.floor(box.left)), right = Math.min(this.width, Math.ceil(box.right));
    const top = Math.max(0, Math.floor(box.top)), bottom = Math.min(this.height, Math.ceil(box.bottom));
    // Steps in pixels of the image for a step of one pixel of the page.
    const columnX = d * width / area, columnY = -c * width / area;
    const rowX = b * height / area, rowY = -a * height / area;
    const scale = Math.max(Math.hypot(columnX, columnY), Math.hypot(rowX, rowY));
    const samples = Math.min(MOST_SAMPLES_A_SIDE, Math.max(1, Math.round(scale)));
    const step = 1 / samples;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        let sum = 0, count = 0;
        for (let i = 0; i < samples; i++) {
          const dy = y + (i + 0.5) * step - f;
          for (let j = 0; j < samples; j++) {
            const dx = x + (j + 0.5) * step - e;
            const column = Math.floor(columnX * dx + columnY * dy);
            const row = Math.floor(height + rowX * dx + rowY * dy);
            if (column < 0 || row < 0 || column >= width || row >= height) continue;
            const at = row * width + column;
            if (painted !== undefined && painted[at] === 0) continue;
            sum += grey[at]!;
            count++;
          }
        }
        if (count === 0) continue;
        const all = samples * samples, at = y * this.width + x;
        this.grey[at] = (sum + this.grey[at]! * (all - count)) / all;
      }
    }
    return Math.max(0, right - left) * Math.max(0, bottom - top) * samples * samples;
  }

  /** Returns the page as a PGM file. */
  toPgm(): Uint8Array<ArrayBuffer> {
    const head = new TextEncoder().encode(`P5\n${this.width} ${this.height}\n255\n`);
    const file = new Uint8Array(head.length + this.grey.length);
    file.set(head);
    file.set(this.grey, head.length);
    return file;
  }
}

/** Kinds of pixels of pdf.js. */
const BITS = 1, RGB = 2, RGBA = 3;

/**
 * Returns an image of pdf.js in shades of grey, transparent parts on white; `undefined` if it has fewer bytes than its size
 * needs. `ink`: the grey of a mask.
 */
function greyImage({ width, height, kind, data }: PdfImage, ink = 0): GreyImage | undefined {
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
  return { width, height, grey, painted };
}
