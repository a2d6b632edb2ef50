import type { Document } from "../types.ts";
import { tiffPages } from "./tiff.ts";

/** Signatures of the pictures that Tesseract reads. */
const SIGNATURES = [/^\x89PNG\r\n/, /^\xff\xd8\xff/, /^II\*\0/, /^MM\0\*/, /^RIFF[^]{4}WEBP/];

/** Returns whether a file is a picture in which text can be recognised, whatever its name. */
export function isPicture(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  return SIGNATURES.some((signature) => signature.test(head));
}

/** Returns the document of a picture, without the text that may be recognised in it. */
export function pictureDocument(bytes: Uint8Array): Document {
  const numbers = Array.from({ length: tiffPages(bytes) }, (_, i) => i + 1);
  return {
    text: "",
    sections: [],
    pages: numbers.map((number) => ({ number, start: 0, end: 0 })),
    emptyPages: numbers,
  };
}
