/**
 * Writes what has changed in a folder as a delta of the files that differ from the base.
 */
import type { IndexKey, IndexMeta, VectorMeta } from "#engine/index/mod.ts";
import { type PartedIndex, partsOf, PartWriter } from "#engine/joined/mod.ts";
import type { ByteSink } from "../store.ts";
import { type Delta, DELTA_SECTION } from "./delta.ts";

/** Writes a delta, which takes up the one before. Files of the base must be kept in their order. */
export class DeltaWriter extends PartWriter {
  readonly #base: string;
  readonly #places: number[] = [];

  constructor(file: ByteSink, key: IndexKey, previous: PartedIndex, vectors?: VectorMeta) {
    super(file, key, previous, { from: 1, vectors });
    this.#base = partsOf(previous)[0]!.reader.id;
  }

  protected override fileAdded(): void {
    this.#places.push(this.filesBefore(0));
  }

  override finish(
    meta: Omit<IndexMeta, "tokenizer">,
    pause: () => Promise<void>,
    embedded?: () => Promise<void>,
  ): Promise<{ size: number; terms: number }> {
    const { dead, records } = this.changes()[0]!;
    const delta: Delta = { base: this.#base, dead, places: this.#places, records };
    return super.finish(meta, pause, embedded, { [DELTA_SECTION]: delta });
  }
}
