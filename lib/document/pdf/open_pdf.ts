import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { DocumentError } from "../types.ts";
import { loadCMaps } from "./cmaps.ts";
import { withTrailer } from "./with_trailer.ts";

/**
 * Opens a PDF with pdf.js. An empty user password needs no input. The caller must close it with `loadingTask.destroy()`.
 * `maxImagePixels`: larger
 * images are left out; by default all of them, so that none is decoded. Throws {@linkcode DocumentError}.
 */
export async function openPdf(bytes: Uint8Array, maxImagePixels = 0): Promise<PDFDocumentProxy> {
  try {
    return await open(bytes, maxImagePixels);
  } catch (error) {
    const mended = error instanceof DocumentError && error.problem === "damaged"
      ? withTrailer(bytes)
      : undefined;
    if (mended === undefined) throw error;
    return await open(mended, maxImagePixels);
  }
}

async function open(bytes: Uint8Array, maxImagePixels: number): Promise<PDFDocumentProxy> {
  const { getDocument, VerbosityLevel } = await import("unpdf/pdfjs");
  let cmaps: Promise<ReadonlyMap<string, Uint8Array>> | undefined;
  /** Gives pdf.js its CMaps. Standard fonts are only needed for drawing; their widths are part of pdf.js. */
  class CMapFactory {
    async "fetch"({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
      const found = kind === "cMapUrl"
        ? (await (cmaps ??= loadCMaps())).get(filename.replace(/\.bcmap$/, ""))
        : undefined;
      if (found === undefined) throw new Error(`${filename} is not there`);
      return found.slice();
    }
  }
  const task = getDocument({
    // pdf.js takes ownership of the bytes.
    data: bytes.slice(),
    BinaryDataFactory: CMapFactory,
    cMapPacked: true,
    useWorkerFetch: false,
    useSystemFonts: false,
    useWasm: false,
    maxImageSize: maxImagePixels,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    throw documentError(error);
  }
}

/** Returns the `DocumentError` for an error of pdf.js. */
export function documentError(error: unknown): DocumentError {
  if (error instanceof DocumentError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "PasswordException") {
    return new DocumentError("encrypted", "a password is needed to open the PDF", { cause: error });
  }
  if (/encrypt|security handler|crypt filter/i.test(message)) {
    return new DocumentError("encrypted", `the PDF is encrypted: ${message}`, { cause: error });
  }
  return new DocumentError("damaged", `the PDF cannot be read: ${message}`, { cause: error });
}
