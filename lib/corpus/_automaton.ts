import type { Glob, Name } from "./_glob.ts";
import { GlobTable } from "./_glob_table.ts";
import { ANY_FOLDERS, type Rule } from "./_parse_rule.ts";

/** No rule. */
const NONE = -1;

/**
 * A place in the rules of one ignore file: what of them has matched so far. Rules that begin alike share their places. The
 * places that a folder's path has come to are all that has to be known to go on with what is in the folder, so a walk matches
 * every part of a path once, however deep it lies.
 */
export class State {
  /** Transitions from this state; a table is made when it gets its first entry, as most of many states are ends. */
  #literal: Map<string, State> | undefined;
  #globs: GlobTable<State> | undefined;
  /** Where any number of folders may come before what follows. */
  #anyFolders: State | undefined;
  readonly #isAnyFolders: boolean;
  /** The last rule that ends here: {@linkcode NONE}, or twice its place in the file, one more if it is not negated. */
  #rule = NONE;
  /** The last one that is for folders alone. */
  #folderRule = NONE;

  private constructor(isAnyFolders = false) {
    this.#isAnyFolders = isAnyFolders;
  }

  /** Where matching begins. Later rules win. */
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

  /** `states` and what can be reached from them without a part of a path. */
  static reached(states: Iterable<State>): Set<State> {
    const all = new Set<State>();
    for (const state of states) {
      all.add(state);
      if (state.#anyFolders !== undefined) all.add(state.#anyFolders);
    }
    return all;
  }

  /** Where `states` lead with the folder `name`. */
  static enter(states: Iterable<State>, name: Name): Set<State> {
    const next: State[] = [];
    for (const state of states) {
      if (state.#isAnyFolders) next.push(state);
      state.#follow(name, (child) => next.push(child));
    }
    return State.reached(next);
  }

  /** Whether the last rule that matches `name` leaves it out; `undefined` if no rule matches it. */
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
