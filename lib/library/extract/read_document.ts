import { bytesToText, looksBinary } from "#documents/mod.ts";
import {
  codeKind,
  type Document,
  DocumentError,
  type FileName,
  type FormatName,
  formatOf,
  isBinaryFormat,
  isPicture,
  isTextFormat,
  loadDocument,
  pictureDocument,
} from "#documents/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { type Extractor, ExtractorUnavailableError } from "./extractor.ts";

/** A document, and the way in which it was read. */
export interface ReadDocument {
  readonly document: Document;
  /** `image` for a picture, `text` for a decoded text that is kept as it is, `code` if it is source code. */
  readonly format: FormatName | "text" | "image";
  /** Encoding of a decoded text. Absent if a loader read the document. */
  readonly encoding?: string;
}

/**
 * Returns the document in the bytes of a file. The loader of its format reads it in an extractor process; other files are
 * decoded as text. Throws `UserError` with `path`: `document_encrypted`, `document_damaged`, `document_unsupported`,
 * `document_too_complex`, `extractor_unavailable`, and for texts `not_text`, `unsupported_encoding`, `file_too_large`.
 * Throws the reason of `signal` when it aborts.
 */
export async function readInProcess(
  bytes: Uint8Array,
  file: FileName,
  extractor: Extractor,
  signal?: AbortSignal,
): Promise<ReadDocument> {
  const { path } = file;
  if (file.pictures && isPicture(bytes)) return { document: pictureDocument(bytes), format: "image" };
  const format = formatOf(bytes, path);
  if (format === undefined) return await readText(bytes, file, extractor, signal);
  if (isTextFormat(format) && looksBinary(bytes, true)) throw new UserError("not_text", { path });
  try {
    return { document: await extractor.extract(format, bytes, file, signal), format };
  } catch (error) {
    if (error instanceof ExtractorUnavailableError) {
      throw new UserError("extractor_unavailable", { path, error: error.message }, { cause: error });
    }
    if (!(error instanceof DocumentError)) throw error;
    // A web page or table that its loader cannot read is still a text.
    const { problem } = error;
    if (!isBinaryFormat(format) && (problem === "damaged" || problem === "unsupported")) {
      return await readText(bytes, file, extractor, signal);
    }
    throw new UserError(`document_${problem}`, { path, error: error.message }, { cause: error });
  }
}

async function readText(
  bytes: Uint8Array,
  { path, encoding: forced }: FileName,
  extractor: Extractor,
  signal: AbortSignal | undefined,
): Promise<ReadDocument> {
  const { text, encoding } = await bytesToText(bytes, { path, encoding: forced });
  const kind = codeKind(path, text);
  const parsed = kind === undefined || kind === "other"
    ? undefined
    : await parseCode(bytes, { path, encoding }, text, extractor, signal);
  const format = kind === undefined ? "text" : "code";
  return { document: parsed ?? loadDocument(path, text), format, encoding };
}

/**
 * Returns source code with the sections that a parser finds; `undefined` if the extractor is not available or decoded
 * another text.
 */
async function parseCode(
  bytes: Uint8Array,
  file: FileName,
  text: string,
  extractor: Extractor,
  signal: AbortSignal | undefined,
): Promise<Document | undefined> {
  try {
    const document = await extractor.extract("code", bytes, file, signal);
    return document.text === text ? document : undefined;
  } catch (error) {
    if (error instanceof DocumentError || error instanceof ExtractorUnavailableError) return undefined;
    throw error;
  }
}
