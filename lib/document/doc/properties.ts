import { viewOf } from "./fib.ts";

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

/** Returns the runs of characters that are hidden, deleted, raised or lowered. */
export function characterRuns(stream: Uint8Array, table: Uint8Array): Run<CharacterProperties>[] {
  const all = runs<CharacterProperties>(stream, table, 1, (page, at) => {
    const found: { hidden?: boolean; script?: "superscript" | "subscript" } = {};
    for (const [sprm, value] of operations(page.subarray(at + 1, at + 1 + (page[at] ?? 0)))) {
      if ((sprm === SPRM.hidden || sprm === SPRM.deleted) && (value & 1) === 1) found.hidden = true;
      else if (sprm === SPRM.script && value === 1) found.script = "superscript";
      else if (sprm === SPRM.script && value === 2) found.script = "subscript";
      else if (sprm === SPRM.position && value !== 0) {
        found.script = value < 0x8000 ? "superscript" : "subscript";
      }
    }
    return found;
  });
  return all.filter(({ value }) => value.hidden || value.script !== undefined);
}

/** Applies the operations on the properties of a paragraph. */
export function paragraphProperties(bytes: Uint8Array): ParagraphProperties {
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

/** Returns the run that contains an offset. Runs must ascend. */
export function runAt<T>(all: readonly Run<T>[], offset: number): Run<T> | undefined {
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
    yield [
      sprm,
      size === 1 ? bytes[at]! : size === 4 ? view.getUint32(at, true) : view.getUint16(at, true),
    ];
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
