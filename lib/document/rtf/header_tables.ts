import type { Decoder } from "./decode.ts";
import type { State } from "./state.ts";
import { type Style, StyleSheet } from "./style_sheet.ts";

/** The tables at the start of a document: fonts, styles, title and metadata. */
export class HeaderTables {
  readonly styles = new StyleSheet();
  /** Title, author, keywords and parts of dates, by the control words that give them. */
  readonly info = new Map<string, string>();
  readonly #decoder: Decoder;
  #style: { readonly number: number; readonly value: Style } | undefined;

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
      if (/^(?:yr|mo|dy)$/.test(name)) this.info.set(key, String(value));
      return true;
    }
    return false;
  }

  /** Adds text in the style sheet to the name of the open style. */
  addStyleText(text: string): void {
    if (this.#style === undefined) return;
    this.#style.value.name += text;
    if (this.#style.number >= 0) this.styles.set(this.#style.number, this.#style.value);
  }
}
