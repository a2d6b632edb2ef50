/**
 * The styles of a Word document: headings, lists, code, quotations, fonts.
 * Below them: the numbers of list items and headings, counted as Word does.
 */
import { child, children, type XmlElement } from "../xml.ts";
import { CONTENTS, countAs, HEADING, StyleSheet, TITLE } from "../office/text.ts";
import { given, kept } from "../types.ts";

/** Number of a list and level in it, from `w:numPr`. */
interface ListReference {
  readonly list: string;
  readonly level: number;
}

/** The properties of a paragraph or character style that the loader uses, including inherited ones. */
export interface DocxStyle extends Partial<ListReference> {
  /** Heading level from 1, or 0 for the document title. */
  readonly heading?: number;
  readonly hidden?: boolean;
  /** Whether its paragraphs begin a page. */
  readonly breaksPage?: boolean;
  /** Font of Latin letters. */
  readonly font?: string;
  readonly kind?: "code" | "contents" | "quotation";
}

interface OwnStyle extends DocxStyle {
  readonly base?: string;
}

const CODE =
  /^(?:(?:source|program) ?code|code(?: ?block)?|html preformatted|preformatted(?: text)?|plain code|verbatim|listing|macro text|代码|代码块|源代码|程序代码|程式碼)$/iu;
const QUOTATION = /^(?:(?:intense )?quot(?:e|ations?)|block text|引用|明显引用)$/iu;

/** The styles of a document by id. */
export class Styles {
  readonly #styles = new StyleSheet<string, OwnStyle>();
  /** Id of the default paragraph style. */
  readonly #usual: string | undefined;

  constructor(root: XmlElement | undefined) {
    for (const style of children(root, "w:style")) {
      const id = style.attributes["w:styleId"];
      if (id === undefined) continue;
      this.#styles.set(id, ownStyle(style));
      const isUsual = style.attributes["w:type"] === "paragraph" && isOn(style.attributes["w:default"]);
      if (isUsual) this.#usual = id;
    }
  }

  /** Returns a style, including inherited properties; without an id the default one. */
  get(id: string | undefined): DocxStyle {
    const name = id ?? this.#usual;
    if (name === undefined) return {};
    // -1 means that a style based on a heading is not a heading.
    const { heading = -1, ...rest } = this.#styles.get(name);
    return heading < 0 ? rest : { ...rest, heading };
  }
}

function ownStyle(style: XmlElement): OwnStyle {
  const name = child(style, "w:name")?.attributes["w:val"]?.trim() ?? "";
  const paragraph = child(style, "w:pPr");
  const run = child(style, "w:rPr");
  const kind = CODE.test(name)
    ? "code"
    : CONTENTS.test(name)
    ? "contents"
    : QUOTATION.test(name)
    ? "quotation"
    : undefined;
  return given({
    base: child(style, "w:basedOn")?.attributes["w:val"],
    heading: style.attributes["w:type"] === "character" ? undefined : headingOf(name, paragraph),
    ...listOf(paragraph),
    hidden: flag(run, "w:vanish"),
    breaksPage: flag(paragraph, "w:pageBreakBefore"),
    font: fontOf(run),
    kind,
  });
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
  return given({ list, level: level === undefined ? undefined : Number(level) });
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

interface Level {
  readonly format: string;
  /** Text of the label. `%1.%2` stands for the numbers of the first two levels. */
  readonly text: string;
  readonly start: number;
  /**
   * A new number of this level (counted from 1) restarts the numbers; 0 if they never restart. Default: every outer level
   * restarts them.
   */
  readonly restart: number | undefined;
}

interface List {
  /** Lists with the same definition continue each other's numbers. */
  readonly definition: string;
  readonly levels: ReadonlyMap<number, Level>;
  /** Start numbers of the levels that restart when the list is first used. */
  readonly starts: ReadonlyMap<number, number>;
}

/** The label of a paragraph in a list. */
interface Mark {
  /** The number shown, `2.` or `第三章`. Empty for a bullet. */
  readonly label: string;
  readonly level: number;
}

const DEEPEST = 8;

/** Counts the paragraphs of lists as Word does. They must come in document order. */
export class Numbering {
  readonly #lists = new Map<string, List>();
  readonly #counts = new Map<string, number[]>();
  readonly #used = new Set<string>();

  constructor(root: XmlElement | undefined) {
    const definitions = new Map<string, XmlElement>();
    const styled = new Map<string, string>();
    for (const definition of children(root, "w:abstractNum")) {
      const id = definition.attributes["w:abstractNumId"] ?? "";
      definitions.set(id, definition);
      const style = child(definition, "w:styleLink")?.attributes["w:val"];
      if (style !== undefined) styled.set(style, id);
    }
    for (const list of children(root, "w:num")) {
      let definition = child(list, "w:abstractNumId")?.attributes["w:val"] ?? "";
      // A definition can refer to that of a list style. Only one step is followed: that definition has levels.
      const link = child(definitions.get(definition), "w:numStyleLink")?.attributes["w:val"];
      if (link !== undefined) definition = styled.get(link) ?? definition;
      this.#lists.set(
        list.attributes["w:numId"] ?? "",
        readList(list, definition, definitions.get(definition)),
      );
    }
  }

  /** Counts a paragraph. Returns `undefined` if it is in no list, or on a level with neither number nor bullet. */
  next({ list: id, level: wanted }: ListReference): Mark | undefined {
    const list = this.#lists.get(id);
    if (list === undefined) return undefined;
    const level = Math.max(0, Math.min(DEEPEST, Number.isInteger(wanted) ? wanted : 0));
    const format = list.levels.get(level);
    if (format === undefined) return undefined;
    const counts = kept(this.#counts, list.definition, () => []);
    if (!this.#used.has(id)) {
      this.#used.add(id);
      for (const [at, start] of list.starts) counts[at] = start - 1;
    }
    counts[level] = (counts[level] ?? format.start - 1) + 1;
    for (let inner = level + 1; inner <= DEEPEST; inner++) {
      const restart = list.levels.get(inner)?.restart;
      if (restart === undefined || (restart > 0 && level < restart)) delete counts[inner];
    }
    if (format.format === "bullet") return { label: "", level };
    const label = format.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const one = list.levels.get(at);
      return countAs(counts[at] ?? one?.start ?? 1, one?.format ?? "decimal");
    }).trim();
    return label === "" || format.format === "none" && !/\p{L}|\p{N}/u.test(label)
      ? undefined
      : { label, level };
  }
}

function readList(list: XmlElement, definition: string, base: XmlElement | undefined): List {
  const levels = new Map<number, Level>();
  const starts = new Map<number, number>();
  for (const level of children(base, "w:lvl")) {
    levels.set(Number(level.attributes["w:ilvl"]), readLevel(level));
  }
  for (const override of children(list, "w:lvlOverride")) {
    const at = Number(override.attributes["w:ilvl"]);
    const own = child(override, "w:lvl");
    if (own !== undefined) levels.set(at, readLevel(own));
    const start = child(override, "w:startOverride")?.attributes["w:val"];
    if (start !== undefined) starts.set(at, Number(start));
  }
  return { definition, levels, starts };
}

function readLevel(level: XmlElement): Level {
  const value = (name: string) => child(level, name)?.attributes["w:val"];
  // Number formats that Word 2010 added are in an `mc:AlternateContent` element.
  const format = value("w:numFmt") ??
    child(level, "mc:AlternateContent", "mc:Fallback", "w:numFmt")?.attributes["w:val"] ?? "decimal";
  const start = Number(value("w:start") ?? 1);
  const restart = value("w:lvlRestart");
  return {
    format,
    text: (value("w:lvlText") ?? "").slice(0, 50),
    start: Number.isInteger(start) ? start : 1,
    restart: restart === undefined ? undefined : Number(restart),
  };
}
