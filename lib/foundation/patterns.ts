/**
 * Patterns in the syntax of .gitignore, matched in time bounded by the length of rules and path.
 * Below them: the automaton of the rules of one file, the parser of a line, and case folding.
 */
import { CharacterSet, Glob, GlobTable, Name, type Piece } from "./glob.ts";

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

  private constructor(states: ReadonlySet<State>, options: PatternOptions) {
    this.#states = states;
    this.#options = options;
  }

  /** Parses `lines`. Later rules win. */
  static of(lines: readonly string[], options: PatternOptions): Patterns {
    const rules = lines.map((line) => parseRule(line, options.ignoreCase)).filter((rule) => rule !== null);
    return new Patterns(State.reached([State.of(rules)]), options);
  }

  /** Whether no entry of the folder or below it can match. */
  get isEmpty(): boolean {
    return this.#states.size === 0;
  }

  /**
   * True if the last rule that matches an entry of the folder is not negated, false if it is, `undefined` if none matches.
   */
  verdict(name: string, isFolder: boolean): boolean | undefined {
    return State.verdict(this.#states, this.#name(name), isFolder);
  }

  /** The rules for the content of a subfolder. */
  below(folder: string): Patterns {
    return new Patterns(State.enter(this.#states, this.#name(folder)), this.#options);
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
