/**
 * The list of a leg, over all answers to one question. What a later answer adds to it comes after all that it held, and that keeps
 * its place: answers with fewer and fewer chunks let through are one list, read on.
 */
export class LegList {
  readonly #ranks = new Map<number, number>();

  /** The place of a chunk (its number in the collection), from 1; the next one for a chunk that is new. */
  rank(id: number): number {
    const known = this.#ranks.get(id);
    if (known !== undefined) return known;
    this.#ranks.set(id, this.#ranks.size + 1);
    return this.#ranks.size;
  }
}
