import type { Loader } from "../loader.ts";
import { PREFIXES } from "../ooxml/namespaces.ts";
import { Package } from "../ooxml/package.ts";
import { guarded } from "../reader/guarded.ts";
import type { Document } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { child, readElements, textOf, type XmlElement } from "../xml/mod.ts";
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
  const within = new Set<XmlElement>();
  const blocks = new Blocks(file, part, within);
  const breaks = new PageBreaks(within, {
    breaksPage: (paragraph) => blocks.breaksPage(paragraph),
    sections: () =>
      Array.from(
        readElements(file.zip.pieces(part), ["w:sectPr"], { prefixes: PREFIXES }),
        ({ element }) => element,
      ),
  });
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
  #isRendered = false;
  /** Whether nothing is shown since the last break, and in the document so far. */
  #isBroken = false;
  #isEmpty = true;
  /** Number of the sections that have ended. */
  #section = 0;
  #sections: readonly XmlElement[] | undefined;

  /**
   * `within`: gets the breaks that stand after text of their block. `breaksPage`: whether a paragraph begins a page. `sections`: returns the
   * properties of all sections, which are read only if there are several.
   */
  constructor(
    readonly within: Set<XmlElement>,
    readonly source: {
      readonly breaksPage: (paragraph: XmlElement) => boolean;
      readonly sections: () => readonly XmlElement[];
    },
  ) {}

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
      // A page on which nothing is shown so far is not left.
      const mayBreak = name === "w:p" && !this.#isRendered && !this.#isEmpty && !this.#isBroken;
      if (mayBreak && this.source.breaksPage(element)) {
        add(element);
        this.#isBroken = true;
      }
      if (SHOWN.has(name)) {
        hasText ||= name === "w:t" && textOf(element).trim() !== "";
        this.#isBroken = false;
        this.#isEmpty = false;
      } else if (name === "w:lastRenderedPageBreak") {
        if (this.#isRendered || !this.#isBroken) add(element);
        this.#isRendered = true;
      } else if (!this.#isRendered && name === "w:br" && attributes["w:type"] === "page") {
        add(element);
        this.#isBroken = true;
        this.#isEmpty = false;
      }
      const inside = name === "mc:AlternateContent"
        ? [child(element, "mc:Choice") ?? child(element, "mc:Fallback")]
        : children;
      for (const one of inside) if (typeof one === "object") visit(one);
      if (name === "w:p" && child(element, "w:pPr", "w:sectPr") !== undefined) this.#endSection();
    };
    visit(block);
    return before;
  }

  /** Counts the break after the last paragraph of a section. The properties of the next section say whether it begins a page. */
  #endSection(): void {
    this.#sections ??= this.source.sections();
    const next = this.#sections[++this.#section];
    const type = child(next, "w:type")?.attributes["w:val"] ?? "nextPage";
    if (next === undefined || this.#isRendered || this.#isBroken || SAME_PAGE.has(type)) return;
    this.page++;
    this.#isBroken = true;
  }
}

/** Elements that are seen on a page. */
const SHOWN = new Set(["w:t", "m:t", "w:drawing", "w:pict", "w:object"]);

/** Types of sections that begin on the page of the one before. */
const SAME_PAGE = new Set(["continuous", "nextColumn"]);
