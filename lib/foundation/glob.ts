/**
 * Globs for one name of a path, such as `*.log` and `[a-z]?`.
 * Below them: a table that finds the globs that may match a name, and sets of characters.
 */

/** An element of a glob: a code point, a set, `?` or `*`. */
export type Piece = number | CharacterSet | "?" | "*";

/** A folded name, with its code points on demand. */
export class Name {
  #codes: readonly number[] | undefined;

  /** `text`: the folded name. */
  constructor(readonly text: string) {}

  get codes(): readonly number[] {
    return this.#codes ??= Array.from(this.text, (character) => character.codePointAt(0)!);
  }
}

/** A pattern for one name of a path. */
export class Glob {
  /** Without adjacent stars. */
  readonly #pieces: readonly Piece[];
  /** Code points of the shortest name that matches. */
  readonly #shortest: number;
  /** Literal prefix and suffix of every name that matches. */
  readonly head: string;
  readonly tail: string;
  /** The longest literal part of every name that matches. */
  readonly run: string;
  /** Equal for equal globs. */
  readonly key: string;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces.filter((piece, at) => piece !== "*" || pieces[at - 1] !== "*");
    this.#shortest = this.#pieces.filter((piece) => piece !== "*").length;
    const head = this.#pieces.findIndex((piece) => typeof piece !== "number");
    const tail = this.#pieces.findLastIndex((piece) => typeof piece !== "number");
    this.head = textOf(head < 0 ? this.#pieces : this.#pieces.slice(0, head));
    this.tail = textOf(this.#pieces.slice(tail + 1));
    this.run = longestRun(this.#pieces);
    this.key = this.#pieces.map(keyOf).join("");
  }

  /** Whether it matches only the name `head`. */
  get isLiteral(): boolean {
    return this.#pieces.every((piece) => typeof piece === "number");
  }

  /**
   * Whether it matches the whole name. After a mismatch only the last `*` takes one character more. Earlier ones never have
   * to change, because the pieces between them and the last one were found already. So the time is at most the product of
   * both lengths.
   *
   *     *a*b?   on   x a y b a b c
   *                  * a * b ?          "bc" is left over
   *                  * a * * * b ?      the last `*` takes more: it matches
   */
  matches({ codes }: Name): boolean {
    if (codes.length < this.#shortest) return false;
    const pieces = this.#pieces;
    let at = 0;
    let piece = 0;
    /** Index of the last star, and the end of the characters that it takes. */
    let star = -1;
    let taken = 0;
    while (at < codes.length) {
      if (pieces[piece] === "*") {
        star = piece++;
        taken = at;
      } else if (piece < pieces.length && fits(pieces[piece]!, codes[at]!)) {
        piece++;
        at++;
      } else if (star >= 0) {
        piece = star + 1;
        at = ++taken;
      } else return false;
    }
    if (pieces[piece] === "*") piece++;
    return piece === pieces.length;
  }
}

function fits(piece: Piece, code: number): boolean {
  if (typeof piece === "number") return piece === code;
  return piece === "?" || (piece !== "*" && piece.matches(code));
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => String.fromCodePoint(piece as number)).join("");
}

function longestRun(pieces: readonly Piece[]): string {
  let longest = "";
  for (let at = 0; at < pieces.length; at++) {
    const start = at;
    while (typeof pieces[at] === "number") at++;
    const run = textOf(pieces.slice(start, at));
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

function keyOf(piece: Piece): string {
  if (typeof piece === "number") return `\\${String.fromCodePoint(piece)}`;
  return typeof piece === "string" ? piece : piece.text;
}

/** A glob and its value. */
interface GlobEntry<T> {
  readonly glob: Glob;
  readonly value: T;
}

/**
 * A map from globs to values. The globs that may match a name are found by their literal prefix, suffix or longest literal
 * part, so that few of 75,000 globs like `*.log` or `*tmp*` are tried.
 */
export class GlobTable<T> {
  readonly #byKey = new Map<string, T>();
  readonly #byHead = new TextTable<T>();
  readonly #byTail = new TextTable<T>();
  readonly #byRun = new TextTable<T>();
  /** Globs without a literal part, such as `*` and `[0-9]*`. */
  readonly #others: GlobEntry<T>[] = [];

  /** The value of a glob, created if there is none. */
  getOrAdd(glob: Glob, create: () => T): T {
    const known = this.#byKey.get(glob.key);
    if (known !== undefined) return known;
    const value = create();
    this.#byKey.set(glob.key, value);
    if (glob.head !== "") this.#byHead.add(glob.head, { glob, value });
    else if (glob.tail !== "") this.#byTail.add(glob.tail, { glob, value });
    else if (glob.run !== "") this.#byRun.add(glob.run, { glob, value });
    else this.#others.push({ glob, value });
    return value;
  }

  /** Calls `to` with the value of every glob that matches `name`, in no order. */
  forEachMatch(name: Name, to: (value: T) => void): void {
    const { text } = name;
    const tryEach = (entries: readonly GlobEntry<T>[]) => {
      for (const { glob, value } of entries) if (glob.matches(name)) to(value);
    };
    for (const length of this.#byHead.lengths) {
      if (length <= text.length) tryEach(this.#byHead.get(text.slice(0, length)));
    }
    for (const length of this.#byTail.lengths) {
      if (length <= text.length) tryEach(this.#byTail.get(text.slice(text.length - length)));
    }
    for (const length of this.#byRun.lengths) {
      const runs = new Set<string>();
      for (let end = length; end <= text.length; end++) runs.add(text.slice(end - length, end));
      for (const run of runs) tryEach(this.#byRun.get(run));
    }
    tryEach(this.#others);
  }
}

/** Entries by a literal part of their globs. */
class TextTable<T> {
  readonly #entries = new Map<string, GlobEntry<T>[]>();
  /** The lengths of the literal parts, in UTF-16 units. */
  readonly lengths = new Set<number>();

  get(text: string): readonly GlobEntry<T>[] {
    return this.#entries.get(text) ?? [];
  }

  add(text: string, entry: GlobEntry<T>): void {
    this.lengths.add(text.length);
    const known = this.#entries.get(text);
    if (known === undefined) this.#entries.set(text, [entry]);
    else known.push(entry);
  }
}

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
