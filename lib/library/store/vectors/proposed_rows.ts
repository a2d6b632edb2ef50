/**
 * Cosines of a question with vectors that a place proposes, computed as the scan of an index computes them.
 */
import { quantizeQuery, VectorScanner } from "#engine/index/mod.ts";
import { HashSlots } from "../vector_table.ts";
import type { NearestOptions, VectorProposer, VectorRows } from "./proposer.ts";

/** Rows that are kept: those of about ten searches. */
const MOST_KEPT = 4096;

/** Asks a proposer, and keeps the latest rows: the candidates of a question are asked for several times. */
export class ProposedRows {
  readonly #proposer: VectorProposer;
  #slots = new HashSlots();
  readonly #scanner: VectorScanner;
  /** Rows in use; the scanner has room for {@linkcode MOST_KEPT}. */
  #count = 0;

  constructor(proposer: VectorProposer) {
    this.#proposer = proposer;
    this.#scanner = new VectorScanner(MOST_KEPT, proposer.model.dimensions);
  }

  /**
   * Returns the hashes of the vectors that are proposed, with the cosines that the scan of an index gives them, and the least of the
   * cosines.
   */
  async nearest(
    query: Float32Array,
    options: NearestOptions,
  ): Promise<{ readonly hashes: readonly Uint8Array[]; readonly cosines: Float64Array }> {
    const rows = await this.#proposer.nearest(query, options);
    const cosines = new Float64Array(rows.hashes.length);
    for (let from = 0; from < cosines.length; from += MOST_KEPT) {
      const at = this.#keep(rows, from, Math.min(cosines.length, from + MOST_KEPT));
      const scale = quantizeQuery(query, this.#scanner.factors);
      const products = this.#scanner.scan(this.#count);
      for (const [i, row] of at.entries()) cosines[from + i] = Math.fround(products[row]! * scale);
    }
    return { hashes: rows.hashes, cosines };
  }

  /** Returns the cosine of each content hash, as an index gives those of single chunks; `undefined` for one without a vector. */
  async cosinesOf(query: Float32Array, hashes: readonly Uint8Array[]): Promise<(number | undefined)[]> {
    const cosines = hashes.map((hash) => this.#cosine(query, hash));
    const without = hashes.filter((_, i) => cosines[i] === undefined);
    if (without.length === 0) return cosines;
    const rows = await this.#proposer.rowsOf(without);
    for (let from = 0; from < rows.hashes.length; from += MOST_KEPT) {
      this.#keep(rows, from, Math.min(rows.hashes.length, from + MOST_KEPT));
      for (const [i, hash] of hashes.entries()) cosines[i] ??= this.#cosine(query, hash);
    }
    return cosines;
  }

  #cosine(query: Float32Array, hash: Uint8Array): number | undefined {
    const row = this.#slots.get(hash);
    if (row === undefined) return undefined;
    const { rows, scales, stride } = this.#scanner;
    let sum = 0;
    for (let i = 0; i < query.length; i++) sum += query[i]! * rows[row * stride + i]!;
    return scales[row]! * sum;
  }

  /** Keeps some rows. Returns their places. */
  #keep({ hashes, numbers, scales }: VectorRows, from: number, to: number): number[] {
    if (this.#count + to - from > MOST_KEPT) {
      this.#slots = new HashSlots();
      this.#count = 0;
    }
    const { dimensions } = this.#proposer.model;
    const at: number[] = [];
    for (let i = from; i < to; i++) {
      let row = this.#slots.get(hashes[i]!);
      if (row === undefined) {
        this.#slots.set(hashes[i]!, row = this.#count++);
        this.#scanner.rows.set(
          numbers.subarray(i * dimensions, (i + 1) * dimensions),
          row * this.#scanner.stride,
        );
        this.#scanner.scales[row] = scales[i]!;
      }
      at.push(row);
    }
    return at;
  }
}
