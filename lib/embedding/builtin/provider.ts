import type { EmbeddingKind, EmbeddingProvider } from "../provider.ts";
import { SifEmbedder } from "./sif.ts";
import type { Table } from "./table.ts";

/** Changes whenever the same text gives another vector, or a word another id: an index keeps both. */
export const BUILTIN_VERSION = 1;

/** Names the table's vectors. */
export const BUILTIN_ID = `builtin/${BUILTIN_VERSION}`;

/** UTF-16 units between two looks at the signal: 20 to 150 ms of work. */
const UNITS_A_TURN = 1 << 19;

/** Vectors from the built-in table: nothing to configure, nothing to download, nothing leaves the machine. */
export class BuiltinProvider implements EmbeddingProvider {
  readonly id = BUILTIN_ID;
  readonly dimensions: number;
  readonly #embedder: SifEmbedder;

  constructor(table: Table) {
    this.dimensions = table.dimensions;
    this.#embedder = new SifEmbedder(table);
  }

  /** Questions and documents are treated alike. */
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
        // an abort can only be heard between two tasks
        await new Promise((resolve) => setTimeout(resolve));
        signal?.throwIfAborted();
      }
      vectors.push(this.#embedder.embed(text));
    }
    return vectors;
  }
}
