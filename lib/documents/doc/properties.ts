/**
 * The structures that say how the text of a binary Word document is formatted.
 * In reading order: the file information block, properties of paragraphs and characters, styles, lists.
 */
import { DocumentError, kept, pairs, viewOf } from "../types.ts";
import { countAs, StyleSheet } from "../office/text.ts";

/** Indices of the parts. */
export const PART = {
  styles: 1,
  footnoteReferences: 2,
  footnotes: 3,
  commentReferences: 4,
  comments: 5,
  characterProperties: 12,
  paragraphProperties: 13,
  pieces: 33,
  commentAuthors: 36,
  anchors: 40,
  endnoteReferences: 46,
  endnotes: 47,
  drawings: 50,
  lists: 73,
  listUses: 74,
} as const;

const MAGIC = 0xa5ec;
/** Version number of Word 97. Older versions have another header. */
const FIRST_VERSION = 0xc1;
const LENGTHS = 0x4c;
const PARTS = 0x9a;

/** The file information block: offsets of the parts of a Word document, and the name of the stream that contains them. */
export type Fib = ReturnType<typeof readFib>;

/**
 * Reads the file information block (MS-DOC 2.5). Throws {@linkcode DocumentError}: `encrypted`, `damaged`, or `unsupported`
 * for versions before Word 97.
 */
export function readFib(stream: Uint8Array | undefined) {
  if (stream === undefined || stream.length < 32) {
    throw new DocumentError("damaged", "the file contains no Word document");
  }
  const view = viewOf(stream);
  const version = view.getUint16(2, true);
  if (view.getUint16(0, true) !== MAGIC || version < FIRST_VERSION) {
    throw new DocumentError("unsupported", "the file was written by a version of Word before 97");
  }
  const flags = view.getUint16(10, true);
  if ((flags & 0x100) !== 0) throw new DocumentError("encrypted", "a password is needed to open the file");
  if (stream.length < PARTS + 8 * (PART.pieces + 1)) throw cutOff();
  const length = (i: number) => Math.max(0, view.getInt32(LENGTHS + 4 * i, true));
  return {
    isSecondTable: (flags & 0x200) !== 0,
    /** Lengths in characters of the text and of what follows it, in this order. */
    lengths: {
      text: length(0),
      footnotes: length(1),
      headers: length(2) + length(3),
      comments: length(4),
      endnotes: length(5),
      textBoxes: length(6),
    },
    /** Returns offset and size of a part of the table stream. */
    part: (index: number): { readonly at: number; readonly size: number } => {
      const at = PARTS + 8 * index;
      return at + 8 > stream.length || index >= view.getUint16(PARTS - 2, true)
        ? { at: 0, size: 0 }
        : { at: view.getUint32(at, true), size: view.getUint32(at + 4, true) };
    },
  };
}

export function cutOff(): DocumentError {
  return new DocumentError("damaged", "the Word document is cut off or broken");
}

/** The properties of a paragraph that the loader uses. */
export interface ParagraphProperties {
  readonly style?: number;
  /** Outline level from 0. 9 is body text. */
  readonly outline?: number;
  /** Number of the list reference, from 1. 0 is none. */
  readonly list?: number;
  readonly level?: number;
  /** Nesting depth of the table around the paragraph, 0 outside of tables. */
  readonly depth?: number;
  readonly endsRow?: boolean;
  readonly endsCell?: boolean;
}

/** The properties of characters that the loader uses. */
export interface CharacterProperties {
  readonly hidden?: boolean;
  readonly script?: "superscript" | "subscript";
  /** Offset of a picture in the stream `Data`. */
  readonly picture?: number;
}

/** Properties that apply from one offset in the stream to another. */
export interface Run<T> {
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

/** Operations on properties (MS-DOC 2.6). */
const SPRM = {
  style: 0x4600,
  inTable: 0x2416,
  endsRow: 0x2417,
  depth: 0x6649,
  innerCell: 0x244b,
  innerRow: 0x244c,
  outline: 0x2640,
  level: 0x260a,
  list: 0x460b,
  deleted: 0x0800,
  hidden: 0x083c,
  script: 0x2a48,
  position: 0x4845,
  picture: 0x6a03,
} as const;

const PAGE = 512;

/** Returns the properties of paragraphs by offset in the stream, in ascending order. `table`: the list of their pages. */
export function paragraphRuns(stream: Uint8Array, table: Uint8Array): Run<ParagraphProperties>[] {
  return runs(stream, table, 13, (page, at) => {
    const cb = page[at] ?? 0;
    const [start, size] = cb === 0 ? [at + 2, 2 * (page[at + 1] ?? 0)] : [at + 1, 2 * cb - 1];
    const bytes = page.subarray(start, start + size);
    if (bytes.length < 2) return {};
    return { style: bytes[0]! | bytes[1]! << 8, ...paragraphProperties(bytes.subarray(2)) };
  });
}

/** Returns the runs of characters that are hidden, deleted, raised, lowered or a picture. */
export function characterRuns(stream: Uint8Array, table: Uint8Array): Run<CharacterProperties>[] {
  const all = runs<CharacterProperties>(stream, table, 1, (page, at) => {
    const found: { -readonly [K in keyof CharacterProperties]: CharacterProperties[K] } = {};
    for (const [sprm, value] of operations(page.subarray(at + 1, at + 1 + (page[at] ?? 0)))) {
      if ((sprm === SPRM.hidden || sprm === SPRM.deleted) && (value & 1) === 1) found.hidden = true;
      else if (sprm === SPRM.picture) found.picture = value;
      else if (sprm === SPRM.script && value === 1) found.script = "superscript";
      else if (sprm === SPRM.script && value === 2) found.script = "subscript";
      else if (sprm === SPRM.position && value !== 0) {
        found.script = value < 0x8000 ? "superscript" : "subscript";
      }
    }
    return found;
  });
  return all.filter(({ value: { hidden, script, picture } }) =>
    hidden || script !== undefined || picture !== undefined
  );
}

/** Applies the operations on the properties of a paragraph. */
function paragraphProperties(bytes: Uint8Array): ParagraphProperties {
  const found: { -readonly [K in keyof ParagraphProperties]: ParagraphProperties[K] } = {};
  for (const [sprm, value] of operations(bytes)) {
    if (sprm === SPRM.style) found.style = value;
    else if (sprm === SPRM.inTable && value === 1) found.depth = Math.max(1, found.depth ?? 0);
    else if (sprm === SPRM.depth) found.depth = Math.min(value, 100);
    else if (sprm === SPRM.endsRow || sprm === SPRM.innerRow) found.endsRow = value === 1;
    else if (sprm === SPRM.innerCell) found.endsCell = value === 1;
    else if (sprm === SPRM.outline) found.outline = value;
    else if (sprm === SPRM.level) found.level = value;
    else if (sprm === SPRM.list) found.list = value;
  }
  return found;
}

/** Returns the run that contains an offset, or the next one. Runs must ascend. */
export function runAt<One extends { readonly end: number }>(
  all: readonly One[],
  offset: number,
): One | undefined {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return all[low];
}

/** Yields the operations in a list, each with the first four bytes of its operand as a number. */
function* operations(bytes: Uint8Array): Generator<[number, number], void, undefined> {
  const view = viewOf(bytes);
  for (let at = 0; at + 3 <= bytes.length;) {
    const sprm = view.getUint16(at, true);
    const kind = sprm >> 13;
    at += 2;
    if (kind === 6) {
      // Table definitions have a length of two bytes.
      at += sprm === 0xd608 && at + 2 <= bytes.length ? view.getUint16(at, true) + 1 : 1 + (bytes[at] ?? 0);
      continue;
    }
    const size = kind <= 1 ? 1 : kind === 3 ? 4 : kind === 7 ? 3 : 2;
    if (at + size > bytes.length) return;
    const value = size === 1 ? bytes[at]! : size === 4 ? view.getUint32(at, true) : view.getUint16(at, true);
    yield [sprm, value];
    at += size;
  }
}

/** Reads the pages of properties (MS-DOC 2.9.33, 2.9.174) that a table lists. `width`: bytes per entry on a page. */
function runs<T>(
  stream: Uint8Array,
  table: Uint8Array,
  width: number,
  read: (page: Uint8Array, at: number) => T,
): Run<T>[] {
  const found: Run<T>[] = [];
  const view = viewOf(table);
  const count = Math.floor((table.length - 4) / 8);
  for (let i = 0; i < count; i++) {
    const start = (view.getUint32(4 * (count + 1) + 4 * i, true) & 0x3fffff) * PAGE;
    const page = stream.subarray(start, start + PAGE);
    if (page.length < PAGE) continue;
    const offsets = viewOf(page);
    const entries = Math.min(page[PAGE - 1]!, Math.floor((PAGE - 5) / (4 + width)));
    for (let j = 0; j < entries; j++) {
      const at = page[4 * (entries + 1) + width * j]! * 2;
      found.push({
        start: offsets.getUint32(4 * j, true),
        end: offsets.getUint32(4 * j + 4, true),
        value: at === 0 ? {} as T : read(page, at),
      });
    }
  }
  return found.sort((a, b) => a.end - b.end);
}

/** A paragraph style. */
interface DocStyle extends ParagraphProperties {
  /** Word's number of the built-in style: 1–9 headings, 19–27 table of contents, 62 title. */
  readonly builtIn: number;
  /** Number of the style that it is based on. */
  readonly base?: number;
}

const NONE = 0xfff;

/** Returns the styles of a document by number (MS-DOC 2.9.271). */
export function readStyles(table: Uint8Array): StyleSheet<number, DocStyle> {
  const styles = new StyleSheet<number, DocStyle>();
  if (table.length < 6) return styles;
  const view = viewOf(table);
  const count = view.getUint16(2, true);
  const baseSize = view.getUint16(4, true);
  let at = 2 + view.getUint16(0, true);
  for (let i = 0; i < count && at + 2 <= table.length; i++) {
    const size = view.getUint16(at, true);
    const style = readStyle(table.subarray(at + 2, at + 2 + size), baseSize);
    if (style !== undefined) styles.set(i, style);
    at += 2 + size + (size & 1);
  }
  return styles;
}

function readStyle(bytes: Uint8Array, baseSize: number): DocStyle | undefined {
  if (bytes.length < baseSize + 2 || bytes.length < 12) return undefined;
  const view = viewOf(bytes);
  const builtIn = view.getUint16(0, true) & 0xfff;
  const second = view.getUint16(2, true);
  // Other styles are those of characters and tables.
  if ((second & 0xf) !== 1) return undefined;
  const outline = builtIn >= 1 && builtIn <= 9 ? { outline: builtIn - 1 } : {};
  // The operations on a paragraph follow after the name and its terminating zero.
  const at = baseSize + 2 + 2 * view.getUint16(baseSize, true) + 2;
  const size = at + 2 <= bytes.length ? view.getUint16(at, true) : 0;
  const { style: _, ...properties } = size < 2
    ? {}
    : paragraphProperties(bytes.subarray(at + 4, at + 2 + size));
  const base = second >> 4;
  return { builtIn, ...(base === NONE ? {} : { base }), ...outline, ...properties };
}

interface Level {
  readonly start: number;
  /** Number format (MS-OSHARED 2.2.1.3). 23 is a bullet, 255 is no number. */
  readonly format: number;
  /** Text of the label. Characters below 9 are replaced by the number of that level. */
  readonly text: string;
}

const BULLET = 23;
const DEEPEST = 8;

/** Number formats by the names of Office that {@linkcode countAs} takes. */
const FORMATS: Readonly<Record<number, string>> = pairs(
  "1 upperRoman 2 lowerRoman 3 upperLetter 4 lowerLetter 10 chineseCounting 11 chineseCounting 14 decimalFullWidth",
  "18 decimalEnclosedCircle 22 decimalZero 30 ideographTraditional 31 ideographZodiac 33 taiwaneseCounting",
  "34 ideographLegalTraditional 35 taiwaneseCountingThousand 37 chineseCounting 38 chineseLegalSimplified",
  "39 chineseCountingThousand 255 none",
);

/** Counts the paragraphs of lists, which must come in document order. */
export class Lists {
  readonly #levels: ReadonlyMap<number, readonly Level[]>;
  /** Identifier of a list for each reference to it. */
  readonly #uses: readonly number[];
  readonly #counts = new Map<number, number[]>();

  /** `table`: the table stream. `lists`: offset and size of the lists in it. `uses`: the references to lists. */
  constructor(table: Uint8Array, lists: { at: number; size: number }, uses: Uint8Array) {
    this.#levels = readLevels(table, lists);
    this.#uses = readUses(uses);
  }

  /** Returns the label of a paragraph: `2.`, `第三章`, empty for a bullet; `undefined` if it is in no list. */
  next(use: number, wanted: number): string | undefined {
    const id = this.#uses[use - 1];
    const levels = id === undefined ? undefined : this.#levels.get(id);
    if (id === undefined || levels === undefined) return undefined;
    const level = Math.max(0, Math.min(wanted, DEEPEST, levels.length - 1));
    const format = levels[level];
    if (format === undefined) return undefined;
    const counts = kept(this.#counts, id, () => []);
    counts[level] = (counts[level] ?? format.start - 1) + 1;
    counts.length = level + 1;
    if (format.format === BULLET) return "";
    const label = Array.from(format.text, (char) => {
      const at = char.charCodeAt(0);
      if (at > DEEPEST) return char;
      const one = levels[at];
      return countAs(counts[at] ?? one?.start ?? 1, FORMATS[one?.format ?? 0] ?? "decimal");
    }).join("").trim();
    return label === "" ? undefined : label;
  }
}

function readLevels(table: Uint8Array, { at, size }: { at: number; size: number }): Map<number, Level[]> {
  const lists = new Map<number, Level[]>();
  const view = viewOf(table);
  if (size < 2 || at + size > table.length) return lists;
  const count = Math.min(view.getUint16(at, true), Math.floor((size - 2) / 28));
  // The levels of all lists follow after the lists.
  let next = at + 2 + 28 * view.getUint16(at, true);
  for (let i = 0; i < count; i++) {
    const start = at + 2 + 28 * i;
    const isSimple = (table[start + 26]! & 1) === 1;
    const levels: Level[] = [];
    for (let level = 0; level < (isSimple ? 1 : 9); level++) {
      if (next + 30 > table.length) return lists;
      const text = next + 28 + table[next + 24]! + table[next + 25]!;
      if (text + 2 > table.length) return lists;
      const length = view.getUint16(text, true);
      if (text + 2 + 2 * length > table.length) return lists;
      levels.push({
        start: view.getInt32(next, true),
        format: table[next + 4]!,
        text: new TextDecoder("utf-16le").decode(
          table.subarray(text + 2, text + 2 + 2 * Math.min(length, 50)),
        ),
      });
      next = text + 2 + 2 * length;
    }
    lists.set(view.getInt32(start, true), levels);
  }
  return lists;
}

function readUses(bytes: Uint8Array): number[] {
  if (bytes.length < 4) return [];
  const view = viewOf(bytes);
  const count = Math.min(view.getUint32(0, true), Math.floor((bytes.length - 4) / 16));
  return Array.from({ length: count }, (_, i) => view.getInt32(4 + 16 * i, true));
}
