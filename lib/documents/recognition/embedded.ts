/** The images of pictures inside of a document, for Tesseract. */
import { orientationOf } from "../pictures/facts.ts";
import { pictureSources } from "../pictures/read_pictures.ts";
import type { PictureSource } from "../pictures/types.ts";
import { DocumentError, type FileName } from "../types.ts";
import { greyFile, type NumberedPage, type PageImage } from "./pdf_pages.ts";

/** Yields the images of pictures of the document in `bytes`, by their numbers. Throws {@linkcode DocumentError}. */
export async function* embeddedPictures(
  bytes: Uint8Array,
  file: FileName,
  numbers: readonly number[],
): AsyncGenerator<NumberedPage> {
  // The document is a part of the request, and loaders take a buffer of their own.
  const sources = await pictureSources(bytes.slice(), file);
  for (const number of numbers) {
    try {
      const image = imageOf(sources[number - 1]);
      yield image === undefined ? { number, isUnreadable: true } : { number, image };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      yield { number, isUnreadable: true };
    }
  }
}

function imageOf(source: PictureSource | undefined): PageImage | undefined {
  const pixels = source?.pixels?.();
  if (pixels !== undefined) return { bytes: greyFile(pixels), orientation: 1 };
  const bytes = source?.bytes?.();
  return bytes && { bytes, orientation: orientationOf(bytes) };
}
