import { countAs } from "../writer/list_numbers.ts";
import { viewOf } from "./fib.ts";

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
const FORMATS: Readonly<Record<number, string>> = {
  1: "upperRoman",
  2: "lowerRoman",
  3: "upperLetter",
  4: "lowerLetter",
  10: "chineseCounting",
  11: "chineseCounting",
  14: "decimalFullWidth",
  18: "decimalEnclosedCircle",
  22: "decimalZero",
  30: "ideographTraditional",
  31: "ideographZodiac",
  33: "taiwaneseCounting",
  34: "ideographLegalTraditional",
  35: "taiwaneseCountingThousand",
  37: "chineseCounting",
  38: "chineseLegalSimplified",
  39: "chineseCountingThousand",
  255: "none",
};

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
    const counts = this.#counts.get(id) ?? [];
    this.#counts.set(id, counts);
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
