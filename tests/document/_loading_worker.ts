/// <reference lib="deno.worker" />
/** A thread in which a loader reads one document at a time, so that a test can end a loader that hangs. */
import { chunkDocument } from "../../lib/chunk/mod.ts";
import { loaderOf } from "../../lib/document/formats.ts";
import { type Document, DocumentError, loadDocument } from "../../lib/document/mod.ts";
import { checkCoverage, checkSpans } from "../chunk/_spans.ts";
import { checkDocument } from "./_check_document.ts";

/** A document to read by a loader, or as a text if no format is given. */
export interface Task {
  readonly format?: string | undefined;
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

// Like the thread of the extractor process, which survives rejections that nobody handles.
self.addEventListener("unhandledrejection", (event) => event.preventDefault());
self.onmessage = async ({ data }: MessageEvent<Task>) => {
  self.postMessage(await defectOf(data));
};
self.postMessage(undefined);

/** Returns what is wrong with the way in which a document is read, or `undefined`. */
async function defectOf({ format, path, bytes }: Task): Promise<string | undefined> {
  let document: Document;
  try {
    document = format === undefined
      ? loadDocument(path, new TextDecoder().decode(bytes))
      : await (await loaderOf(format))!.load(bytes, { path });
  } catch (error) {
    return error instanceof DocumentError ? undefined : `not a DocumentError: ${traceOf(error)}`;
  }
  try {
    checkDocument(document);
    const chunks = chunkDocument(document, { maxChars: 60, overlap: 10, chunksPerFile: "auto" });
    checkSpans(document.text, chunks);
    checkCoverage(document.text, chunks);
    return undefined;
  } catch (error) {
    return traceOf(error);
  }
}

function traceOf(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}
