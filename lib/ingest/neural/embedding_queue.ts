import type { MissingVector } from "./missing_vectors.ts";

/** Most texts of a batch, and most UTF-16 units. */
export interface BatchLimits {
  readonly texts: number;
  readonly chars: number;
}

/** For a model in this program, whose batches take some seconds. */
const LOCAL_LIMITS: BatchLimits = { texts: 16, chars: 4096 };

/** Texts that wait for their vectors, in the order in which they were given, except those that were asked for meanwhile. */
export class EmbeddingQueue {
  readonly #missing: readonly MissingVector[];
  readonly #limits: BatchLimits;
  readonly #byHash = new Map<string, number[]>();
  readonly #taken: Uint8Array;
  /** Places of texts that were asked for, the latest first. */
  #wanted: number[] = [];
  #next = 0;

  constructor(missing: readonly MissingVector[], limits = LOCAL_LIMITS) {
    this.#missing = missing;
    this.#limits = limits;
    this.#taken = new Uint8Array(missing.length);
    for (const [i, { hash }] of missing.entries()) {
      const name = hash.toHex();
      const places = this.#byHash.get(name);
      if (places === undefined) this.#byHash.set(name, [i]);
      else places.push(i);
    }
  }

  /**
   * Returns the next texts of one model; empty when all were taken. `wanted`: hashes of texts to take before others. Those that
   * do not fit are first in the next batch.
   */
  take(wanted: Iterable<Uint8Array> = []): MissingVector[] {
    const batch: MissingVector[] = [];
    let chars = 0;
    const add = (place: number): boolean => {
      const one = this.#missing[place]!;
      if (this.#taken[place] === 1 || batch.length > 0 && one.language !== batch[0]!.language) return true;
      const { texts, chars: most } = this.#limits;
      if (batch.length === texts || batch.length > 0 && chars + one.length > most) return false;
      this.#taken[place] = 1;
      chars += one.length;
      batch.push(one);
      return true;
    };
    const latest = Array.from(wanted, (hash) => this.#byHash.get(hash.toHex()) ?? []).flat();
    this.#wanted = [...new Set([...latest, ...this.#wanted])].filter((place) => this.#taken[place] === 0);
    this.#wanted.every(add);
    if (batch.length > 0) return batch;
    while (this.#next < this.#missing.length && this.#taken[this.#next] === 1) this.#next++;
    for (let place = this.#next; place < this.#missing.length; place++) if (!add(place)) break;
    return batch;
  }
}
