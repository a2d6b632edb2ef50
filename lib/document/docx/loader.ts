import type { Loader } from "../loader.ts";
import { PREFIXES } from "../ooxml/namespaces.ts";
import { Package } from "../ooxml/package.ts";
import { guarded } from "../reader/guarded.ts";
import type { Document } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, readElements, type XmlElement } from "../xml/mod.ts";
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
  const breaks = new PageBreaks();
  const blocks = new Blocks(file, part, breaks.within);
  const builder = new MarkdownBuilder({ pageEnds: true });
  builder.page(1);
  // Text that is left out, such as a table of contents, has breaks too.
  const catchUp = () => {
    while (builder.pageNumber < breaks.page) builder.page(builder.pageNumber + 1);
  };
  for (const { element } of readElements(file.zip.pieces(part), BLOCKS, { prefixes: PREFIXES })) {
    for (let before = breaks.of(element); before > 0; before--) {
      if (!blocks.endPage()) builder.page(builder.pageNumber + 1);
    }
    blocks.add(element, builder);
    if (!blocks.hasPending) catchUp();
  }
  blocks.finish(builder);
  catchUp();
  const { title, metadata } = file.properties();
  const { pages, ...document } = builder.finish({ title: blocks.title ?? title, metadata });
  // Without any break the pages are not known: Word makes them when it shows the file.
  return breaks.page === 1 ? document : { ...document, pages: pages! };
}

/**
 * Finds the breaks between pages. Word notes where its pages began when it saved the file (`w:lastRenderedPageBreak`), also after the
 * breaks that the author set; so where there are such notes, the author's breaks do not count. Before the first note it is not known that
 * there are any: if no text stands between a break and the first note, both are the same.
 */
class PageBreaks {
  /** The page at the end of the blocks so far. */
  page = 1;
  /** The breaks that stand after text of their block. */
  readonly within = new Set<XmlElement>();
  #isRendered = false;
  #isBroken = false;

  /** Returns the number of breaks in a block before its text; the others are added to `within`. */
  of(block: XmlElement): number {
    this.within.clear();
    let before = 0;
    let hasText = false;
    const add = (element: XmlElement) => {
      this.page++;
      if (hasText) this.within.add(element);
      else before++;
    };
    const visit = (element: XmlElement): void => {
      const { name, attributes, children } = element;
      if (name === "w:t") {
        hasText = true;
        this.#isBroken = false;
      } else if (name === "w:lastRenderedPageBreak") {
        if (this.#isRendered || !this.#isBroken) add(element);
        this.#isRendered = true;
      } else if (
        !this.#isRendered &&
        (name === "w:br" && attributes["w:type"] === "page" ||
          name === "w:pageBreakBefore" && !OFF.has(attributes["w:val"] ?? ""))
      ) {
        add(element);
        this.#isBroken = true;
      }
      const shown = name === "mc:AlternateContent"
        ? [child(element, "mc:Choice") ?? child(element, "mc:Fallback")]
        : children;
      for (const one of shown) if (typeof one === "object") visit(one);
    };
    visit(block);
    return before;
  }
}

const OFF = new Set(["0", "false", "off"]);
