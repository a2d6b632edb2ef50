/**
 * The main process's side of text recognition: the request for some pages of a document.
 * Below it: which pages need it, and pictures as documents.
 */
import { type Document, DocumentError, type FileName, given, viewOf } from "../types.ts";
import { isLittleEndian, tiffDirectories } from "../pictures/picture_parts.ts";

/** The data of a language, as Tesseract reads it. */
export interface LanguageData {
  /** `eng`, `chi_sim`. */
  readonly language: string;
  readonly bytes: Uint8Array;
}

/** A request to recognise the text in pages or pictures of a document. */
export interface RecognitionRequest {
  /** `pdf`: the pages are drawn. `image`: a picture, or the pages of a TIFF. `pictures`: those inside of a document. */
  readonly kind: "pdf" | "image" | "pictures";
  /** Numbers of the pages, or of the pictures, counted from 1. */
  readonly pages: readonly number[];
  /** Name and encoding of the document, for `pictures`. */
  readonly file?: Pick<FileName, "path" | "encoding">;
  /** The languages of the text, the one to be tried first in front. */
  readonly languages: readonly LanguageData[];
  readonly document: Uint8Array;
}

interface Head extends Pick<RecognitionRequest, "kind" | "pages" | "file"> {
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
  { kind, pages, file, languages, document }: RecognitionRequest,
): Uint8Array<ArrayBuffer> {
  const head: Head = {
    kind,
    pages,
    ...given({ file }),
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
    const length = viewOf(packed).getUint32(0, true);
    const head: Head = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + length)));
    let at = 4 + length;
    const languages = head.languages.map(({ language, length }) => ({
      language,
      bytes: packed.subarray(at, at += length),
    }));
    const { kind, pages, file } = head;
    return { kind, pages, ...given({ file }), languages, document: packed.subarray(at) };
  } catch (error) {
    throw new DocumentError("damaged", "the request cannot be read", { cause: error });
  }
}

/**
 * Letters and digits of a page below which it may be a scan: a header, a page number or a stamp may lie over the picture.
 */
const FEW_CHARACTERS = 50;

/** Formats whose pages may be scans. */
const SCANNED = new Set(["pdf", "image"]);

/** Returns the numbers of the pages in which text could be recognised: those with little or no text of their own. */
export function pagesToRecognise({ text, pages = [] }: Document, format: string): number[] {
  if (!SCANNED.has(format)) return [];
  return pages.filter(({ start, end }) => !hasText(text.slice(start, end))).map(({ number }) => number);
}

/** Whether a page has enough text of its own. */
export function hasText(page: string): boolean {
  let count = 0;
  for (const _ of page.matchAll(/[\p{L}\p{N}]/gu)) if (++count === FEW_CHARACTERS) return true;
  return false;
}

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

/** Returns the number of pages of a TIFF: its directories, which form a chain. 1 for any other file. */
export function tiffPages(bytes: Uint8Array): number {
  return Math.max(1, tiffDirectories(bytes).length);
}

/** Returns a copy of a TIFF that begins with another of its pages, counted from 1; `undefined` if it has no such page. */
export function tiffPage(bytes: Uint8Array, number: number): Uint8Array | undefined {
  const directory = tiffDirectories(bytes)[number - 1];
  if (directory === undefined) return undefined;
  const page = bytes.slice();
  new DataView(page.buffer).setUint32(4, directory, isLittleEndian(bytes));
  return page;
}
