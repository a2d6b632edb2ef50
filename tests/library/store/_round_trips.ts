import type { LoadedIndex, OpenOptions, Store } from "#library/store/mod.ts";

/**
 * Stores and indexes as they would be behind a network, in virtual time: each call takes one round trip, and calls that are under way
 * at the same time take the same one.
 */
export class RoundTrips {
  /** The calls of each round trip, in their order. */
  readonly trips: string[][] = [];
  /** Called before each call. It may throw, as a server does that cannot be reached. */
  before: (name: string) => void = () => {};
  /** Called when a round trip begins, with its number, counted from 1. */
  began: (trip: number) => void = () => {};
  /** Milliseconds that a round trip takes. All calls of one turn have been made by then. */
  ms = 2;
  #waiting: (() => void)[] = [];

  /** The longest chain of calls that waited for each other. */
  get depth(): number {
    return this.trips.length;
  }

  toString(): string {
    return this.trips.map((trip) => trip.join(", ")).join("\n");
  }

  /** Forgets what was counted. */
  begin(): void {
    this.trips.length = 0;
  }

  /** A store whose calls, and those of its indexes, are counted. */
  storeOf(store: Store): Store {
    const counted = this.#counted(store, "store");
    const open = async (options?: OpenOptions): Promise<LoadedIndex> => {
      const loaded = await this.#trip("store.open", () => store.open(options));
      return loaded.state === "ready" ? { ...loaded, index: this.#counted(loaded.index, "index") } : loaded;
    };
    return new Proxy(counted, { get: (target, name) => name === "open" ? open : Reflect.get(target, name) });
  }

  /** `target`, whose methods that return promises are counted. Its own parts are counted, too. */
  #counted<T extends object>(target: T, name: string): T {
    const parts = new Map<PropertyKey, unknown>();
    return new Proxy(target, {
      get: (_, key) => {
        if (parts.has(key)) return parts.get(key);
        const value: unknown = Reflect.get(target, key, target);
        const path = `${name}.${String(key)}`;
        if (typeof value === "function") {
          const call = (...args: unknown[]) => {
            const work = () => Reflect.apply(value, target, args);
            return SYNCHRONOUS.has(key) ? this.#wrapped(work(), path) : this.#trip(path, work);
          };
          parts.set(key, call);
          return call;
        }
        if (!PARTS.has(key)) return value;
        const part = this.#counted(value as object, String(key));
        parts.set(key, part);
        return part;
      },
    });
  }

  #wrapped(value: unknown, name: string): unknown {
    return name === "vectors.read" ? this.#counted(value as object, "reader") : value;
  }

  async #trip<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.before(name);
    const turn = new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#waiting.length === 1) {
      this.began(this.trips.push([]));
      setTimeout(() => {
        for (const go of this.#waiting.splice(0)) go();
      }, this.ms);
    }
    this.trips.at(-1)!.push(name.slice(name.indexOf(".") + 1));
    const result = await work();
    await turn;
    return result;
  }
}

/** Methods that ask nobody. */
const SYNCHRONOUS: ReadonlySet<PropertyKey> = new Set([
  "fileMarks",
  "close",
  "read",
  Symbol.dispose,
]);

/** Parts of a store that are asked as it is. */
const PARTS: ReadonlySet<PropertyKey> = new Set([
  "vectors",
  "recognised",
  "generated",
  "evaluations",
  "removed",
]);
