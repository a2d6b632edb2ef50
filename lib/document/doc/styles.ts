import { viewOf } from "./fib.ts";
import { type ParagraphProperties, paragraphProperties } from "./properties.ts";

/** A paragraph style, including inherited properties. */
export interface Style extends ParagraphProperties {
  /** Word's number of the built-in style: 1–9 headings, 19–27 table of contents, 62 title. */
  readonly builtIn: number;
}

interface OwnStyle extends Style {
  readonly base: number;
}

const NONE = 0xfff;

/** The styles of a document by number (MS-DOC 2.9.271). */
export class Styles {
  readonly #own: readonly (OwnStyle | undefined)[];
  readonly #resolved = new Map<number, Style>();

  constructor(table: Uint8Array) {
    this.#own = readStyles(table);
  }

  get(number: number): Style {
    let style = this.#resolved.get(number);
    if (style === undefined) {
      style = this.#resolve(number);
      this.#resolved.set(number, style);
    }
    return style;
  }

  #resolve(number: number): Style {
    const seen = new Set<number>();
    let style: Partial<OwnStyle> = {};
    for (let at = number; at !== NONE && !seen.has(at) && seen.size < 100;) {
      seen.add(at);
      const own = this.#own[at];
      if (own === undefined) break;
      style = { ...own, ...style };
      at = own.base;
    }
    return { builtIn: NONE, ...style };
  }
}

function readStyles(table: Uint8Array): (OwnStyle | undefined)[] {
  const styles: (OwnStyle | undefined)[] = [];
  if (table.length < 6) return styles;
  const view = viewOf(table);
  const count = view.getUint16(2, true);
  const baseSize = view.getUint16(4, true);
  let at = 2 + view.getUint16(0, true);
  for (let i = 0; i < count && at + 2 <= table.length; i++) {
    const size = view.getUint16(at, true);
    styles.push(readStyle(table.subarray(at + 2, at + 2 + size), baseSize));
    at += 2 + size + (size & 1);
  }
  return styles;
}

function readStyle(bytes: Uint8Array, baseSize: number): OwnStyle | undefined {
  if (bytes.length < baseSize + 2 || bytes.length < 12) return undefined;
  const view = viewOf(bytes);
  const builtIn = view.getUint16(0, true) & 0xfff;
  const second = view.getUint16(2, true);
  const isParagraph = (second & 0xf) === 1;
  if (!isParagraph) return undefined;
  const outline = builtIn >= 1 && builtIn <= 9 ? { outline: builtIn - 1 } : {};
  // The operations on a paragraph follow after the name and its terminating zero.
  const at = baseSize + 2 + 2 * view.getUint16(baseSize, true) + 2;
  const size = at + 2 <= bytes.length ? view.getUint16(at, true) : 0;
  const { style: _, ...properties } = size < 2
    ? {}
    : paragraphProperties(bytes.subarray(at + 4, at + 2 + size));
  return { builtIn, base: second >> 4, ...outline, ...properties };
}
