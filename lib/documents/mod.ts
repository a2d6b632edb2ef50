/**
 * Documents: the bytes of a file become a text with sections, tables, pages, pictures and metadata.
 * @module
 */
import { loaderOfFormat } from "./formats.ts";
import type { FileName, Loader } from "./types.ts";
import type { ReadDocument, RunLoader } from "./read_document.ts";
import type { PicturesRead } from "./pictures/read_pictures.ts";
import type { PictureRequest } from "./pictures/types.ts";

/**
 * Returns the document in the bytes of a file. Its content decides the format, or else the extension of its path. The
 * modules for reading are imported at the first call, those of a loader when a file of its format comes. `run`: runs a
 * loader; by default in this thread, where nothing ends a loader that takes long. Rejects with {@linkcode DocumentError}.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { readDocument } from "./mod.ts";
 *
 * const bytes = new TextEncoder().encode("<!doctype html><h1>Keys</h1><p>Rotate them.");
 * const { document, format } = await readDocument(bytes, { path: "keys.txt" });
 * equal(`${format}: ${document.text}`, "html: # Keys\n\nRotate them.\n");
 * ```
 */
export async function readDocument(
  bytes: Uint8Array,
  file: FileName,
  run?: RunLoader,
): Promise<ReadDocument> {
  const { read } = await import("./read_document.ts");
  return await read(bytes, file, run);
}

/** Name of the loader that recognises text in images. No file is of this format. */
export const RECOGNITION = "recognition";

/** Returns the loader of a format or {@linkcode RECOGNITION}; `undefined` for an unknown name. */
export async function loaderOf(name: string): Promise<Loader | undefined> {
  // Its bytes are a request, not a file. It reads documents of all formats, so their registry cannot name it.
  if (name === RECOGNITION) return (await import("./recognition/loader.ts")).loader;
  return await loaderOfFormat(name);
}

/**
 * Answers a request for the pictures of the document in `bytes`, or for a page as a picture. The modules are imported at the first call.
 * Rejects with {@linkcode DocumentError}.
 */
export async function readPictures(
  bytes: Uint8Array<ArrayBuffer>,
  file: FileName,
  request: PictureRequest,
): Promise<PicturesRead> {
  const { readPictures } = await import("./pictures/read_pictures.ts");
  return await readPictures(bytes, file, request);
}

/** Returns a predefined CMap of PDF by its name, in the binary form of pdf.js; `undefined` for another name. */
export async function characterMap(name: string): Promise<Uint8Array | undefined> {
  const { loadCMaps } = await import("./pdfjs.ts");
  return (await loadCMaps()).get(name);
}

export type { PicturesRead, ReadDocument, RunLoader };
export { contentOf, formatByName, type FormatName, formatOf } from "./formats.ts";
export type { FileName, Loader } from "./types.ts";
export { joinedBytes } from "./bytes.ts";
export type { ArchiveRequest } from "./archive/archive.ts";

/** The functions that read archives. Their module is imported at the first call. */
export async function archiveReader(): Promise<typeof import("./archive/archive.ts")> {
  return await import("./archive/archive.ts");
}
export { closesFenceAt, type Fence, fenceOpenedAt, listMarkerLength } from "./text/markdown.ts";
export {
  type LanguageData,
  packRequest,
  pagesToRecognise,
  type RecognitionRequest,
} from "./recognition/request.ts";
export { recognisedImages, withRecognisedText } from "./recognition/recognised_text.ts";
export {
  mayHoldPictures,
  MOST_PICTURE_PIXELS,
  MOST_PICTURES,
  picturesToRecognise,
} from "./recognition/chosen_pictures.ts";
export { MarkdownBuilder } from "./markdown_builder.ts";
export { bounded, metadataFields, united } from "./metadata.ts";
export { type BibEntry, readBibtex } from "./text/bibtex.ts";
export { imageReferences, localPath } from "./pictures/references.ts";
export { picturesToCaption, type PictureToCaption } from "./pictures/to_caption.ts";
export { withPictureLines } from "./pictures/picture_lines.ts";
export { captionNear, isPictureCaption, placesIn } from "./pictures/captions.ts";
export type { GivenPicture, ListedPicture, PictureAnswer, PictureRequest } from "./pictures/types.ts";
export { cellsOf, type DocumentTable, isSecondHead, type TableRow, tablesOf } from "./tables.ts";
export {
  type Document,
  DocumentError,
  type DocumentProblem,
  type Image,
  LONGEST_TEXT,
  type Metadata,
  type Page,
  PAGE_UNITS,
  type PageUnit,
  rowAt,
  type Section,
  type SheetRows,
} from "./types.ts";
export {
  binaryReason,
  isArchiveName,
  isMediaKind,
  isPictureName,
  looksBinary,
  mediaByContent,
  mediaByName,
  type MediaKind,
  type NameType,
  typeByName,
} from "./classify.ts";
export { decode, type Decoded } from "./encoding.ts";
export { bytesToText } from "./decode.ts";
