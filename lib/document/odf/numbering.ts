import { countAs } from "../writer/list_numbers.ts";
import type { XmlElement } from "../xml/mod.ts";
import type { Styles } from "./styles.ts";

/** An open list and where in it the reader is. */
export interface OpenList {
  /** Name of its list style; empty for none. */
  readonly style: string;
  /** From 0. */
  readonly level: number;
  readonly counts: number[];
}

/** Counts the items of lists and the headings that have numbers. */
export class Numbering {
  readonly #styles: Styles;
  /** Where the last list of a style, and the list of an id, stopped. */
  readonly #byStyle = new Map<string, number[]>();
  readonly #byId = new Map<string, number[]>();

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /** Opens a list within `outer`, or at the outermost level. `usual`: the list style of its first paragraph. */
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

  /** The label of the next item: `2.`, `第三章`, empty for a bullet, nothing for a level without either. */
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
