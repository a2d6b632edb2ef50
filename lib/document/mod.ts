/**
 * Loaders: they turn the files of each format into a text with sections, pages, images and metadata.
 * @module
 */
export { codeKind } from "./code/languages.ts";
export { formatByName, formatOf, isBinaryFormat, isTextFormat } from "./format_of.ts";
export type { FormatName } from "./formats.ts";
export type { ExtractRequest, ExtractResponse } from "./thread/messages.ts";
export { RECOGNITION } from "./formats.ts";
export type { FileName, Loader } from "./loader.ts";
export { loadDocument } from "./load_document.ts";
export { closesFenceAt, type Fence, fenceOpenedAt, listMarkerLength } from "./markup/markdown_lines.ts";
export { isPicture, pictureDocument } from "./recognition/picture.ts";
export { pagesToRecognise, withRecognisedText } from "./recognition/recognised_text.ts";
export { type LanguageData, packRequest, type RecognitionRequest } from "./recognition/request.ts";
export { MarkdownBuilder } from "./writer/markdown_builder.ts";
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
