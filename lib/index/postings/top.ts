/** Keeps the `capacity` greatest scores that were offered, in a min-heap. */
export class TopScores {
  readonly #heap: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#heap = new Float64Array(capacity);
  }

  /** Offers a score above 0. Returns the least of the kept scores, or 0 while there are fewer than `capacity`. */
  offer(score: number): number {
    const heap = this.#heap;
    if (this.#size < heap.length) {
      let at = this.#size++;
      while (at > 0 && heap[(at - 1) >> 1]! > score) {
        heap[at] = heap[(at - 1) >> 1]!;
        at = (at - 1) >> 1;
      }
      heap[at] = score;
      return this.#size === heap.length ? heap[0]! : 0;
    }
    if (score <= heap[0]!) return heap[0]!;
    let at = 0;
    while (true) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= score) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = score;
    return heap[0]!;
  }
}
