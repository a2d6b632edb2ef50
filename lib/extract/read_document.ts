import { bytesToText } from "../corpus/mod.ts";
import {
  type Document,
  DocumentError,
  type FileName,
  type FormatName,
  formatOf,
  isBinaryFormat,
  loadDocument,
} from "../document/mod.ts";
import { UserError } from "../errors.ts";
import { type Extractor, ExtractorUnavailableError } from "./extractor.ts";

/** A document, and how it was read. */
export interface ReadDocument {
  readonly document: Document;
  /** `text` for what is decoded and kept as it is. */
  readonly format: FormatName | "text";
  /** Encoding that a text was decoded from; absent where a loader did that. */
  readonly encoding?: string;
}

/**
 * The document in a file's bytes: by the loader of its format in an extractor process, or as a decoded text. Throws
 * `UserError` with `path`: `document_encrypted`, `document_damaged`, `document_unsupported`, `document_too_complex`,
 * `extractor_unavailable`, and for texts `not_text`, `unsupported_encoding`, `file_too_large`.
 */
export async function readDocument(
  bytes: Uint8Array,
  file: FileName,
  extractor: Extractor,
): Promise<ReadDocument> {
  const { path } = file;
  const format = formatOf(bytes, path);
  if (format === undefined) return await readText(bytes, file);
  try {
    return { document: await extractor.extract(format, bytes, file), format };
  } catch (error) {
    if (error instanceof ExtractorUnavailableError) {
      throw new UserError("extractor_unavailable", { path, error: error.message }, { cause: error });
    }
    if (!(error instanceof DocumentError)) throw error;
    // a web page or table that no loader understands still is a text
    if (!isBinaryFormat(format) && error.problem !== "encrypted" && error.problem !== "too_complex") {
      return await readText(bytes, file);
    }
    throw new UserError(`document_${error.problem}`, { path, error: error.message }, { cause: error });
  }
}

async function readText(bytes: Uint8Array, { path, encoding }: FileName): Promise<ReadDocument> {
  const decoded = await bytesToText(bytes, { path, encoding });
  return { document: loadDocument(path, decoded.text), format: "text", encoding: decoded.encoding };
}
