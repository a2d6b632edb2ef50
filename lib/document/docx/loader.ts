import type { Loader } from "../loader.ts";
import { PREFIXES } from "../ooxml/namespaces.ts";
import { Package } from "../ooxml/package.ts";
import { guarded } from "../reader/guarded.ts";
import type { Document } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { readElements, type XmlElement } from "../xml/mod.ts";
import { Blocks } from "./blocks.ts";

const BLOCKS = [
  "w:p",
  "w:tbl",
  "w:sdt",
  "w:ins",
  "w:moveTo",
  "w:customXml",
  "m:oMathPara",
  "mc:AlternateContent",
];

/** Word documents (Office Open XML), read block by block. */
export const loader: Loader = { load: (bytes) => guarded(() => loadDocx(bytes)) };

function loadDocx(bytes: Uint8Array): Document {
  const file = new Package(bytes);
  const part = file.main("word/document.xml");
  const blocks = new Blocks(file, part);
  const builder = new MarkdownBuilder();
  const breaks = new PageBreaks();
  builder.page(1);
  for (const { element } of readElements(file.zip.pieces(part), BLOCKS, { prefixes: PREFIXES })) {
    const { before, within } = breaks.of(element);
    for (let i = 0; i < before; i++) builder.page(++breaks.page);
    blocks.add(element, builder);
    for (let i = 0; i < within; i++) builder.page(++breaks.page);
  }
  blocks.finish(builder);
  const { title, metadata } = file.properties();
  const { pages, ...document } = builder.finish({ title: blocks.title ?? title, metadata });
  // Without any break the pages are not known: Word makes them when it shows the file.
  return breaks.page === 1 ? document : { ...document, pages: pages! };
}

/**
 * Finds the breaks between pages. Word notes where its pages ended when it saved the file (`w:lastRenderedPageBreak`), also after the
 * breaks that the author set; so where there are such notes, the author's breaks do not count.
 */
class PageBreaks {
  /** The page that the next block begins on. */
  page = 1;
  #isRendered = false;

  /** Number of breaks in a block before its text, and after the start of its text. */
  of(block: XmlElement): { before: number; within: number } {
    const found = { before: 0, within: 0 };
    let hasText = false;
    const count = () => hasText ? found.within++ : found.before++;
    const visit = ({ name, attributes, children }: XmlElement): void => {
      if (name === "w:lastRenderedPageBreak") {
        this.#isRendered = true;
        count();
      } else if (!this.#isRendered && name === "w:br" && attributes["w:type"] === "page") count();
      else if (!this.#isRendered && name === "w:pageBreakBefore" && !OFF.has(attributes["w:val"] ?? "")) {
        count();
      } else if (name === "w:t") hasText = true;
      for (const one of children) if (typeof one !== "string") visit(one);
    };
    visit(block);
    return found;
  }
}

const OFF = new Set(["0", "false", "off"]);
