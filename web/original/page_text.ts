/**
 * The text of PDF pages as pdf.js gives it, folded to letters and digits with a way back to the places on the page.
 * Spaces, punctuation, hyphens at line ends and signs of Markdown fall away, so that a page and what a loader wrote about it
 * have the same letters in a row.
 */

/** A run of text on a page, as `getTextContent` of pdf.js gives it. Lengths are in the units of the page, y grows upwards. */
export interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  readonly transform: readonly number[];
  readonly fontName: string;
}

/** The fields of a font's style that matter for a place. */
export interface TextStyle {
  readonly fontFamily: string;
  readonly vertical?: boolean;
}

/** The text of one page. */
export interface PageText {
  /** Counted from 1. */
  readonly page: number;
  readonly items: readonly TextItem[];
  readonly styles: Readonly<Record<string, TextStyle | undefined>>;
}

/** A rectangle on a page, in its units; y grows upwards. */
export interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Letters and digits of a text, each with its offset there. Code points, because a surrogate pair is one letter. */
export interface Folded {
  readonly letters: readonly number[];
  readonly offsets: readonly number[];
  /** Whether something that is no letter or digit stands before each letter. */
  readonly apart: readonly boolean[];
}

/** Folded characters, which texts repeat. Bounded by the number of code points. */
const known = new Map<string, readonly number[]>();

/** A character in the form that is compared: compatible forms, ligatures, accents and case make no difference. */
function foldedLetters(character: string): readonly number[] {
  let letters = known.get(character);
  if (letters === undefined) {
    const plain = character.normalize("NFKD").toLowerCase().normalize("NFKD");
    letters = Array.from(plain).filter((one) => /[\p{L}\p{N}]/u.test(one)).map((one) => one.codePointAt(0)!);
    known.set(character, letters);
  }
  return letters;
}

/** The folded text, at most `most` letters of it. */
export function fold(text: string, most = Infinity): Folded {
  const letters: number[] = [], offsets: number[] = [], apart: boolean[] = [];
  let offset = 0, isApart = true;
  for (const character of text) {
    const folded = foldedLetters(character);
    for (const [i, letter] of folded.entries()) {
      letters.push(letter);
      offsets.push(offset);
      apart.push(isApart && i === 0);
    }
    // A soft hyphen and an accent stand inside words.
    if (folded.length > 0) isApart = false;
    else if (!/[\u00AD\p{M}]/u.test(character)) isApart = true;
    offset += character.length;
    if (letters.length >= most) break;
  }
  return { letters, offsets, apart };
}

/** The letters of several pages in a row, each with the page, the item and the offset in it that it comes from. */
export class PageLetters {
  readonly letters: number[] = [];
  readonly apart: boolean[] = [];
  readonly #pages: readonly PageText[];
  readonly #page: number[] = [];
  readonly #item: number[] = [];
  readonly #offset: number[] = [];

  constructor(pages: readonly PageText[], most: number) {
    this.#pages = pages;
    for (const [p, { items }] of pages.entries()) {
      for (const [i, { str }] of items.entries()) {
        const { letters, offsets, apart } = fold(str);
        for (const [at, letter] of letters.entries()) {
          this.letters.push(letter);
          this.apart.push(apart[at]!);
          this.#page.push(p);
          this.#item.push(i);
          this.#offset.push(offsets[at]!);
        }
        if (this.letters.length > most) return;
      }
    }
  }

  /** The number of the page that a letter stands on. */
  pageOf(at: number): number {
    return this.#pages[this.#page[at]!]!.page;
  }

  /** The rectangles of letters in a row, by page: one for each run of text, those of one line that touch joined. */
  boxes(from: number, to: number): Map<number, Box[]> {
    const boxes = new Map<number, Box[]>();
    for (let at = from; at < to;) {
      const [page, item] = [this.#page[at]!, this.#item[at]!];
      let end = at + 1;
      while (end < to && this.#page[end] === page && this.#item[end] === item) end++;
      const { page: number, items, styles } = this.#pages[page]!;
      const { str, fontName } = items[item]!;
      const [start, last] = [this.#offset[at]!, this.#offset[end - 1]!];
      const length = String.fromCodePoint(str.codePointAt(last)!).length;
      const box = boxOf(items[item]!, styles[fontName], start, last + length);
      if (box !== undefined) addBox(boxes, number, box);
      at = end;
    }
    return boxes;
  }
}

function addBox(boxes: Map<number, Box[]>, page: number, box: Box): void {
  const list = boxes.get(page) ?? [];
  boxes.set(page, list);
  const last = list.at(-1);
  const height = box.top - box.bottom;
  const isOnLine = last !== undefined && Math.abs(last.top - box.top) < 0.3 * height &&
    Math.abs(last.bottom - box.bottom) < 0.3 * height;
  if (!isOnLine || box.left > last.right + height || last.left > box.right + height) list.push(box);
  else list[list.length - 1] = around([last, box]);
}

function around(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    bottom: Math.min(...boxes.map(({ bottom }) => bottom)),
    right: Math.max(...boxes.map(({ right }) => right)),
    top: Math.max(...boxes.map(({ top }) => top)),
  };
}

/** Parts of a font's size above and below its baseline. */
const ASCENT = 0.8, DESCENT = 0.2;

/**
 * The rectangle of a part of a run. A PDF says how long a run is and not where its letters are, so their widths are estimated. `undefined`
 * where the numbers of the file make no rectangle.
 */
function boxOf(item: TextItem, style: TextStyle | undefined, from: number, to: number): Box | undefined {
  const { str, width, height, dir, transform: [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] } = item;
  const isMono = style?.fontFamily === "monospace";
  const all = widthOf(str, isMono) || 1;
  let [start, end] = [widthOf(str.slice(0, from), isMono) / all, widthOf(str.slice(0, to), isMono) / all];
  if (dir === "rtl") [start, end] = [1 - end, 1 - start];
  const size = Math.hypot(c, d);
  const corners: [number, number][] = [];
  if (style?.vertical === true) {
    // The letters stand below each other, centred on their line.
    for (const along of [start, end]) {
      for (const across of [-0.5, 0.5]) corners.push([x + across * size, y - along * Math.abs(height)]);
    }
  } else {
    const long = Math.hypot(a, b) || 1;
    for (const along of [start * width, end * width]) {
      for (const up of [-DESCENT, ASCENT]) {
        corners.push([x + (a / long) * along + c * up, y + (b / long) * along + d * up]);
      }
    }
  }
  if (!corners.flat().every(Number.isFinite) || size === 0) return undefined;
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return {
    left: Math.min(...xs),
    bottom: Math.min(...ys),
    right: Math.max(...xs),
    top: Math.max(...ys),
  };
}

/** Characters of a usual font by their widths in thousandths of its size, after those of Helvetica and Times. */
const WIDTHS: readonly (readonly [number, RegExp])[] = [
  [1000, /[\u2E80-\u9FFF\uAC00-\uD7FF\uF900-\uFAFF\uFF00-\uFF60\u{20000}-\u{3FFFF}]/u],
  [230, /[ijl'|]/],
  [270, /[ ft.,:;!I()[\]/\\‘’]/],
  [340, /[r-]/],
  [390, /["“”*^`{}]/],
  [850, /[mMW%@—…]/],
  [730, /[wBCDEGHKNOQRUVXYA&+<=>~]/],
  [610, /[FJLPSTZ]/],
  [470, /[cksvxyzJ]/],
];

function widthOf(text: string, isMono: boolean): number {
  let sum = 0;
  for (const character of text) {
    if (isMono) sum += WIDTHS[0]![1].test(character) ? 1000 : 500;
    else if (!/\p{M}/u.test(character)) sum += WIDTHS.find(([, some]) => some.test(character))?.[0] ?? 530;
  }
  return sum;
}
