/**
 * Scratch memory for the scores of one search: one for each chunk, 0 for all that are not touched. It is kept from one
 * search to the next, because allocating it would take longer than most searches.
 */
export class Scores {
  readonly scores: Float64Array;
  /** The first `count` of `chunks` have a score, in no order. */
  readonly touched: { readonly chunks: Int32Array; count: number };

  constructor(chunks: number) {
    this.scores = new Float64Array(chunks);
    this.touched = { chunks: new Int32Array(chunks), count: 0 };
  }

  /** Sets every score to 0. */
  clear(): void {
    const { chunks, count } = this.touched;
    if (count * 4 > chunks.length) this.scores.fill(0);
    else for (let i = 0; i < count; i++) this.scores[chunks[i]!] = 0;
    this.touched.count = 0;
  }
}
