import {
  type BlobFile,
  BlobReader,
  DamagedIndexError,
  ForeignIndexError,
  type IndexKey,
  OutdatedIndexError,
} from "../blob/mod.ts";
import { HASH_BYTES } from "../chunk_table.ts";
import type { VectorMeta } from "./vector_index.ts";
import { checkVectorSections, vectorMetaOf } from "./vector_meta.ts";

/**
 * The exact vectors of an index by content hash. A new index reuses vectors that were paid for, even if other parts of the
 * old index are damaged or of another version. Close it when done.
 */
export class StoredVectors {
  readonly #blob: BlobReader;
  readonly #chunks: ReadonlyMap<string, number>;

  private constructor(blob: BlobReader, readonly meta: VectorMeta, chunks: ReadonlyMap<string, number>) {
    this.#blob = blob;
    this.#chunks = chunks;
  }

  /**
   * Opens the vectors of `model`, or of any model except `notModel`, in an index that was written with `key`. Takes over
   * the file, which is open for reading. Returns `undefined` if it has no vectors that can be trusted. `verified`: every
   * byte has just been checked. A vector of zeros counts as missing, because the model may accept the text the next time.
   */
  static open(
    file: BlobFile,
    key: IndexKey,
    wanted: { readonly model: string } | { readonly notModel: string | undefined },
    verified = false,
  ): StoredVectors | undefined {
    let blob: BlobReader | undefined;
    try {
      blob = BlobReader.open(file, { key, anyFormat: true });
      const meta = vectorMetaOf(JSON.parse(new TextDecoder().decode(blob.section("vector.meta"))));
      const isWanted = "model" in wanted ? meta.model === wanted.model : meta.model !== wanted.notModel;
      if (isWanted && meta.exact) {
        const count = blob.length("chunk.hash") / HASH_BYTES;
        if (!Number.isInteger(count)) throw new DamagedIndexError("length of section chunk.hash");
        checkVectorSections(blob, meta, count);
        // Damage must be found before the run relies on the vectors.
        if (!verified) blob.verifySection("vector.exact");
        return new StoredVectors(blob, meta, chunksOf(blob));
      }
    } catch (error) {
      if (!isUnusable(error)) throw error;
    }
    blob?.close();
    return undefined;
  }

  /** The content hashes (16 bytes each) that have a vector. */
  *hashes(): Generator<Uint8Array> {
    for (const hash of this.#chunks.keys()) yield Uint8Array.fromHex(hash);
  }

  /** Returns whether a content hash (16 bytes) has a vector. */
  has(hash: Uint8Array): boolean {
    return this.#chunks.has(hash.toHex());
  }

  /** Returns the vector of a content hash (16 bytes), or `undefined`. */
  get(hash: Uint8Array): Float32Array | undefined {
    const chunk = this.#chunks.get(hash.toHex());
    if (chunk === undefined) return undefined;
    const bytes = 4 * this.meta.dimensions;
    return new Float32Array(this.#blob.range("vector.exact", chunk * bytes, (chunk + 1) * bytes).buffer);
  }

  [Symbol.dispose](): void {
    this.#blob.close();
  }
}

/** Returns the last chunk of each content hash that has a vector. */
function chunksOf(blob: BlobReader): Map<string, number> {
  const hashes = blob.section("chunk.hash");
  const scales = new Float32Array(blob.section("vector.scales").buffer);
  const chunks = new Map<string, number>();
  for (let chunk = 0; chunk < scales.length; chunk++) {
    if (scales[chunk] === 0) continue;
    chunks.set(hashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES).toHex(), chunk);
  }
  return chunks;
}

function isUnusable(error: unknown): boolean {
  return error instanceof DamagedIndexError || error instanceof OutdatedIndexError ||
    error instanceof ForeignIndexError || error instanceof SyntaxError;
}
