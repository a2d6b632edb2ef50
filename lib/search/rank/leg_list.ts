import type { FoundChunk } from "../collection_types.ts";

/**
 * The list of a leg over all answers to one question. Repeated calls with stricter filters continue the same list: chunks
 * that a later answer adds follow the earlier chunks, which keep their ranks.
 */
export class LegList {
  readonly #ranks = new Map<number, number>();

  /** Adds the chunks (best first) that are not in the list, and returns all of them. */
  add(found: readonly FoundChunk[]): readonly FoundChunk[] {
    for (const { id } of found) if (!this.#ranks.has(id)) this.#ranks.set(id, this.#ranks.size + 1);
    return found;
  }

  /** Returns the rank, counted from 1, of the chunk with a number in the collection; 0 if it is not in the list. */
  readonly rankOf = (id: number): number => this.#ranks.get(id) ?? 0;
}
