import { type Document, DocumentError } from "../types.ts";

/** Carries out a loader. Any error that is no {@linkcode DocumentError} comes from broken bytes and becomes `damaged`. */
export async function guarded(load: () => Document | Promise<Document>): Promise<Document> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // Too deep a recursion, or a string longer than the engine makes.
    const isLimit = error instanceof RangeError &&
      /call stack|string length|array (?:length|buffer)/i.test(error.message);
    throw new DocumentError(isLimit ? "too_complex" : "damaged", "the file could not be read", {
      cause: error,
    });
  }
}
