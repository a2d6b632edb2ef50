import type { PDFPageProxy } from "unpdf/pdfjs";
import { combine, type Matrix } from "../pdf/upright.ts";
import { greyImage } from "./grey.ts";
import { type ImageOps, type PdfImage, type Placement, placementsOf } from "./placements.ts";
import { Raster } from "./raster.ts";

/** Share of a page that its images must cover, so that it counts as scanned. */
const LEAST_COVERED = 0.5;
/** Finest resolution in which a page is drawn, in pixels per point: 300 dpi, for which Tesseract is trained. */
const FINEST = 300 / 72;
/** Coarsest resolution, 72 dpi. */
const COARSEST = 1;
/** Most pixels of a page, and of all its images. */
const MOST_PIXELS = 30_000_000;
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
export async function drawPage(page: PDFPageProxy, ops: ImageOps): Promise<Raster | undefined> {
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
  const scale = Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height)));
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
function areaOn([a, b, c, d, e, f]: Matrix, width: number, height: number): number {
  const xs = [e, e + a, e + c, e + a + c], ys = [f, f + b, f + d, f + b + d];
  const across = Math.min(width, Math.max(...xs)) - Math.max(0, Math.min(...xs));
  const down = Math.min(height, Math.max(...ys)) - Math.max(0, Math.min(...ys));
  return Math.max(0, across) * Math.max(0, down);
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
