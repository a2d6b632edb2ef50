import type { Glob, Name } from "./_glob.ts";
import { GlobTable } from "./_glob_table.ts";
import { ANY_FOLDERS, type Rule } from "./_parse_rule.ts";

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
export class State {
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
