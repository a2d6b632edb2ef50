/**
 * Loads Word documents (Office Open XML): pages, blocks, tables, notes and comments.
 * The file is read block by block, so that a long document takes little memory.
 */
import { guarded, type Loader, words } from "../types.ts";
import { chosen, Package } from "../office/package.ts";
import { type BlockSink, MarkdownBuilder, PAGE_END } from "../markdown_builder.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml.ts";
import { addGraphic } from "../office/embedded.ts";
import { addQuotation, Blocks, commentLabel, plainHeading } from "../office/text.ts";
import { type Attachment, attachmentsIn, type Inline, InlineReader } from "./inline.ts";
import { addTable } from "./table.ts";
import { type DocxStyle, flag, listOf, Numbering, outlineLevel, Styles } from "./styles.ts";

const BLOCKS = words("w:p w:tbl w:sdt w:ins w:moveTo w:customXml m:oMathPara mc:AlternateContent");

/** Word documents (Office Open XML), read block by block. */
export const loader: Loader = guarded((bytes, name) => {
  const file = new Package(bytes);
  const part = file.main("word/document.xml");
  const within = new Set<XmlElement>();
  const blocks = new BodyBlocks(file, part, within);
  const breaks = new PageBreaks(within, blocks, () => [...file.elements(part, ["w:sectPr"])]);
  const builder = new MarkdownBuilder(name, { pageEnds: true });
  builder.page(1);
  // Text that is left out, such as a table of contents, has breaks too.
  const catchUp = () => {
    while (builder.pageNumber < breaks.page) builder.page(builder.pageNumber + 1);
  };
  for (const element of file.elements(part, BLOCKS)) {
    for (let before = breaks.of(element); before > 0; before--) {
      if (!blocks.endPage()) builder.page(builder.pageNumber + 1);
    }
    blocks.add(element, builder);
    if (!blocks.hasPending) catchUp();
  }
  blocks.finish(builder);
  catchUp();
  addRunningPictures(file, part, builder);
  const { title, metadata } = file.properties();
  const { pages, ...document } = builder.finish({ title: blocks.headings.title ?? title, metadata });
  // Without any break the pages are not known: Word makes them when it shows the file.
  return breaks.page === 1 ? document : { ...document, pages: pages! };
});

const DRAWINGS = words("mc:AlternateContent w:drawing w:pict w:object");

/** Records the pictures in headers and footers, such as a logo, each once: the pages of a document repeat them. */
function addRunningPictures(file: Package, part: string, builder: MarkdownBuilder): void {
  const seen = new Set<string>();
  const parts = file.relations(part).filter(({ type, external }) =>
    (type === "header" || type === "footer") && !external
  );
  for (const name of new Set(parts.map(({ target }) => target))) {
    if (!file.has(name)) continue;
    const add = (drawing: XmlElement, depth: number) => {
      for (const one of attachmentsIn(drawing)) {
        if (one.kind === "text box" && depth < DEEPEST) {
          for (const block of children(one.content)) add(block, depth + 1);
        }
        if (one.kind !== "image") continue;
        const [embedded, linked] = one.ids;
        const target = (file.target(name, embedded) ?? file.target(name, linked))?.target;
        if (target === undefined || seen.has(target)) continue;
        seen.add(target);
        // It repeats on every page, however large it is.
        builder.image(undefined, {
          ...file.picture(name, embedded, linked),
          alt: one.caption ?? "",
          share: 0,
        });
      }
    };
    for (const drawing of file.elements(name, DRAWINGS)) add(drawing, 0);
  }
}

/**
 * Finds the breaks between pages. Word notes where its pages began when it saved the file (`w:lastRenderedPageBreak`), also after the
 * breaks that the author set; so where there are such notes, the author's breaks do not count. Before the first note it is not known that
 * there are any: if no text stands between a break and the first note, both are the same.
 */
class PageBreaks {
  readonly #within: Set<XmlElement>;
  readonly #blocks: BodyBlocks;
  readonly #readSections: () => readonly XmlElement[];
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
   * `within`: gets the breaks that stand after text of their block. `readSections`: returns the properties of all sections,
   * which are read only if there are several.
   */
  constructor(within: Set<XmlElement>, blocks: BodyBlocks, readSections: () => readonly XmlElement[]) {
    this.#within = within;
    this.#blocks = blocks;
    this.#readSections = readSections;
  }

  /** Returns the number of breaks in a block before its text; the others are added to `within`. */
  of(block: XmlElement): number {
    this.#within.clear();
    let before = 0;
    let hasText = false;
    const add = (element: XmlElement) => {
      this.page++;
      if (hasText) this.#within.add(element);
      else before++;
    };
    const visit = (element: XmlElement): void => {
      const { name, attributes } = element;
      // A page on which nothing is shown so far is not left.
      const mayBreak = name === "w:p" && !this.#isRendered && !this.#isEmpty && !this.#isBroken;
      if (mayBreak && this.#blocks.breaksPage(element)) {
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
      (name === "mc:AlternateContent" ? chosen(element) : children(element)).forEach(visit);
      if (name === "w:p" && child(element, "w:pPr", "w:sectPr") !== undefined) this.#endSection();
    };
    visit(block);
    return before;
  }

  /** Counts the break after the last paragraph of a section. The properties of the next section say whether it begins a page. */
  #endSection(): void {
    this.#sections ??= this.#readSections();
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

/** Deepest nesting of text boxes and tables; deeper ones are left out. */
const DEEPEST = 20;
/** Matches characters of code that prose in a monospaced font lacks. */
const CODE_SIGNS = /[{}();=<>[\]|\\$#_]|^\s{2,}\S|:$/m;

/** Turns the blocks of a document's body into Markdown. */
class BodyBlocks extends Blocks {
  readonly #package: Package;
  readonly #part: string;
  readonly #styles: Styles;
  readonly #numbering: Numbering;
  readonly #notes: Notes;
  readonly #inline: InlineReader;
  readonly #pageEnds: ReadonlySet<XmlElement>;

  /** `pageEnds`: breaks between pages that stand after text of their block. */
  constructor(file: Package, part: string, pageEnds: ReadonlySet<XmlElement>) {
    super(DEEPEST);
    this.#package = file;
    this.#part = part;
    this.#pageEnds = pageEnds;
    const related = (type: string) => file.part(file.related(part, type));
    this.#styles = new Styles(related("styles"));
    this.#numbering = new Numbering(related("numbering"));
    this.#notes = new Notes(related);
    this.#inline = new InlineReader(this.#styles, (id) => file.target(part, id)?.target, pageEnds);
  }

  /** Whether a paragraph begins a page, by its own properties or by those of its style. */
  breaksPage(paragraph: XmlElement): boolean {
    const properties = child(paragraph, "w:pPr");
    const style = this.#styles.get(child(properties, "w:pStyle")?.attributes["w:val"]);
    return flag(properties, "w:pageBreakBefore") ?? style.breaksPage ?? false;
  }

  /** Notes that a page ends in the code that is still pending; returns false if there is none. */
  endPage(): boolean {
    const line = this.code.pop();
    if (line !== undefined) this.code.push(line + PAGE_END);
    return line !== undefined;
  }

  /** Whether lines of code are pending, whose ends of pages are not yet written. */
  get hasPending(): boolean {
    return this.code.length > 0;
  }

  protected override one(block: XmlElement, sink: BlockSink): void {
    switch (block.name) {
      case "w:p":
        return this.#paragraph(block, sink);
      case "w:tbl":
        this.endCode(sink);
        return addTable(block, sink, this);
      case "w:sdt": {
        const properties = child(block, "w:sdtPr");
        const gallery = child(properties, "w:docPartObj", "w:docPartGallery")?.attributes["w:val"];
        if (gallery === "Table of Contents") return;
        const isEmpty = child(properties, "w:showingPlcHdr") !== undefined;
        for (const one of isEmpty ? [] : children(child(block, "w:sdtContent"))) this.one(one, sink);
        return;
      }
      case "w:ins":
      case "w:moveTo":
      case "w:customXml":
      case "w:smartTag":
        for (const one of children(block)) this.one(one, sink);
        return;
      case "mc:AlternateContent":
        return chosen(block).forEach((one) => this.one(one, sink));
      case "m:oMathPara":
      case "m:oMath":
        return this.#paragraph({ name: "w:p", attributes: {}, children: [block] }, sink);
    }
  }

  #paragraph(paragraph: XmlElement, sink: BlockSink): void {
    const properties = child(paragraph, "w:pPr");
    const style = this.#styles.get(child(properties, "w:pStyle")?.attributes["w:val"]);
    const inline = this.#inline.read(paragraph, style);
    if (this.#pageEnds.has(paragraph) && !this.endPage()) sink.paragraph(PAGE_END);
    if (style.kind === "contents") return;
    const text = inline.text;
    const isCode = style.kind === "code" ||
      (inline.monospaced && (CODE_SIGNS.test(text) || this.code.length > 0));
    if (isCode && listOf(properties) === undefined) this.code.push(text.trimEnd());
    else if (text.replaceAll(PAGE_END, "").trim() !== "" || inline.equations.length > 0) {
      this.endCode(sink);
      this.#text(inline, properties, style, sink);
    } else if (this.code.length > 0) this.code.push(text.trim());
    else if (text.includes(PAGE_END)) sink.paragraph(text);
    for (const one of inline.attachments) this.#attach(one, sink);
  }

  #text(inline: Inline, properties: XmlElement | undefined, style: DocxStyle, sink: BlockSink): void {
    const text = inline.text.replaceAll("\t", " ");
    for (const equation of inline.equations) sink.paragraph(`$$${equation}$$`);
    if (text.trim() === "") return;
    const own = listOf(properties);
    const { list, level = 0 } = { ...style, ...own };
    const mark = list === undefined || list === "0" ? undefined : this.#numbering.next({ list, level });
    const direct = outlineLevel(properties);
    const heading = direct === undefined ? style.heading : direct < 0 ? undefined : direct;
    if (heading !== undefined) {
      const label = mark === undefined || mark.label === "" ? "" : `${mark.label} `;
      const title = plainHeading(text.replaceAll(PAGE_END, ""));
      this.headings.add(sink, heading, label + plainHeading(text), title);
    } else if (mark !== undefined) {
      const number = /^(\d{1,9})[.)、．]?$/.exec(mark.label)?.[1];
      if (number !== undefined) sink.item({ depth: mark.level, number: Number(number), text });
      else sink.item({ depth: mark.level, text: mark.label === "" ? text : `${mark.label} ${text}` });
    } else if (style.kind === "quotation") addQuotation(sink, text);
    else if (/^\[[ x]\]\s+\S/.test(text)) sink.item({ depth: 0, text });
    else sink.paragraph(text);
  }

  #attach(attachment: Attachment, sink: BlockSink): void {
    switch (attachment.kind) {
      case "text box":
        return this.within(attachment.content, sink);
      case "image":
        this.endCode(sink);
        return sink.image(attachment.caption, {
          ...this.#package.picture(this.#part, ...attachment.ids),
          share: attachment.share,
        });
      case "graphic":
        this.endCode(sink);
        return addGraphic(attachment.element, { file: this.#package, part: this.#part }, sink);
      default:
        this.#notes.refer(attachment.kind, attachment.id);
    }
  }

  protected override addNotes(sink: BlockSink): void {
    for (const { label, element } of this.#notes.taken()) {
      const parts: string[] = [];
      for (const p of descendants(element, "w:p")) {
        parts.push(this.#inline.read(p, {}).text.replace(/\s+/g, " ").trim());
      }
      const text = parts.filter((part) => part !== "").join(" ");
      if (text === "") continue;
      sink.block(`${label} ${text}`.trim());
    }
  }
}

/** A note or comment to show. */
interface Note {
  /** `[^2]:` for a note. For a comment a quotation mark, its author and date. */
  readonly label: string;
  readonly element: XmlElement;
}

/** Footnotes, endnotes and comments. Each is shown once, at its first reference. */
class Notes {
  readonly #all = new Map<string, Note>();
  readonly #referred: Note[] = [];

  /** `related`: returns the part of a type. */
  constructor(related: (type: string) => XmlElement | undefined) {
    const add = (kind: string, labelOf: (attributes: XmlElement["attributes"]) => string) => {
      for (const element of children(related(`${kind}s`), `w:${kind}`)) {
        const { attributes } = element;
        // The separators between text and notes have a type.
        if ((attributes["w:type"] ?? "normal") !== "normal") continue;
        this.#all.set(kind + attributes["w:id"], { label: labelOf(attributes), element });
      }
    };
    add("footnote", (one) => `[^${one["w:id"]}]:`);
    add("endnote", (one) => `[^e${one["w:id"]}]:`);
    add("comment", (one) => commentLabel(one["w:author"], one["w:date"]));
  }

  refer(kind: string, id: string): void {
    const note = this.#all.get(kind + id);
    if (note !== undefined && this.#all.delete(kind + id)) this.#referred.push(note);
  }

  /** Returns the notes referred to since the last call. */
  taken(): readonly Note[] {
    return this.#referred.splice(0);
  }
}
