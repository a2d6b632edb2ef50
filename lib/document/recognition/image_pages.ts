import { orientationOf } from "./exif.ts";
import type { NumberedPage } from "./page_image.ts";
import { tiffPage } from "./tiff.ts";

/** Yields the pages of a picture. Only a TIFF has more than one. */
export async function* imagePages(
  bytes: Uint8Array,
  numbers: readonly number[],
): AsyncGenerator<NumberedPage> {
  for (const number of numbers) {
    const page = number === 1 ? bytes : tiffPage(bytes, number);
    yield {
      number,
      ...(page === undefined
        ? { isUnreadable: true }
        : { image: { bytes: page, orientation: orientationOf(page) } }),
    };
  }
}
