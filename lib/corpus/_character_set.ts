/** First and last code point of a range. */
type Range = readonly [first: number, last: number];

/** The named classes, as in `[[:alpha:]]`. They have ASCII characters only, as in git. */
const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  alnum: [[48, 57], [65, 90], [97, 122]],
  alpha: [[65, 90], [97, 122]],
  blank: [[32, 32], [9, 9]],
  cntrl: [[0, 31], [127, 127]],
  digit: [[48, 57]],
  graph: [[33, 126]],
  lower: [[97, 122]],
  print: [[32, 126]],
  punct: [[33, 47], [58, 64], [91, 96], [123, 126]],
  space: [[9, 13], [32, 32]],
  upper: [[65, 90]],
  xdigit: [[48, 57], [65, 70], [97, 102]],
};

/** A set of characters as in `[a-z]`, `[!0-9]`, `[[:alpha:]_]`. */
export class CharacterSet {
  readonly #negated: boolean;
  /** Sorted and disjoint, for binary search: a set may be a megabyte long. */
  readonly #ranges: readonly Range[];
  readonly #ignoreCase: boolean;
  /** The set in its source form. */
  readonly text: string;

  private constructor(text: string, negated: boolean, ranges: Range[], ignoreCase: boolean) {
    this.text = text;
    this.#negated = negated;
    this.#ranges = merged(ranges);
    this.#ignoreCase = ignoreCase;
  }

  /**
   * Parses the set whose `[` is at `characters[start]`; `end` is the index of its `]`. Null if it has no end or names an
   * unknown class: a pattern with such a set matches nothing in git.
   */
  static parse(
    characters: readonly string[],
    start: number,
    ignoreCase: boolean,
  ): { set: CharacterSet; end: number } | null {
    const ranges: Range[] = [];
    let at = start + 1;
    const negated = characters[at] === "!" || characters[at] === "^";
    if (negated) at++;
    const first = at;
    /** Index of the next `]`. It is searched once, because a megabyte of `[:` may precede it. */
    let close = 0;
    /** The previous character, which starts a range if `-` follows. */
    let before: number | undefined;
    for (;; at++) {
      let character = characters[at];
      if (character === undefined) return null;
      if (character === "]" && at > first) {
        const text = characters.slice(start, at + 1).join("");
        return { set: new CharacterSet(text, negated, ranges, ignoreCase), end: at };
      }
      const next = characters[at + 1];
      if (character === "-" && before !== undefined && next !== undefined && next !== "]") {
        character = characters[++at]!;
        if (character === "\\") character = characters[++at];
        if (character === undefined) return null;
        ranges.push([before, character.codePointAt(0)!]);
        before = undefined;
        continue;
      }
      if (character === "[" && next === ":") {
        if (close < at + 2) close = characters.indexOf("]", at + 2);
        if (close < 0) return null;
        if (close > at + 2 && characters[close - 1] === ":") {
          const named = CLASSES[characters.slice(at + 2, close - 1).join("")];
          if (named === undefined) return null;
          ranges.push(...named);
          before = undefined;
          at = close;
          continue;
        }
      }
      if (character === "\\") character = characters[++at];
      if (character === undefined) return null;
      before = character.codePointAt(0)!;
      ranges.push([before, before]);
    }
  }

  /** Whether the set matches a code point. */
  matches(code: number): boolean {
    return this.#holds(code) !== this.#negated;
  }

  #holds(code: number): boolean {
    if (this.#isInRange(code)) return true;
    if (!this.#ignoreCase) return false;
    const character = String.fromCodePoint(code);
    return [character.toLowerCase(), character.toUpperCase()].some((other) =>
      this.#isInRange(other.codePointAt(0)!)
    );
  }

  #isInRange(code: number): boolean {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const [first, last] = this.#ranges[middle]!;
      if (code < first) high = middle;
      else if (code > last) low = middle + 1;
      else return true;
    }
    return false;
  }
}

function merged(ranges: Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [first, last] of ranges.filter(([a, b]) => a <= b).sort((a, b) => a[0] - b[0])) {
    const previous = result.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else result.push([first, last]);
  }
  return result;
}
