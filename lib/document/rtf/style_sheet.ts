import { CONTENTS, HEADING, TITLE } from "../docx/styles.ts";

/** A style as it is defined in the style sheet. */
export interface Style {
  name: string;
  /** Outline level from 0. */
  outline?: number;
  base?: number;
}

/** The paragraph styles of a document by number. */
export class StyleSheet {
  readonly #styles = new Map<number, Style>();

  set(number: number, style: Style): void {
    this.#styles.set(number, style);
  }

  /**
   * Returns the heading level from 1, 0 for the document title, -1 for an entry of the table of contents, `undefined` for
   * body text.
   */
  heading(number: number): number | undefined {
    const seen = new Set<number>();
    for (let at: number | undefined = number; at !== undefined && !seen.has(at) && seen.size < 100;) {
      seen.add(at);
      const style: Style | undefined = this.#styles.get(at);
      const name = style?.name.replace(/;.*$/s, "").trim() ?? "";
      if (TITLE.test(name)) return 0;
      if (CONTENTS.test(name)) return -1;
      const named = HEADING.exec(name)?.[1];
      if (style?.outline !== undefined) return style.outline < 9 ? style.outline + 1 : undefined;
      if (named !== undefined) return Number(named);
      at = style?.base;
    }
    return undefined;
  }
}
