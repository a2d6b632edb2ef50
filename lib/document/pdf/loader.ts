import type { Loader } from "../loader.ts";
import { type Document, DocumentError } from "../types.ts";
import { blocksOf, type PageBlocks } from "./blocks.ts";
import { withHeads } from "./continued_tables.ts";
import { joinContinuations } from "./continuations.ts";
import { headingsOf } from "./headings.ts";
import { readMetadata } from "./metadata.ts";
import { documentError, openPdf } from "./open_pdf.ts";
import { readOutline } from "./outline.ts";
import { layOut } from "./page_layout.ts";
import { readPage } from "./read_page.ts";
import { runningHeads } from "./running_heads.ts";
import type { Face, OutlineEntry, PageContent } from "./types.ts";
import { writeDocument } from "./write_document.ts";

/** Most pages of a document. A file with more is an attack or a collection. */
const MOST_PAGES = 10_000;
/** Most text runs of a document. */
const MOST_RUNS = 2_000_000;

/** Everything that is read from a file before its pages are laid out. */
interface Reading {
  readonly contents: readonly PageContent[];
  readonly outline: readonly OutlineEntry[];
  readonly description: Awaited<ReturnType<typeof readMetadata>>;
}

/** PDF documents, read with pdf.js. */
export const loader: Loader = {
  async load(bytes: Uint8Array<ArrayBuffer>): Promise<Document> {
    const { contents, outline, description } = await read(bytes);
    const heads = runningHeads(contents);
    const pages: PageBlocks[] = contents.map(({ layers }, i) => ({
      page: i + 1,
      blocks: layers.flatMap((layer) =>
        layOut({ ...layer, runs: layer.runs.filter((run) => !heads.has(run)) }).flatMap(blocksOf)
      ),
    }));
    const headings = headingsOf(pages, outline);
    return writeDocument(withHeads(joinContinuations(pages, headings), headings), headings, description);
  },
};

async function read(bytes: Uint8Array): Promise<Reading> {
  const { OPS } = await import("unpdf/pdfjs");
  const pdf = await openPdf(bytes);
  try {
    if (pdf.numPages > MOST_PAGES) {
      throw new DocumentError(
        "too_complex",
        `the PDF has ${pdf.numPages} pages; ${MOST_PAGES} are read at most`,
      );
    }
    const contents: PageContent[] = [];
    const faces = new Map<string, Face>();
    let runs = 0;
    let failure: unknown;
    for (let number = 1; number <= pdf.numPages; number++) {
      let content: PageContent = { width: 0, height: 0, layers: [] };
      try {
        content = await readPage(await pdf.getPage(number), OPS, faces);
      } catch (error) {
        if (error instanceof DocumentError) throw error;
        // The other pages may be readable.
        failure ??= error;
      }
      contents.push(content);
      runs += content.layers.reduce((sum, layer) => sum + layer.runs.length, 0);
      if (runs > MOST_RUNS) {
        throw new DocumentError("too_complex", `the PDF contains more than ${MOST_RUNS} pieces of text`);
      }
    }
    if (runs === 0 && failure !== undefined) throw failure;
    return { contents, outline: await readOutline(pdf), description: await readMetadata(pdf) };
  } catch (error) {
    throw documentError(error);
  } finally {
    await pdf.loadingTask.destroy();
  }
}
