import { State } from "./_automaton.ts";
import { fold } from "./_fold.ts";
import { Name } from "./_glob.ts";
import { parseRule } from "./_parse_rule.ts";

/** How patterns are compared with names. */
export interface PatternOptions {
  readonly ignoreCase: boolean;
}

/**
 * Rules in the manner of `.gitignore`, for what is in one folder and below. They may come from a folder that somebody else
 * filled, so the time to match them grows with their length and with that of the path, whatever they are.
 */
export class Patterns {
  readonly #states: ReadonlySet<State>;
  readonly #options: PatternOptions;

  private constructor(states: ReadonlySet<State>, options: PatternOptions) {
    this.#states = states;
    this.#options = options;
  }

  /** The rules of `lines`, of which later ones win. */
  static of(lines: readonly string[], options: PatternOptions): Patterns {
    const rules = lines.map((line) => parseRule(line, options.ignoreCase)).filter((rule) => rule !== null);
    return new Patterns(State.reached([State.of(rules)]), options);
  }

  /** Whether nothing can be matched any more, here and in the folders below. */
  get isEmpty(): boolean {
    return this.#states.size === 0;
  }

  /**
   * Whether the last rule that matches an entry of the folder names it: true if it does, false if it is negated, `undefined`
   * if no rule matches.
   */
  verdict(name: string, isFolder: boolean): boolean | undefined {
    return State.verdict(this.#states, this.#name(name), isFolder);
  }

  /** The same rules for the content of a folder in this one. */
  below(folder: string): Patterns {
    return new Patterns(State.enter(this.#states, this.#name(folder)), this.#options);
  }

  /**
   * Whether the rules name `path` or one of the folders it is in; a rule that negates brings nothing back from such a folder.
   * `path` has `/` between its parts, and a folder's path one at its end.
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
