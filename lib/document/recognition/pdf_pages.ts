import { openPdf } from "../pdf/open_pdf.ts";
import { drawPage } from "./draw_page.ts";
import type { NumberedPage } from "./page_image.ts";
import { MOST_PIXELS } from "./text_engine.ts";
import { withWasmDecoders } from "./wasm_decoders.ts";

/** Yields the scanned pages of a PDF as images. Throws {@linkcode DocumentError} if it cannot be opened. */
export async function* pdfPages(
  bytes: Uint8Array,
  numbers: readonly number[],
): AsyncGenerator<NumberedPage> {
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
