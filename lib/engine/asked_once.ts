/**
 * Answers that are asked for once, although several stages of a search need them.
 */

/** Remembers the values of keys, also while they are on their way. Not those of a call that failed. */
export class AskedOnce<Key, Value> {
  readonly #ask: (keys: readonly Key[]) => Promise<readonly Value[]>;
  readonly #most: number;
  readonly #known = new Map<Key, { readonly values: Promise<readonly Value[]>; readonly at: number }>();

  /** `ask`: returns the values of distinct keys, in the order in which they were given. `most`: keys that are remembered. */
  constructor(ask: (keys: readonly Key[]) => Promise<readonly Value[]>, most: number) {
    this.#ask = ask;
    this.#most = most;
  }

  /** Returns the value of each key. Asks for those that are not known, all at once. */
  async of(keys: readonly Key[]): Promise<Value[]> {
    const missing = new Set(keys.filter((key) => !this.#known.has(key)));
    if (missing.size > 0) this.#begin([...missing], keys);
    const places = keys.map((key) => this.#known.get(key)!);
    const calls = [...new Set(places.map(({ values }) => values))];
    const values = new Map((await Promise.all(calls)).map((values, i) => [calls[i]!, values]));
    return places.map(({ values: call, at }) => values.get(call)![at]!);
  }

  #begin(missing: readonly Key[], keys: readonly Key[]): void {
    if (this.#known.size + missing.length > this.#most) {
      this.#known.clear();
      missing = [...new Set(keys)];
    }
    const values = this.#ask(missing);
    for (const [at, key] of missing.entries()) this.#known.set(key, { values, at });
    values.catch(() => {
      for (const key of missing) if (this.#known.get(key)?.values === values) this.#known.delete(key);
    });
  }
}
