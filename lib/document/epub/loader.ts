import { convertHtml, decodeHtml } from "../html/mod.ts";
import type { FileName, Loader } from "../loader.ts";
import { guarded } from "../reader/guarded.ts";
import type { Document } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { Zip, ZIP_LIMITS } from "../zip/mod.ts";
import { readChapters } from "./navigation.ts";
import { readPackage } from "./package.ts";

/** Bytes of text that a book may inflate to. The longest novels have ten million. */
const MOST_TEXT = 200_000_000;

/** EPUB 2 and 3: the documents in reading order. A chapter without a heading gets its title from the table of contents. */
export const loader: Loader = { load: (bytes, file) => guarded(() => loadEpub(bytes, file)) };

async function loadEpub(bytes: Uint8Array<ArrayBuffer>, file: FileName): Promise<Document> {
  const zip = new Zip(bytes, { ...ZIP_LIMITS, size: MOST_TEXT });
  const book = readPackage(zip);
  const chapters = readChapters(zip, book);
  const builder = new MarkdownBuilder();
  for (const [i, path] of book.spine.entries()) {
    const page = zip.read(path);
    if (page === undefined) continue;
    const chapter = chapters.get(path);
    builder.page(i + 1, "chapter", chapter?.title);
    await convertHtml(await decodeHtml(page, file.encoding), builder, {
      xml: true,
      extent: "whole",
      ...(chapter === undefined ? {} : { heading: chapter }),
    });
  }
  return builder.finish({ title: book.title, metadata: book.metadata });
}
