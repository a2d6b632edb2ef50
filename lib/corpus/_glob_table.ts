import type { Glob, Name } from "./_glob.ts";

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
