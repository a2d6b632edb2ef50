import { DocumentError } from "../types.ts";

/** The data of a language, as Tesseract reads it. */
export interface LanguageData {
  /** `eng`, `chi_sim`. */
  readonly language: string;
  readonly bytes: Uint8Array;
}

/** A request to recognise the text in pages of a document. */
export interface RecognitionRequest {
  /** `pdf`: the pages are drawn. `image`: a picture, or the pages of a TIFF. */
  readonly kind: "pdf" | "image";
  /** Numbers of the pages, counted from 1. */
  readonly pages: readonly number[];
  /** The languages of the text, the one to be tried first in front. */
  readonly languages: readonly LanguageData[];
  readonly document: Uint8Array;
}

interface Head {
  readonly kind: "pdf" | "image";
  readonly pages: readonly number[];
  readonly languages: readonly { readonly language: string; readonly length: number }[];
}

/**
 * Packs a request into the bytes that the loader `recognition` gets in the place of a document:
 *
 * ```text
 * u32 length of the head, little-endian | head, JSON in UTF-8 | data of the languages | document
 * ```
 */
export function packRequest(
  { kind, pages, languages, document }: RecognitionRequest,
): Uint8Array<ArrayBuffer> {
  const head: Head = {
    kind,
    pages,
    languages: languages.map(({ language, bytes }) => ({ language, length: bytes.length })),
  };
  const json = new TextEncoder().encode(JSON.stringify(head));
  const parts = [json, ...languages.map(({ bytes }) => bytes), document];
  const packed = new Uint8Array(4 + parts.reduce((sum, { length }) => sum + length, 0));
  new DataView(packed.buffer).setUint32(0, json.length, true);
  let at = 4;
  for (const part of parts) {
    packed.set(part, at);
    at += part.length;
  }
  return packed;
}

/** Returns the request in `packed`, without copying. Throws {@linkcode DocumentError}. */
export function unpackRequest(packed: Uint8Array<ArrayBuffer>): RecognitionRequest {
  try {
    const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
    const head: Head = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + length)));
    let at = 4 + length;
    const languages = head.languages.map(({ language, length }) => ({
      language,
      bytes: packed.subarray(at, at += length),
    }));
    return { kind: head.kind, pages: head.pages, languages, document: packed.subarray(at) };
  } catch (error) {
    throw new DocumentError("damaged", "the request cannot be read", { cause: error });
  }
}
