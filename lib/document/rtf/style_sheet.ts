import { CONTENTS, HEADING, TITLE } from "../docx/styles.ts";

/** A style as its entry in the style sheet says. */
export interface Style {
  name: string;
  /** From 0. */
  outline?: number;
  base?: number;
}

/** The paragraph styles of a document by their numbers. */
export class StyleSheet {
  readonly #styles = new Map<number, Style>();

  set(number: number, style: Style): void {
    this.#styles.set(number, style);
  }

  /** Level of a heading from 1, 0 for the document's title, -1 for an entry of the contents; nothing for text. */
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
