/**
 * Texts and their outlines: one loader per format.
 * @module
 */
export { codeKind } from "./code/mod.ts";
export { formatByName, type FormatName, formatOf, isBinaryFormat, isTextFormat } from "./formats.ts";
export type { ExtractRequest, ExtractResponse } from "./thread/messages.ts";
export { loadDocument } from "./load_document.ts";
export { MarkdownBuilder } from "./writer/markdown_builder.ts";
export {
  type Document,
  DocumentError,
  type DocumentProblem,
  type FileName,
  type Image,
  type Loader,
  type Metadata,
  type Page,
  type Section,
} from "./types.ts";
