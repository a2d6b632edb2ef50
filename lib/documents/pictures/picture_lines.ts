/** A document of pictures alone gets a line for each of them, so that it has a text to which their descriptions belong. */
import { MarkdownBuilder } from "../markdown_builder.ts";
import { type Document, type FileName, fileName, given, type Image } from "../types.ts";

/** Most pictures of a document that get a line. */
const MOST_LINES = 1_000;

/**
 * Returns a picture as a document that has itself as its only picture, and a document with pictures but no text with a line for each of
 * them, `![scan.pdf 3]()` on page 3. Other documents are returned as they are. The lines depend on the document alone.
 */
export function withPictureLines(
  document: Document,
  { path }: Pick<FileName, "path">,
  format: string,
): Document {
  const { text, pages = [], images: own = [], pageUnit } = document;
  const isPicture = format === "image";
  const images: readonly Image[] = isPicture ? [{ at: 0, page: 1 }] : own;
  if (images.length === 0) return document;
  if (text.trim() !== "") return isPicture ? { ...document, images } : document;
  const name = fileName(path);
  const builder = new MarkdownBuilder();
  const rest = pages.values();
  const beginPages = (upTo: number) => {
    while (builder.pageNumber < upTo) {
      const { value: page, done } = rest.next();
      if (done) return;
      builder.page(page.number, pageUnit, page.label);
    }
  };
  for (const [i, { page }] of images.entries()) {
    if (page !== undefined) beginPages(page);
    builder.image(i >= MOST_LINES ? undefined : isPicture || page === undefined ? name : `${name} ${page}`);
  }
  beginPages(Infinity);
  const { text: lines, pages: begun, images: placed } = builder.finish();
  return { ...document, text: lines, sections: [], ...given({ pages: begun, images: placed }) };
}
