/// <reference lib="deno.worker" />
/** A thread that reads documents like the program's, and answers with what is wrong with how they are read. */
import { chunkDocument } from "#engine/chunk/mod.ts";
import { type Document, DocumentError, type Loader, loaderOf } from "#documents/mod.ts";
import { loadDocument } from "#documents/read_document.ts";
import { serveLoaders } from "#library/extract/serve_loaders.ts";
import { checkCoverage, checkSpans } from "../engine/chunk/_spans.ts";
import { checkDocument } from "./_check_document.ts";

serveLoaders({
  onTask: (callback) => self.onmessage = ({ data }) => callback(data),
  post: (message, transfer) => self.postMessage(message, transfer),
}, (format) => Promise.resolve(checkedLoader(format)));

/** A loader whose documents have the defect as their text: empty if there is none. `text`: a format that no loader reads. */
function checkedLoader(format: string): Loader {
  return {
    async load(bytes, file) {
      let document: Document;
      try {
        document = format === "text"
          ? loadDocument(file.path, new TextDecoder().decode(bytes))
          : await (await loaderOf(format))!.load(bytes, file);
      } catch (error) {
        if (error instanceof DocumentError) throw error;
        return { text: `not a DocumentError: ${traceOf(error)}`, sections: [] };
      }
      return { text: defectOf(document), sections: [] };
    },
  };
}

function defectOf(document: Document): string {
  try {
    checkDocument(document);
    const chunks = chunkDocument(document, { maxChars: 60, overlap: 10, chunksPerFile: "auto" });
    checkSpans(document.text, chunks);
    checkCoverage(document.text, chunks, document.bodyStart);
    return "";
  } catch (error) {
    return traceOf(error);
  }
}

function traceOf(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}
