import type { FileName, Loader } from "../loader.ts";
import { guarded } from "../reader/guarded.ts";
import { readFrontMatter } from "../markup/front_matter.ts";
import type { Document } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { convertHtml } from "./convert.ts";
import { decodeHtml } from "./decode.ts";

/** HTML and XHTML: the main content of a page, or all of it if the main content is not certain. */
export const loader: Loader = { load: (bytes, file) => guarded(() => loadPage(bytes, file)) };

async function loadPage(bytes: Uint8Array<ArrayBuffer>, file: FileName): Promise<Document> {
  const source = await decodeHtml(bytes, file.encoding);
  return await loadHtml(source);
}

/** Returns the document of a decoded page. */
export async function loadHtml(source: string): Promise<Document> {
  const builder = new MarkdownBuilder();
  // Site generators keep the title and date of a page above its markup.
  const { end, fields } = readFrontMatter(source);
  if (fields !== undefined) source = source.slice(end);
  const facts = await convertHtml(source, builder, { xml: isXhtml(source), extent: "page" });
  const title = fields?.title ?? facts.title;
  if (builder.length === 0 && title !== "") {
    builder.heading(1, title);
    builder.paragraph(facts.description);
  }
  return builder.finish({ title, metadata: { ...facts.metadata, ...fields?.metadata } });
}

/** Returns whether a page is real XHTML, where elements may be empty. Other pages only have similar tags. */
function isXhtml(source: string): boolean {
  const head = source.slice(0, 2_000);
  return /^\s*<\?xml\s/.test(head) && /<html[^>]{0,500}\sxmlns\s*=/i.test(head);
}
