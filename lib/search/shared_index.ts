import type { OpenIndex } from "../store/mod.ts";

/** The right of one search to use an index. Disposal ends it. */
export interface IndexLease extends Disposable {
  readonly index: OpenIndex;
}

/** An open index that searches share. It is closed when it has been released and the last search has returned its lease. */
export class SharedIndex {
  #leases = 0;
  #isGivenUp = false;

  /** Takes ownership of `index`. */
  constructor(readonly index: OpenIndex) {}

  /** Returns a lease of the index, which must not have been released. */
  lease(): IndexLease {
    this.#leases++;
    let isReturned = false;
    return {
      index: this.index,
      [Symbol.dispose]: () => {
        if (isReturned) return;
        isReturned = true;
        this.#leases--;
        this.#closeIfUnused();
      },
    };
  }

  /** Ends the sharing: the index is closed as soon as no search uses it. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#closeIfUnused();
  }

  #closeIfUnused(): void {
    if (this.#isGivenUp && this.#leases === 0) this.index.close();
  }
}
