import { child, children, type XmlElement } from "../xml/mod.ts";

/** Number of a list and level in it, from `w:numPr`. */
export interface ListReference {
  readonly list: string;
  readonly level: number;
}

/** The properties of a paragraph or character style that the loader uses, including inherited ones. */
export interface Style {
  /** Heading level from 1, or 0 for the document title. */
  readonly heading?: number;
  readonly list?: Partial<ListReference>;
  readonly hidden?: boolean;
  /** Whether its paragraphs begin a page. */
  readonly breaksPage?: boolean;
  /** Font of Latin letters. */
  readonly font?: string;
  readonly kind?: "code" | "contents" | "quotation";
}

interface OwnStyle extends Style {
  readonly basedOn?: string;
}

/** Matches names of built-in headings in translated programs. Word writes the English names in every language. */
export const HEADING =
  /^(?:heading|标题|標題|見出し|제목|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|заголовок|nadpis|başlık|judul)\s*([1-9])(?:\s*字符)?$/iu;
export const TITLE = /^(?:title|标题|標題|表題|제목|titel|titre|título|titolo|название|tytuł)$/iu;
const CODE =
  /^(?:(?:source|program) ?code|code(?: ?block)?|html preformatted|preformatted(?: text)?|plain code|verbatim|listing|macro text|代码|代码块|源代码|程序代码|程式碼)$/iu;
export const CONTENTS =
  /^(?:(?:toc|contents|目录|目錄|index) ?\d+|toc heading|(?:contents|index) heading|table of figures|table of authorities)$/iu;
const QUOTATION = /^(?:(?:intense )?quot(?:e|ations?)|block text|引用|明显引用)$/iu;

/** The styles of a document by id. */
export class Styles {
  readonly #own = new Map<string, OwnStyle>();
  readonly #resolved = new Map<string, Style>();
  /** Id of the default paragraph style. */
  readonly #usual: string | undefined;

  constructor(root: XmlElement | undefined) {
    for (const style of children(root, "w:style")) {
      const id = style.attributes["w:styleId"];
      if (id === undefined) continue;
      this.#own.set(id, ownStyle(style));
      const isUsual = style.attributes["w:type"] === "paragraph" && isOn(style.attributes["w:default"]);
      if (isUsual) this.#usual = id;
    }
  }

  /** Returns a style, including inherited properties. A cycle of styles ends at the first repetition. */
  get(id: string | undefined): Style {
    const name = id ?? this.#usual;
    if (name === undefined) return {};
    let style = this.#resolved.get(name);
    if (style === undefined) {
      style = this.#resolve(name);
      this.#resolved.set(name, style);
    }
    return style;
  }

  #resolve(id: string): Style {
    const seen = new Set<string>();
    let style: Style = {};
    for (let at: string | undefined = id; at !== undefined && !seen.has(at);) {
      seen.add(at);
      const own: OwnStyle | undefined = this.#own.get(at);
      const list = { ...own?.list, ...style.list };
      style = { ...own, ...style, ...(Object.keys(list).length > 0 ? { list } : {}) };
      at = own?.basedOn;
    }
    // -1 means that a style based on a heading is not a heading.
    const { heading, ...rest } = style;
    return heading === undefined || heading < 0 ? rest : { ...rest, heading };
  }
}

function ownStyle(style: XmlElement): OwnStyle {
  const name = child(style, "w:name")?.attributes["w:val"]?.trim() ?? "";
  const paragraph = child(style, "w:pPr");
  const run = child(style, "w:rPr");
  const basedOn = child(style, "w:basedOn")?.attributes["w:val"];
  const font = fontOf(run);
  const hidden = flag(run, "w:vanish");
  const breaksPage = flag(paragraph, "w:pageBreakBefore");
  const list = listOf(paragraph);
  const kind = CODE.test(name)
    ? "code"
    : CONTENTS.test(name)
    ? "contents"
    : QUOTATION.test(name)
    ? "quotation"
    : undefined;
  const heading = style.attributes["w:type"] === "character" ? undefined : headingOf(name, paragraph);
  return {
    ...(basedOn === undefined ? {} : { basedOn }),
    ...(heading === undefined ? {} : { heading }),
    ...(list === undefined ? {} : { list }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(breaksPage === undefined ? {} : { breaksPage }),
    ...(font === undefined ? {} : { font }),
    ...(kind === undefined ? {} : { kind }),
  };
}

function headingOf(name: string, paragraph: XmlElement | undefined): number | undefined {
  if (TITLE.test(name)) return 0;
  const named = HEADING.exec(name)?.[1];
  return outlineLevel(paragraph) ?? (named === undefined ? undefined : Number(named));
}

/** Returns the heading level from 1 in paragraph properties, -1 for body text, `undefined` if they do not say. */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const value = child(properties, "w:outlineLvl")?.attributes["w:val"];
  if (value === undefined) return undefined;
  const level = Number(value);
  return level >= 0 && level <= 8 ? level + 1 : -1;
}

/** Returns the list in paragraph properties. Missing parts come from the style. */
export function listOf(properties: XmlElement | undefined): Partial<ListReference> | undefined {
  const numbering = child(properties, "w:numPr");
  if (numbering === undefined) return undefined;
  const list = child(numbering, "w:numId")?.attributes["w:val"];
  const level = child(numbering, "w:ilvl")?.attributes["w:val"];
  return {
    ...(list === undefined ? {} : { list }),
    ...(level === undefined ? {} : { level: Number(level) }),
  };
}

/** Returns a property that is on or off, or `undefined` if it is absent. */
export function flag(properties: XmlElement | undefined, name: string): boolean | undefined {
  const found = child(properties, name);
  return found === undefined ? undefined : isOn(found.attributes["w:val"] ?? "1");
}

export function fontOf(properties: XmlElement | undefined): string | undefined {
  const fonts = child(properties, "w:rFonts")?.attributes;
  return fonts?.["w:ascii"] ?? fonts?.["w:hAnsi"];
}

function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true" || value === "on";
}
