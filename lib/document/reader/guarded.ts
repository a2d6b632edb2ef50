import { type Document, DocumentError } from "../types.ts";

/** Runs a loader. Errors other than {@linkcode DocumentError} are caused by broken bytes and become `damaged`. */
export async function guarded(load: () => Document | Promise<Document>): Promise<Document> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // Recursion was too deep, or a string or array exceeded the limits of the engine.
    const isLimit = error instanceof RangeError &&
      /call stack|string length|array (?:length|buffer)/i.test(error.message);
    throw new DocumentError(isLimit ? "too_complex" : "damaged", "the file could not be read", {
      cause: error,
    });
  }
}
