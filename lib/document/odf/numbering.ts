import { countAs } from "../writer/list_numbers.ts";
import type { XmlElement } from "../xml/mod.ts";
import type { Styles } from "./styles.ts";

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
