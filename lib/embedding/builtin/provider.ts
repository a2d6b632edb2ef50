import type { EmbeddingKind, EmbeddingProvider } from "../provider.ts";
import { SifEmbedder } from "./sif.ts";
import type { Table } from "./table.ts";

/** Raised if the vector of a text or the id of a word changes: an index stores both. */
const BUILTIN_VERSION = 1;

/** The {@linkcode EmbeddingProvider.id} of the built-in table. */
export const BUILTIN_ID = `builtin/${BUILTIN_VERSION}`;

/** UTF-16 units between two checks of the signal: 20 to 150 ms of work. */
const UNITS_A_TURN = 1 << 19;

/** Vectors from the built-in table. Needs no configuration and no network. */
export class BuiltinProvider implements EmbeddingProvider {
  readonly id = BUILTIN_ID;
  readonly dimensions: number;
  readonly #embedder: SifEmbedder;

  constructor(table: Table) {
    this.dimensions = table.dimensions;
    this.#embedder = new SifEmbedder(table);
  }

  /** See {@linkcode EmbeddingProvider.embed}. The kind makes no difference. */
  async embed(
    texts: readonly string[],
    _kind: EmbeddingKind,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    let units = 0;
    signal?.throwIfAborted();
    for (const text of texts) {
      units += text.length;
      if (units > UNITS_A_TURN) {
        units = 0;
        // The signal can only be aborted between two tasks.
        await new Promise((resolve) => setTimeout(resolve));
        signal?.throwIfAborted();
      }
      vectors.push(this.#embedder.embed(text));
    }
    return vectors;
  }
}
