import type { FileName } from "../document/mod.ts";
import type { Extractor } from "./extractor.ts";
import type { ReadDocument } from "./read_document.ts";

/**
 * Calls {@linkcode import("./read_document.ts").readDocument}. Its modules are imported at the first call: every start of
 * the program loads this folder, but few starts read a document.
 */
export async function readDocument(
  bytes: Uint8Array,
  file: FileName,
  extractor: Extractor,
  signal?: AbortSignal,
): Promise<ReadDocument> {
  const module = await import("./read_document.ts");
  return await module.readDocument(bytes, file, extractor, signal);
}
