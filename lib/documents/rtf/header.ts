/**
 * The tables at the start of an RTF file: fonts, styles, title and metadata.
 * Below them: headings by style, and the encodings of fonts.
 */
import type { State } from "./tokens.ts";
import { CONTENTS, HEADING, TITLE } from "../office/text.ts";
import { codePageLabel } from "../office/binary.ts";
import { kept, pairs, words } from "../types.ts";

/** The tables at the start of a document: fonts, styles, title and metadata. */
export class HeaderTables {
  readonly #styles = new Map<number, RtfStyle>();
  /** Title, author and others, parts of dates, and `user NAME` for fields that the user defined. */
  readonly info = new Map<string, string>();
  readonly #decoder: Decoder;
  #style: { readonly number: number; readonly value: RtfStyle } | undefined;

  constructor(decoder: Decoder) {
    this.#decoder = decoder;
  }

  /** Handles a control word in a table. Returns false outside of the tables. */
  word(state: State, name: string, value = 0): boolean {
    const { destination } = state;
    if (destination === "font") {
      if (name === "f") state.font = value;
      else if (name === "fcharset") this.#decoder.setCharset(state.font ?? 0, value);
      else if (name === "cpg") this.#decoder.setCodePage(state.font ?? 0, value);
      return true;
    }
    if (destination === "style sheet" || destination === "style") {
      if (name === "s" || name === "cs" || name === "ds" || name === "ts") {
        this.#style = { number: name === "s" ? value : -1, value: { name: "" } };
      } else if (name === "outlinelevel" && this.#style !== undefined) this.#style.value.outline = value;
      else if (name === "sbasedon" && this.#style !== undefined) this.#style.value.base = value;
      else if (name === "f") state.font = value;
      return true;
    }
    if (destination.startsWith("info ")) {
      const key = `${destination.slice(5)} ${name}`;
      if (/^(?:yr|mo|dy|hr|min|sec)$/.test(name)) this.info.set(key, String(value));
      return true;
    }
    return false;
  }

  /** Adds text in the style sheet to the name of the open style. */
  addStyleText(text: string): void {
    if (this.#style === undefined) return;
    this.#style.value.name += text;
    if (this.#style.number >= 0) this.#styles.set(this.#style.number, this.#style.value);
  }

  /**
   * Returns the heading level of a style from 1, 0 for the document title, -1 for an entry of the table of contents,
   * `undefined` for body text.
   */
  headingLevel(number: number): number | undefined {
    const seen = new Set<RtfStyle>();
    let style = this.#styles.get(number);
    while (style !== undefined && !seen.has(style) && seen.size < 100) {
      seen.add(style);
      const name = style.name.replace(/;.*$/s, "").trim();
      if (TITLE.test(name)) return 0;
      if (CONTENTS.test(name)) return -1;
      if (style.outline !== undefined) return style.outline < 9 ? style.outline + 1 : undefined;
      const named = HEADING.exec(name)?.[1];
      if (named !== undefined) return Number(named);
      style = style.base === undefined ? undefined : this.#styles.get(style.base);
    }
    return undefined;
  }
}

/** A style as it is defined in the style sheet. */
interface RtfStyle {
  name: string;
  /** Outline level from 0. */
  outline?: number;
  base?: number;
}

/** Encodings of fonts by their `\fcharset`. */
const CHARSETS: Readonly<Record<number, string>> = pairs(
  "77 macintosh 128 shift_jis 129 euc-kr 134 gb18030 136 big5 161 windows-1253 162 windows-1254 163 windows-1258",
  "177 windows-1255 178 windows-1256 186 windows-1257 204 windows-1251 222 windows-874 238 windows-1250",
);
const DOUBLE = words("shift_jis euc-kr gb18030 big5");

/** Decodes text by the code page of the document and the character sets of its fonts. */
export class Decoder {
  /** Encoding of the document. */
  document = "windows-1252";
  readonly #fonts = new Map<number, string>();
  readonly #decoders = new Map<string, TextDecoder>();

  /** Sets the encoding of a font from its `\fcharset`. */
  setCharset(font: number, charset: number): void {
    const label = CHARSETS[charset];
    if (label !== undefined) this.#fonts.set(font, label);
    else if (charset === 0) this.#fonts.set(font, "windows-1252");
  }

  setCodePage(font: number, page: number): void {
    const label = codePageLabel(page);
    if (label !== undefined) this.#fonts.set(font, label);
  }

  text(bytes: Uint8Array, font: number | undefined): string {
    const own = font === undefined ? undefined : this.#fonts.get(font);
    // Some programs write Chinese in fonts that claim to be Western. Bytes in pairs are in the encoding of the document.
    const isPaired = own === "windows-1252" && DOUBLE.has(this.document) && inPairs(bytes);
    const label = isPaired ? this.document : own ?? this.document;
    return kept(this.#decoders, label, () => new TextDecoder(label)).decode(bytes);
  }
}

function inPairs(bytes: Uint8Array): boolean {
  let high = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue;
    if ((bytes[++at] ?? 0) < 0x80) return false;
    high++;
  }
  return high > 0;
}
