/** Draws the pages of a PDF that are scans, or whose letters are only curves, in shades of grey. */
import { openWithPdfium, type PdfiumDocument, type PdfiumPage } from "../pdfium/pdfium.ts";
import type { Pixels } from "../pictures/types.ts";
import { DocumentError } from "../types.ts";

/** An image of a page in which text is recognised: a file that Tesseract reads, and its orientation as in Exif, 1 … 8. */
export interface PageImage {
  readonly bytes: Uint8Array;
  readonly orientation: number;
}

/** A page of a document. `image`: absent if the page has nothing in which text could be recognised. */
export interface NumberedPage {
  readonly number: number;
  readonly image?: PageImage;
  readonly isUnreadable?: boolean;
}

/** Yields pages of a PDF as images. Throws {@linkcode DocumentError} if it cannot be opened. */
export async function* pdfPages(bytes: Uint8Array, numbers: readonly number[]): AsyncGenerator<NumberedPage> {
  let pdf: PdfiumDocument | undefined = await openWithPdfium(bytes);
  for (const number of numbers) {
    pdf ??= await openWithPdfium(bytes);
    try {
      yield { number, ...imageOf(pdf, number) };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      // The other pages may be readable, but not by an instance that has given up.
      pdf = undefined;
      yield { number, isUnreadable: true };
    }
  }
}

function imageOf(pdf: PdfiumDocument, number: number): Omit<NumberedPage, "number"> {
  if (number > pdf.pageCount) return {};
  using page = pdf.page(number);
  const pixels = drawn(page);
  return pixels === undefined ? {} : { image: { bytes: greyFile(pixels), orientation: 1 } };
}

/** Share of a page that its images must cover, so that it counts as scanned. */
const LEAST_COVERED = 0.5;
/** Lines and curves from which a page may have letters that are drawn. A letter has 10 to 40 of them. */
const LEAST_SEGMENTS = 400;
/** Finest resolution in which a page is drawn, in pixels per point: 300 dpi, for which Tesseract is trained. */
const FINEST = 300 / 72;
/** Coarsest resolution, 72 dpi. */
const COARSEST = 1;
/** Most pixels of a page, and of all its images. */
const MOST_PAGE_PIXELS = 30_000_000;
const MOST_IMAGE_PIXELS = 150_000_000;
/** Most pixels that images are painted on, each time they are painted. */
const MOST_PAINTED = 300_000_000;
/** Longest side of a page in points. */
const LONGEST = 20_000;

/** Draws a page; `undefined` if its images cover too little of it, and it has too few lines and curves for letters. */
function drawn(page: PdfiumPage): Pixels | undefined {
  const { width, height } = page;
  if (!(width > 0 && height > 0 && width < LONGEST && height < LONGEST)) return undefined;
  let [covered, pixels, resolution] = [0, 0, COARSEST];
  for (const { box, width: across, height: down } of page.pictures()) {
    covered += Math.max(0, Math.min(width, box.right) - Math.max(0, box.left)) *
      Math.max(0, Math.min(height, box.bottom) - Math.max(0, box.top));
    resolution = Math.max(resolution, across / (box.right - box.left), down / (box.bottom - box.top));
    pixels += across * down;
    if (pixels > MOST_IMAGE_PIXELS) return undefined;
  }
  const isScan = covered >= LEAST_COVERED * width * height;
  if (!isScan && page.countSegments(LEAST_SEGMENTS) < LEAST_SEGMENTS) return undefined;
  const wanted = isScan ? Math.min(FINEST, resolution) : FINEST;
  const scale = Math.min(wanted, Math.sqrt(MOST_PAGE_PIXELS / (width * height)));
  if (covered * scale * scale > MOST_PAINTED) return undefined;
  return page.render(Math.ceil(width * scale), Math.ceil(height * scale));
}

/** Returns pixels as a PGM file. */
export function greyFile({ width, height, channels, data }: Pixels): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(head.length + width * height);
  file.set(head);
  for (let from = 0, to = head.length; to < file.length; from += channels, to++) {
    file[to] = channels === 1
      ? data[from]!
      : (77 * data[from]! + 150 * data[from + 1]! + 29 * data[from + 2]!) >> 8;
  }
  return file;
}
