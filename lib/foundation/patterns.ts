/**
 * Patterns in the syntax of .gitignore, matched in a time that the lengths of rules and path bound. The rules of a file become an
 * automaton whose steps are globs for one name of a path.
 */

/** Options of {@linkcode Patterns}. */
interface PatternOptions {
  readonly ignoreCase: boolean;
}

/**
 * Rules in the syntax of `.gitignore` for the content of one folder, at any depth. They may come from somebody else's
 * folder, so the time to match is bounded by the length of the rules and of the path, for every pattern.
 *
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { Patterns } from "./patterns.ts";
 *
 * const patterns = Patterns.of(["*.log", "!keep.log", "build/"], { ignoreCase: false });
 * equal(patterns.matches("a/b.log"), true);
 * equal(patterns.matches("a/keep.log"), false);
 * equal(patterns.matches("build/keep.log"), true);
 * ```
 */
export class Patterns {
  readonly #states: ReadonlySet<State>;
  readonly #options: PatternOptions;
  /** The lines of the rules, and the number of folders between their folder and this one. Rules with equal sources are equal. */
  readonly source: readonly [lines: readonly string[], depth: number];

  private constructor(
    states: ReadonlySet<State>,
    options: PatternOptions,
    source: Patterns["source"],
  ) {
    this.#states = states;
    this.#options = options;
    this.source = source;
  }

  /** Parses `lines`. Later rules win. */
  static of(lines: readonly string[], options: PatternOptions): Patterns {
    const rules = lines.map((line) => parseRule(line, options.ignoreCase)).filter((rule) => rule !== null);
    return new Patterns(State.reached(rules.length === 0 ? [] : [State.of(rules)]), options, [lines, 0]);
  }

  /** Whether no entry of the folder or below it can match. */
  get isEmpty(): boolean {
    return this.#states.size === 0;
  }

  /** True if the last rule that matches an entry of the folder is not negated, false if it is, `undefined` if none matches. */
  verdict(name: string, isFolder: boolean): boolean | undefined {
    if (this.isEmpty) return undefined;
    return State.verdict(this.#states, this.#name(name), isFolder);
  }

  /** The rules for the content of a subfolder. */
  below(folder: string): Patterns {
    const [lines, depth] = this.source;
    return new Patterns(State.enter(this.#states, this.#name(folder)), this.#options, [lines, depth + 1]);
  }

  /**
   * Whether the rules match `path` or one of its folders. A negated rule does not bring back an entry of a matched folder.
   * `path` is separated by `/`, and a folder's path ends with `/`.
   */
  matches(path: string): boolean {
    const names = path.split("/");
    const isFolder = names.at(-1) === "";
    if (isFolder) names.pop();
    let states = this.#states;
    for (const [at, part] of names.entries()) {
      const name = this.#name(part);
      const isLast = at === names.length - 1;
      const named = State.verdict(states, name, isFolder || !isLast) === true;
      if (named || isLast) return named;
      states = State.enter(states, name);
    }
    return false;
  }

  #name(name: string): Name {
    return new Name(fold(name, this.#options.ignoreCase));
  }
}

const NONE = -1;

/**
 * A state of the automaton that matches paths against the rules of one ignore file. Rules with a common beginning share
 * their states. A walk keeps the states that a folder's path has reached and continues from them with the folder's entries,
 * so each part of a path is matched once, at any depth.
 *
 * The states of `logs/*.txt` and `/logs/old/` are:
 *
 *     start -- "logs" --> state -- *.txt --> rule 0
 *                               -- "old" --> folder rule 1
 */
class State {
  /** Transitions from this state. The tables are created on demand, because most states are ends. */
  #literal: Map<string, State> | undefined;
  #globs: GlobTable<State> | undefined;
  /** The state after `**`, which any number of folders may precede. */
  #anyFolders: State | undefined;
  readonly #isAnyFolders: boolean;
  /** The last rule that ends here: {@linkcode NONE}, or twice its index in the file, plus one if it is not negated. */
  #rule = NONE;
  /** The same for rules that match folders only. */
  #folderRule = NONE;

  private constructor(isAnyFolders = false) {
    this.#isAnyFolders = isAnyFolders;
  }

  /** The start state of the rules. Later rules win. */
  static of(rules: readonly Rule[]): State {
    const start = new State();
    for (const [at, { negated, folderOnly, parts }] of rules.entries()) {
      let state = start;
      for (const part of parts) state = state.#child(part);
      const rule = 2 * at + (negated ? 0 : 1);
      if (folderOnly) state.#folderRule = rule;
      else state.#rule = rule;
    }
    return start;
  }

  #child(part: Glob | typeof ANY_FOLDERS): State {
    if (part === ANY_FOLDERS) return this.#anyFolders ??= new State(true);
    if (!part.isLiteral) return (this.#globs ??= new GlobTable()).getOrAdd(part, () => new State());
    this.#literal ??= new Map();
    let child = this.#literal.get(part.head);
    if (child === undefined) this.#literal.set(part.head, child = new State());
    return child;
  }

  /** `states`, and the states that they reach without consuming a part of a path. */
  static reached(states: Iterable<State>): Set<State> {
    const all = new Set<State>();
    for (const state of states) {
      all.add(state);
      if (state.#anyFolders !== undefined) all.add(state.#anyFolders);
    }
    return all;
  }

  /** The states that `states` reach with the folder `name`. */
  static enter(states: Iterable<State>, name: Name): Set<State> {
    const next: State[] = [];
    for (const state of states) {
      if (state.#isAnyFolders) next.push(state);
      state.#follow(name, (child) => next.push(child));
    }
    return State.reached(next);
  }

  /** Whether the last rule that matches `name` excludes it; `undefined` if no rule matches. */
  static verdict(states: Iterable<State>, name: Name, isFolder: boolean): boolean | undefined {
    let last = NONE;
    for (const state of states) {
      state.#follow(name, (child) => {
        last = Math.max(last, child.#rule, isFolder ? child.#folderRule : NONE);
      });
    }
    return last === NONE ? undefined : (last & 1) === 1;
  }

  #follow(name: Name, to: (child: State) => void): void {
    const child = this.#literal?.get(name.text);
    if (child !== undefined) to(child);
    this.#globs?.forEachMatch(name, to);
  }
}

/** Any number of folders, also zero. */
const ANY_FOLDERS = "**";

/** A rule of an ignore file. */
interface Rule {
  /** True for `!`: entries that it matches are included again. */
  readonly negated: boolean;
  /** True for a slash at the end: it matches folders only. */
  readonly folderOnly: boolean;
  /** Patterns for the parts of a path, relative to the folder of the ignore file. The last is a glob. */
  readonly parts: readonly (Glob | typeof ANY_FOLDERS)[];
}

/** The lines of an ignore file. A lone carriage return ends a line too; otherwise such a file would be a single rule. */
export function patternLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/**
 * Parses a line by the rules of git: gitignore(5), and wildmatch.c for what that leaves open. Null for empty lines, comments
 * and patterns that cannot match, such as `a//b` or a `[` without `]`.
 */
function parseRule(line: string, ignoreCase: boolean): Rule | null {
  let body = withoutTrailingSpaces(line);
  if (body.startsWith("#")) return null;
  const negated = body.startsWith("!");
  if (negated) body = body.slice(1);
  const folderOnly = body.endsWith("/");
  if (folderOnly) body = body.slice(0, -1);
  // A slash before the end anchors a rule at its folder. Without one it matches at any depth.
  const isAnchored = body.includes("/");
  const segments = parseSegments(isAnchored ? body.replace(/^\//, "") : body, ignoreCase);
  if (segments === null || segments.some((segment) => segment.length === 0)) return null;

  const parts: (Glob | typeof ANY_FOLDERS)[] = isAnchored ? [] : [ANY_FOLDERS];
  for (const segment of segments) {
    if (segment.length < 2 || segment.some((piece) => piece !== "*")) parts.push(new Glob(segment));
    else if (parts.at(-1) !== ANY_FOLDERS) parts.push(ANY_FOLDERS);
  }
  // At the end, `**` matches everything below a folder, but not the folder.
  if (parts.at(-1) === ANY_FOLDERS) parts.push(new Glob(["*"]));
  return { negated, folderOnly, parts };
}

/** The line without trailing spaces, except those after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") end = ++at + 1;
    else if (line[at] !== " ") end = at + 1;
  }
  return line.slice(0, end);
}

/** The pieces between the slashes; null for a pattern that cannot match. */
function parseSegments(body: string, ignoreCase: boolean): Piece[][] | null {
  const characters = Array.from(body.normalize("NFC"));
  const segments: Piece[][] = [[]];
  for (let at = 0; at < characters.length; at++) {
    let character = characters[at]!;
    const segment = segments.at(-1)!;
    if (character === "*" || character === "?") {
      segment.push(character);
      continue;
    }
    if (character === "[") {
      const parsed = CharacterSet.parse(characters, at, ignoreCase);
      if (parsed === null) return null;
      segment.push(parsed.set);
      at = parsed.end;
      continue;
    }
    if (character === "\\") {
      const quoted = characters[++at];
      if (quoted === undefined) return null;
      character = quoted;
    }
    if (character === "/") segments.push([]);
    else segment.push(...Array.from(fold(character, ignoreCase), (each) => each.codePointAt(0)!));
  }
  return segments;
}

/** The form in which names and patterns are compared: NFC (`é` as one code point) and, with `ignoreCase`, case-folded. */
function fold(text: string, ignoreCase: boolean): string {
  if (isAscii(text)) return ignoreCase ? text.toLowerCase() : text;
  const composed = text.normalize("NFC");
  // One character at a time: the lower case of `Σ` depends on the next letter, which a pattern may not have.
  return ignoreCase ? Array.from(composed, foldCharacter).join("") : composed;
}

/** Folds through the upper case, which `σ` and `ς` share. */
function foldCharacter(character: string): string {
  return character.toUpperCase().toLowerCase();
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** An element of a glob: a code point, a set, `?` or `*`. */
type Piece = number | CharacterSet | "?" | "*";

/** A folded name, with its code points on demand. */
class Name {
  /** The folded name. */
  readonly text: string;
  #codes: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get codes(): readonly number[] {
    return this.#codes ??= Array.from(this.text, (character) => character.codePointAt(0)!);
  }
}

/** A pattern for one name of a path. */
class Glob {
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
class GlobTable<T> {
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
class CharacterSet {
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
