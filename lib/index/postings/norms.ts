import { lengthNorm } from "./frequency_part.ts";

/**
 * k1 (1 - b + b length / average) of each chunk: `values[codes[chunk]]`. Chunks of the same length share a value, so that
 * the norms of a million chunks are 2 MB, which stay in a core's cache, and a new average changes few numbers.
 */
export interface Norms {
  readonly codes: Uint16Array | Uint32Array;
  readonly values: Float64Array;
}

/** The lengths of all chunks of an index, each length once. */
export class ChunkLengths {
  readonly #codes: Norms["codes"];
  readonly #distinct: readonly number[];

  /** `lengths`: tokens of each chunk. */
  constructor(lengths: Uint32Array) {
    const codeOf = new Map<number, number>();
    for (let i = 0; i < lengths.length; i++) {
      if (!codeOf.has(lengths[i]!)) codeOf.set(lengths[i]!, codeOf.size);
    }
    const codes = codeOf.size <= 1 << 16 ? new Uint16Array(lengths.length) : new Uint32Array(lengths.length);
    for (let i = 0; i < lengths.length; i++) codes[i] = codeOf.get(lengths[i]!)!;
    this.#codes = codes;
    this.#distinct = [...codeOf.keys()];
  }

  /** Returns the norms for a mean length. */
  norms(average: number): Norms {
    return {
      codes: this.#codes,
      values: Float64Array.from(this.#distinct, (length) => lengthNorm(length, average)),
    };
  }
}
