/**
 * Reads the text of a Word paragraph: runs, links, fields, equations and references to notes.
 * Below it: what is drawn in a paragraph, and the characters of symbol fonts.
 */
import { mathToLatex } from "../office/embedded.ts";
import { Fields, link } from "../office/text.ts";
import { alternative, PAGE_END, scripted } from "../markdown_builder.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml.ts";
import { chosen } from "../office/package.ts";
import { type DocxStyle, flag, fontOf, type Styles } from "./styles.ts";
import { USUAL_PAGE } from "../pictures/types.ts";
import { given, pairs, words } from "../types.ts";

/** The text of a paragraph, and the blocks and notes attached to it. */
export interface Inline {
  readonly text: string;
  /** Equations that stand alone in their paragraph. `text` is empty then. */
  readonly equations: readonly string[];
  /** Whether all letters are in a monospaced font. */
  readonly monospaced: boolean;
  readonly attachments: readonly Attachment[];
}

const MONOSPACED =
  /mono|courier|consolas|menlo|lucida console|source code|cascadia|inconsolata|fira code|jetbrains|typewriter|^(?:ocr|simsun-extb)/i;

/** Elements that only wrap text. */
const WRAPPERS = words(
  "w:ins w:moveTo w:smartTag w:customXml w:bdo w:dir w:sdtContent w:fldSimple w:rubyBase",
);

/** Reads the text of paragraphs. One reader must read all paragraphs, since fields may span several. */
export class InlineReader {
  readonly #styles: Styles;
  readonly #addressOf: (id: string | undefined) => string | undefined;
  readonly #pageEnds: ReadonlySet<XmlElement>;
  readonly #fields = new Fields();
  #parts: string[] = [];
  #attachments: Attachment[] = [];
  #equations: string[] = [];
  #letters = false;
  #otherFont = false;

  /** `addressOf`: returns the address that a relation leads to. `pageEnds`: elements that get the mark {@linkcode PAGE_END}. */
  constructor(
    styles: Styles,
    addressOf: (id: string | undefined) => string | undefined,
    pageEnds: ReadonlySet<XmlElement>,
  ) {
    this.#styles = styles;
    this.#addressOf = addressOf;
    this.#pageEnds = pageEnds;
  }

  read(paragraph: XmlElement, style: DocxStyle): Inline {
    this.#parts = [];
    this.#attachments = [];
    this.#equations = [];
    this.#letters = false;
    this.#otherFont = false;
    this.#fields.newParagraph();
    this.#all(paragraph, style);
    const text = this.#parts.join("");
    const alone = this.#equations.length > 0 && text.replaceAll(EQUATION, "").trim() === "";
    return {
      text: alone ? "" : text.replaceAll(EQUATION, (_, i: string) => `$${this.#equations[Number(i)]}$`),
      equations: alone ? this.#equations : [],
      monospaced: this.#letters && !this.#otherFont,
      attachments: this.#attachments,
    };
  }

  #all(parent: XmlElement, style: DocxStyle): void {
    for (const element of children(parent)) this.#one(element, style);
  }

  #one(element: XmlElement, style: DocxStyle): void {
    switch (element.name) {
      case "w:r":
        return this.#run(element, style);
      case "w:hyperlink": {
        const from = this.#parts.length;
        this.#all(element, style);
        return link(this.#parts, from, this.#addressOf(element.attributes["r:id"]));
      }
      case "w:sdt":
        return this.#control(element, style);
      case "m:oMath":
        this.#equation(element);
        return;
      case "m:oMathPara":
        for (const one of children(element, "m:oMath")) this.#equation(one);
        return;
      case "mc:AlternateContent":
        return chosen(element).forEach((one) => this.#one(one, style));
      default:
        if (WRAPPERS.has(element.name)) this.#all(element, style);
    }
  }

  #run(run: XmlElement, style: DocxStyle): void {
    const properties = child(run, "w:rPr");
    const named = child(properties, "w:rStyle")?.attributes["w:val"];
    const character = named === undefined ? {} : this.#styles.get(named);
    if (flag(properties, "w:vanish") ?? character.hidden ?? style.hidden ?? false) {
      for (const one of children(run, "w:fldChar")) this.#field(one);
      return;
    }
    const script = child(properties, "w:vertAlign")?.attributes["w:val"];
    const font = fontOf(properties) ?? character.font ?? style.font ?? "";
    for (const one of children(run)) this.#content(one, script, font, style);
  }

  #content(element: XmlElement, script: string | undefined, font: string, style: DocxStyle): void {
    switch (element.name) {
      case "w:t":
        return this.#text(boxed(scripted(textOf(element), script)).replaceAll(PAGE_END, ""), font);
      case "w:tab":
      case "w:ptab":
        return this.#add("\t");
      case "w:lastRenderedPageBreak":
        return this.#add(this.#pageEnds.has(element) ? PAGE_END : "");
      case "w:br":
        if (element.attributes["w:type"] !== "page") return this.#add("\n");
        return this.#add(this.#pageEnds.has(element) ? ` ${PAGE_END}` : " ");
      case "w:cr":
        return this.#add("\n");
      case "w:noBreakHyphen":
        return this.#add("-");
      case "w:sym":
        return this.#add(boxed(symbol(element.attributes["w:char"])));
      case "w:fldChar":
        return this.#field(element);
      case "w:instrText":
        return this.#fields.instruction(textOf(element));
      case "w:footnoteReference":
        return this.#reference("footnote", element);
      case "w:endnoteReference":
        return this.#reference("endnote", element);
      case "w:commentReference":
        return this.#reference("comment", element);
      case "w:ruby":
        return this.#all(element, style);
      case "w:drawing":
      case "w:pict":
      case "w:object":
        this.#attachments.push(...attachmentsIn(element));
        return;
      case "mc:AlternateContent":
        return chosen(element).forEach((one) => this.#content(one, script, font, style));
    }
  }

  #text(text: string, font: string): void {
    if (this.#fields.hidden) return;
    if (text.trim() !== "") {
      this.#letters = true;
      if (!MONOSPACED.test(font)) this.#otherFont = true;
    }
    this.#parts.push(text);
  }

  #add(text: string): void {
    if (!this.#fields.hidden) this.#parts.push(text);
  }

  #equation(element: XmlElement): void {
    const latex = mathToLatex(element);
    if (latex === "" || this.#fields.hidden) return;
    this.#parts.push(`\u{f0000}${this.#equations.length}\u{f0001}`);
    this.#equations.push(latex);
  }

  /** Reads a content control: a check box, or text, which is a hint as long as nobody has written anything. */
  #control(element: XmlElement, style: DocxStyle): void {
    const properties = child(element, "w:sdtPr");
    const box = children(properties).find(({ name }) => name.endsWith(":checkbox"));
    if (box !== undefined) {
      const checked = children(box).find(({ name }) => name.endsWith(":checked"))?.attributes;
      this.#add(/^(?:1|true|on)$/.test(Object.values(checked ?? {})[0] ?? "") ? CHECKED : UNCHECKED);
    } else if (flag(properties, "w:showingPlcHdr") !== true) this.#all(element, style);
  }

  #field(element: XmlElement): void {
    const form = child(element, "w:ffData");
    if (form !== undefined) this.#add(formValue(form));
    const ended = this.#fields.mark(element.attributes["w:fldCharType"], this.#parts.length);
    if (ended !== undefined) link(this.#parts, ended.from, ended.link);
  }

  #reference(kind: "footnote" | "endnote" | "comment", element: XmlElement): void {
    const id = element.attributes["w:id"];
    if (id === undefined || this.#fields.hidden) return;
    this.#attachments.push({ kind, id });
    if (kind !== "comment") this.#parts.push(`[^${kind === "endnote" ? "e" : ""}${id}]`);
  }
}

/** Check boxes as task lists of Markdown write them. */
const CHECKED = "[x]", UNCHECKED = "[ ]";

/** Returns a text with check boxes for the characters that draw them. */
function boxed(text: string): string {
  return text.replace(/[☐☑☒]/g, (char) => char === "☐" ? UNCHECKED : CHECKED);
}

/** Returns what a field of a form shows: a check box, or the chosen item of a list. The value of a text is its result. */
function formValue(form: XmlElement): string {
  const box = child(form, "w:checkBox"), list = child(form, "w:ddList");
  if (box !== undefined) return flag(box, "w:checked") ?? flag(box, "w:default") ? CHECKED : UNCHECKED;
  const chosen = Number(child(list, "w:result")?.attributes["w:val"] ?? 0);
  return children(list, "w:listEntry")[chosen]?.attributes["w:val"] ?? "";
}

/** Placeholder for an equation while the paragraph is read. It uses private characters, which texts do not contain. */
const EQUATION = /\u{f0000}(\d+)\u{f0001}/gu;

/** Content inside a paragraph that becomes a block. */
export type Attachment =
  | { readonly kind: "text box"; readonly content: XmlElement }
  | {
    readonly kind: "image";
    readonly caption: string | undefined;
    /** Ids of the relations to its part, and to a file outside. */
    readonly ids: readonly [embedded: string | undefined, linked: string | undefined];
    /** The part of a usual page that it takes. Absent if its size is not written. */
    readonly share?: number;
  }
  | { readonly kind: "graphic"; readonly element: XmlElement }
  | { readonly kind: "footnote" | "endnote" | "comment"; readonly id: string };

/** EMU in a point. */
const EMU = 12_700;

/** Returns the text boxes, pictures, charts and diagrams in a drawing of either kind (DrawingML, VML), in their order. */
export function attachmentsIn(drawing: XmlElement): Attachment[] {
  const found: Attachment[] = [];
  const alt = descendants(drawing, "wp:docPr")[0]?.attributes;
  const { cx, cy } = descendants(drawing, "wp:extent")[0]?.attributes ?? {};
  const area = Number(cx) * Number(cy);
  const share = area > 0 ? area / EMU ** 2 / USUAL_PAGE : undefined;
  const visit = (element: XmlElement) => {
    const { name, attributes } = element;
    if (name === "w:txbxContent") found.push({ kind: "text box", content: element });
    else if (name === "mc:AlternateContent") chosen(element).forEach(visit);
    else if (name === "pic:pic" || name === "v:imagedata") {
      const own = descendants(element, "pic:cNvPr")[0]?.attributes;
      const caption = alternative(own?.["descr"] ?? "") ?? alternative(alt?.["descr"] ?? "") ??
        alternative(attributes["o:title"] ?? "");
      const blip = descendants(element, "a:blip")[0]?.attributes;
      const ids = [
        blip?.["r:embed"] ?? attributes["r:id"],
        blip?.["r:link"] ?? attributes["r:href"],
      ] as const;
      found.push({ kind: "image", caption, ids, ...given({ share }) });
    } else if (name === "c:chart" || name === "dgm:relIds") found.push({ kind: "graphic", element });
    else children(element).forEach(visit);
  };
  visit(drawing);
  return found;
}

/** Check boxes, bullets and signs of the font Wingdings and the like. */
const SYMBOLS = pairs("F0FE ☒ F0FD ☒ F0FC ✓ F0A8 ☐ F06F ☐ F0E0 → F0B7 • F0A7 ▪ F0B0 ° F0B1 ± F0B4 ×");

/** Returns the character of `<w:sym>` by its hexadecimal code; empty for one that only its font knows. */
function symbol(code = ""): string {
  const known = SYMBOLS[code.toUpperCase()];
  if (known !== undefined) return known;
  const value = parseInt(code, 16);
  const isPrivate = value >= 0xe000 && value <= 0xf8ff;
  return value > 0x20 && value < 0xd800 || value > 0xf8ff && value <= 0xffff && !isPrivate
    ? String.fromCharCode(value)
    : "";
}
