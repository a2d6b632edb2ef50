/**
 * The styles of an OpenDocument file: headings, lists, code, quotations, fonts.
 * Below them: the numbers of list items and headings.
 */
import { child, children, type XmlElement } from "../xml.ts";
import { countAs, StyleSheet } from "../office/text.ts";
import { given } from "../types.ts";

/** The properties of a paragraph or text style that the loader uses, including inherited ones. */
export interface OdfStyle {
  /** Heading level from 1, or 0 for the document title. */
  readonly heading?: number;
  /** Name of the list style. */
  readonly list?: string;
  readonly hidden?: boolean;
  readonly monospaced?: boolean;
  readonly script?: "superscript" | "subscript";
  readonly kind?: "code" | "contents" | "quotation";
}

/** One level of a list style. */
interface ListLevel {
  /** `1`, `a`, `一, 二, 三, ...`. Empty for a level without numbers. */
  readonly format: string;
  readonly isBullet: boolean;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** Number of levels shown: 2 for `1.1`. */
  readonly shown: number;
}

interface OwnStyle extends OdfStyle {
  readonly base?: string;
}

const MONOSPACED =
  /mono|courier|consolas|menlo|lucida console|source code|cascadia|inconsolata|fira code|jetbrains|typewriter/i;

/** The styles of a document: those of `styles.xml` and the automatic styles of its content. */
export class Styles {
  readonly #styles = new StyleSheet<string, OwnStyle>();
  readonly #lists = new Map<string, ReadonlyMap<number, ListLevel>>();
  readonly #fonts = new Map<string, string>();

  /** Adds the styles in an `office:styles`, `office:automatic-styles` or `office:font-face-decls` element. */
  add(styles: XmlElement | undefined): void {
    for (const style of children(styles)) {
      const name = style.attributes["style:name"] ?? "";
      if (style.name === "style:font-face") {
        this.#fonts.set(name, style.attributes["svg:font-family"] ?? name);
      } else if (style.name === "style:style") {
        const family = style.attributes["style:family"];
        if (family === "paragraph" || family === "text") {
          this.#styles.set(`${family} ${name}`, this.#read(style, family));
        }
      } else if (style.name === "text:list-style") this.#lists.set(name, levelsOf(style));
      else if (style.name === "text:outline-style") this.#lists.set(OUTLINE, levelsOf(style));
    }
  }

  /** Returns a style, including inherited properties. */
  get(family: "paragraph" | "text", name: string | undefined): OdfStyle {
    return name === undefined ? {} : this.#styles.get(`${family} ${name}`);
  }

  /** Returns a level of a list style, counted from 0. */
  level(list: string, level: number): ListLevel | undefined {
    return this.#lists.get(list)?.get(level + 1);
  }

  #read(style: XmlElement, family: string): OwnStyle {
    const { attributes } = style;
    const name = attributes["style:display-name"] ??
      (attributes["style:name"] ?? "").replaceAll("_20_", " ");
    const text = child(style, "style:text-properties")?.attributes ?? {};
    const level = Number(attributes["style:default-outline-level"] ?? "");
    const heading = /^(?:title|标题|titel|titre|título|titolo)$/i.test(name) && family === "paragraph"
      ? 0
      : level >= 1 && level <= 10
      ? level
      : undefined;
    const { "style:list-style-name": list, "style:parent-style-name": parent } = attributes;
    const font = text["style:font-name"] === undefined
      ? text["fo:font-family"]
      : this.#fonts.get(text["style:font-name"]) ?? text["style:font-name"];
    const display = text["text:display"];
    return {
      // An empty name of a list style takes the list away.
      ...(list === undefined ? {} : { list }),
      ...given({
        base: parent === undefined ? undefined : `${family} ${parent}`,
        heading,
        hidden: display === undefined ? undefined : display === "none",
        monospaced: font === undefined ? undefined : MONOSPACED.test(font),
        script: scriptOf(text["style:text-position"]),
        kind: kindOf(name),
      }),
    };
  }
}

/** Name of the list style that numbers the headings. */
export const OUTLINE = " outline";

function kindOf(name: string): OdfStyle["kind"] {
  if (
    /^(?:preformatted text|source ?code|code(?: ?block)?|html preformatted|verbatim|listing)$/i.test(name)
  ) {
    return "code";
  }
  if (/^(?:contents|index|user index|figure index|table index) (?:heading|\d+)$/i.test(name)) {
    return "contents";
  }
  return /^(?:quotations?|block quotation|quote|block text)$/i.test(name) ? "quotation" : undefined;
}

/** Reads a text position: `super 58%`, `sub 58%`, or a share of the height, `33% 58%`. */
function scriptOf(position: string | undefined): OdfStyle["script"] {
  const first = position?.trim().split(/\s+/)[0] ?? "";
  if (first === "super" || parseFloat(first) > 0) return "superscript";
  return first === "sub" || parseFloat(first) < 0 ? "subscript" : undefined;
}

function levelsOf(style: XmlElement): ReadonlyMap<number, ListLevel> {
  const levels = new Map<number, ListLevel>();
  for (const { name, attributes } of children(style)) {
    const level = Number(attributes["text:level"]);
    if (!(level >= 1 && level <= 10)) continue;
    const start = Number(attributes["text:start-value"] ?? 1);
    levels.set(level, {
      format: attributes["style:num-format"] ?? "",
      isBullet: name === "text:list-level-style-bullet" || name === "text:list-level-style-image",
      prefix: (attributes["style:num-prefix"] ?? "").slice(0, 50),
      suffix: (attributes["style:num-suffix"] ?? "").slice(0, 50),
      start: Number.isInteger(start) ? start : 1,
      shown: Math.max(1, Math.min(10, Number(attributes["text:display-levels"] ?? 1) || 1)),
    });
  }
  return levels;
}

/** An open list and the numbers of its levels. */
export interface OpenList {
  /** Name of the list style. Empty if there is none. */
  readonly style: string;
  /** Counted from 0. */
  readonly level: number;
  readonly counts: number[];
}

/** Counts list items and numbered headings. */
export class Numbering {
  readonly #styles: Styles;
  /** Last numbers of the lists by style, and by id. */
  readonly #byStyle = new Map<string, number[]>();
  readonly #byId = new Map<string, number[]>();

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /** Opens a list inside `outer`, or an outermost one. `usual`: list style of its first paragraph. */
  open({ attributes }: XmlElement, outer: OpenList | undefined, usual = ""): OpenList {
    const style = attributes["text:style-name"] ?? outer?.style ?? usual;
    if (outer !== undefined) return { style, level: Math.min(9, outer.level + 1), counts: outer.counts };
    const goesOn = attributes["text:continue-numbering"] === "true"
      ? this.#byStyle.get(style)
      : this.#byId.get(attributes["text:continue-list"] ?? "");
    const counts = goesOn ?? [];
    this.#byStyle.set(style, counts);
    const id = attributes["xml:id"];
    if (id !== undefined) this.#byId.set(id, counts);
    return { style, level: 0, counts };
  }

  /** Returns the label of the next item: `2.`, `第三章`, empty for a bullet; `undefined` for a level with neither. */
  next({ style, level, counts }: OpenList, start?: string): string | undefined {
    const format = this.#styles.level(style, level);
    const first = start === undefined ? undefined : Number(start);
    counts[level] = first !== undefined && Number.isInteger(first)
      ? first
      : (counts[level] ?? (format?.start ?? 1) - 1) + 1;
    counts.length = level + 1;
    if (format === undefined || format.isBullet) return "";
    if (format.format === "") {
      const text = (format.prefix + format.suffix).trim();
      return /\p{L}|\p{N}/u.test(text) ? text : undefined;
    }
    const numbers: string[] = [];
    for (let at = Math.max(0, level - format.shown + 1); at <= level; at++) {
      const one = this.#styles.level(style, at);
      if (one === undefined || one.isBullet || one.format === "") continue;
      numbers.push(countAs(counts[at] ?? one.start, one.format));
    }
    return (format.prefix + numbers.join(".") + format.suffix).trim();
  }
}
