import type { PageBlocks, TextBlock } from "./blocks.ts";
import type { Run } from "./types.ts";

/** The properties by which headings of different levels differ. */
export interface TextStyle {
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
}

/** Returns the style of most characters. Those in tables count if there is little other text. */
export function bodyStyle(pages: readonly PageBlocks[]): TextStyle {
  const text = new StyleCount(), tables = new StyleCount();
  for (const { blocks } of pages) {
    for (const block of blocks) {
      if (block.kind === "text") block.lines.forEach(({ runs }) => runs.forEach((run) => text.add(run)));
      else if (block.kind === "table") block.table.runs.forEach((run) => tables.add(run));
    }
  }
  // The cells at the head of rows and columns are bold.
  return text.characters < 0.3 * tables.characters ? tables.top(({ bold }) => !bold) : text.top();
}

class StyleCount {
  characters = 0;
  readonly #counts = new Map<string, { style: TextStyle; characters: number }>();

  add({ size, face, text }: Run): void {
    const style = { size: round(size), bold: face.bold, italic: face.italic };
    const key = keyOf(style);
    let count = this.#counts.get(key);
    if (count === undefined) this.#counts.set(key, count = { style, characters: 0 });
    count.characters += text.length;
    this.characters += text.length;
  }

  top(counts: (style: TextStyle) => boolean = () => true): TextStyle {
    let best = { style: { size: 10, bold: false, italic: false }, characters: 0 };
    for (const count of this.#counts.values()) {
      if (count.characters > best.characters && counts(count.style)) best = count;
    }
    return best.style;
  }
}

export function styleOf(block: TextBlock): TextStyle {
  return { size: round(block.size), bold: block.face.bold, italic: block.face.italic };
}

/** Returns a key that is the same for equal styles. */
export function keyOf({ size, bold, italic }: TextStyle): string {
  return `${size} ${bold} ${italic}`;
}

function round(size: number): number {
  return Math.round(size * 2) / 2;
}
