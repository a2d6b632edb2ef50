/**
 * Reads the text of an OpenDocument paragraph, with the shapes and notes attached to it.
 * Below it: formulas on one line.
 */
import { link } from "../office/text.ts";
import { scripted } from "../markdown_builder.ts";
import { child, type XmlElement } from "../xml.ts";
import type { OdfStyle, Styles } from "./styles.ts";
import { mathText } from "../html/formula.ts";
import { words } from "../types.ts";
import { mathElement } from "../html/from_xml.ts";

/** The text of a paragraph, and the shapes and notes attached to it. */
export interface Inline {
  /** Inline Markdown. */
  readonly text: string;
  /** Whether all letters are in a monospaced font. */
  readonly monospaced: boolean;
  /** Frames and shapes that become blocks. */
  readonly shapes: readonly XmlElement[];
  /** Notes and comments (`text:note`, `office:annotation`). */
  readonly notes: readonly XmlElement[];
}

/** Elements whose text is not shown. */
const SILENT = words(
  "text:note text:ruby-text text:script text:hidden-text text:tracked-changes office:annotation office:annotation-end",
  "office:event-listeners office:forms svg:title svg:desc",
);

/** Reads the text of paragraphs. `formula` returns the text of a frame that contains a formula. */
export class InlineReader {
  readonly #styles: Styles;
  readonly #formula: (frame: XmlElement) => string;
  #parts: string[] = [];
  #shapes: XmlElement[] = [];
  #notes: XmlElement[] = [];
  #letters = false;
  #otherFont = false;

  constructor(styles: Styles, formula: (frame: XmlElement) => string) {
    this.#styles = styles;
    this.#formula = formula;
  }

  read(paragraph: XmlElement, style: OdfStyle): Inline {
    this.#parts = [];
    this.#shapes = [];
    this.#notes = [];
    this.#letters = false;
    this.#otherFont = false;
    this.#all(paragraph, style);
    return {
      text: this.#parts.join("").replace(/ *\n */g, "\n"),
      monospaced: this.#letters && !this.#otherFont,
      shapes: this.#shapes,
      notes: this.#notes,
    };
  }

  #all(parent: XmlElement, style: OdfStyle): void {
    for (const node of parent.children) {
      if (typeof node === "string") this.#text(node, style);
      else this.#one(node, style);
    }
  }

  #text(written: string, style: OdfStyle): void {
    if (style.hidden) return;
    // Consecutive blanks count as one. Further blanks are elements.
    const text = written.replace(/[ \t\r\n]+/g, " ");
    if (text.trim() !== "") {
      this.#letters = true;
      if (!style.monospaced) this.#otherFont = true;
    }
    this.#parts.push(scripted(text, style.script));
  }

  #one(element: XmlElement, style: OdfStyle): void {
    const { name, attributes } = element;
    switch (name) {
      case "text:span":
        return this.#all(element, { ...style, ...this.#styles.get("text", attributes["text:style-name"]) });
      case "text:a": {
        const from = this.#parts.length;
        this.#all(element, style);
        return link(this.#parts, from, attributes["xlink:href"] ?? "");
      }
      case "text:s":
        return this.#add(
          " ".repeat(Math.max(1, Math.min(200, Number(attributes["text:c"] ?? 1) || 1))),
          style,
        );
      case "text:tab":
        return this.#add(style.kind === "code" ? "\t" : " ", style);
      case "text:line-break":
        return this.#add("\n", style);
      case "text:note":
        this.#notes.push(element);
        return this.#add(`[^${noteMark(element)}]`, style);
      case "office:annotation":
        this.#notes.push(element);
        return;
      case "draw:frame": {
        const formula = this.#formula(element);
        if (formula !== "") return this.#add(formula, style);
        this.#shapes.push(element);
        return;
      }
      case "draw:a": {
        this.#all(element, style);
        return;
      }
    }
    if (name.startsWith("draw:")) this.#shapes.push(element);
    else if (!SILENT.has(name)) this.#all(element, style);
  }

  #add(text: string, style: OdfStyle): void {
    if (!style.hidden) this.#parts.push(text);
  }
}

/** Returns the mark of a note: its number, for endnotes with an `e` before it. */
export function noteMark(note: XmlElement): string {
  const citation = child(note, "text:note-citation");
  const shown = citation?.children.map((one) => typeof one === "string" ? one : "").join("").trim() ?? "";
  const mark = shown.replace(/[\s[\]]+/g, "") || (note.attributes["text:id"] ?? "").replace(/\D+/g, "");
  return note.attributes["text:note-class"] === "endnote" ? `e${mark}` : mark;
}

/** Returns a MathML formula on one line: `a^2 + b^2`. Empty if there is none. */
export function formulaText(math: XmlElement | undefined): string {
  return math === undefined ? "" : mathText(mathElement(math));
}

/** Returns the formula in an object, or the object itself if it is one. */
export function formulaIn(object: XmlElement | undefined): XmlElement | undefined {
  return object?.name === "math:math" ? object : child(object, "math:math");
}
