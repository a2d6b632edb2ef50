import type { IndexKey } from "../../index/mod.ts";
import { ContentVectors, type OpenIndex, type VectorModel } from "../../store/mod.ts";
import { ChunkRows } from "./chunk_rows.ts";

/** The neural vectors of one folder by one model, as the rows of the chunks of its open index. */
export class FolderVectors implements Disposable {
  readonly #vectors: ContentVectors;
  #rows = new WeakMap<OpenIndex, Promise<ChunkRows>>();
  /** How often the file was replaced: the vectors may then be those of a model that has changed behind its name. */
  replaced = 0;

  constructor(root: string, readonly model: VectorModel, key: IndexKey, elsewhere: string | undefined) {
    this.#vectors = new ContentVectors(root, model, key, elsewhere);
  }

  /** Reads new vectors. Returns whether there are any. Throws `data_folder_unsafe`, and the errors of the system. */
  refresh(): boolean {
    if (!this.#vectors.refresh()) {
      this.#rows = new WeakMap();
      this.replaced++;
    }
    return this.#vectors.size > 0;
  }

  /** The rows of the chunks of an index, as of the last refresh. */
  async rowsOf(index: OpenIndex): Promise<ChunkRows> {
    let rows = this.#rows.get(index);
    if (rows === undefined) this.#rows.set(index, rows = ChunkRows.of(index, this.#vectors));
    const found = await rows;
    found.refresh();
    return found;
  }

  /** Returns the cosine of a question's vector with each chunk; 0 for a chunk without a vector. */
  cosines(query: Float32Array, { rows }: ChunkRows): Float64Array {
    const ofRows = this.#vectors.cosines(query);
    const cosines = new Float64Array(rows.length);
    for (let chunk = 0; chunk < rows.length; chunk++) {
      const row = rows[chunk]!;
      if (row >= 0) cosines[chunk] = ofRows[row]!;
    }
    return cosines;
  }

  [Symbol.dispose](): void {
    this.#vectors[Symbol.dispose]();
  }
}
