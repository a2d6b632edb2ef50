import { State } from "./_automaton.ts";
import { fold } from "./_fold.ts";
import { Name } from "./_glob.ts";
import { parseRule } from "./_parse_rule.ts";

/** Options of {@linkcode Patterns}. */
export interface PatternOptions {
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
