/**
 * Loaders: they turn the files of each format into a text with sections, pages, images and metadata.
 * @module
 */
export { codeKind } from "./code/languages.ts";
export {
  formatByName,
  type FormatName,
  formatOf,
  isBinaryFormat,
  isTextFormat,
  RECOGNITION,
} from "./formats.ts";
export type { ExtractRequest, ExtractResponse } from "./serve_loaders.ts";
export type { FileName, Loader } from "./loader.ts";
export { loadDocument } from "./text/load_document.ts";
export { closesFenceAt, type Fence, fenceOpenedAt, listMarkerLength } from "./text/markdown.ts";
export {
  isPicture,
  type LanguageData,
  packRequest,
  pagesToRecognise,
  pictureDocument,
  type RecognitionRequest,
  withRecognisedText,
} from "./recognition/request.ts";
export { MarkdownBuilder } from "./markdown_builder.ts";
export {
  type Document,
  DocumentError,
  type DocumentProblem,
  type Image,
  type Metadata,
  type Page,
  PAGE_UNITS,
  type PageUnit,
  type Section,
} from "./types.ts";
export {
  binaryReason,
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
export { bytesToText, tooLarge } from "./decode.ts";
