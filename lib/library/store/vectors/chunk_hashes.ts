/** The content hashes of all chunks of an index. */
import { HASH_BYTES, type OpenIndex } from "#engine/index/mod.ts";
import { HashSlots } from "../vector_table.ts";

/** Chunks whose hashes are read at once. */
const CHUNKS_AT_ONCE = 1 << 14;

/** The content hash of each chunk of an index, and the chunks with each content hash. */
export class ChunkHashes {
  readonly length: number;
  readonly #hashes: Uint8Array;
  /** The first chunk with each hash, and for each chunk the next one with its hash, or -1. */
  readonly #first = new HashSlots();
  readonly #next: Int32Array;

  private constructor(hashes: Uint8Array) {
    this.#hashes = hashes;
    this.length = hashes.length / HASH_BYTES;
    this.#next = new Int32Array(this.length).fill(-1);
    for (let chunk = this.length - 1; chunk >= 0; chunk--) {
      const hash = this.of(chunk);
      this.#next[chunk] = this.#first.get(hash) ?? -1;
      this.#first.set(hash, chunk);
    }
  }

  static async of(index: OpenIndex): Promise<ChunkHashes> {
    const count = index.statistics.chunks;
    const hashes = new Uint8Array(count * HASH_BYTES);
    for (let from = 0; from < count; from += CHUNKS_AT_ONCE) {
      const chunks = Int32Array.from({ length: Math.min(CHUNKS_AT_ONCE, count - from) }, (_, i) => from + i);
      for (const [i, hash] of (await index.contentHashes(chunks)).entries()) {
        hashes.set(hash.subarray(0, HASH_BYTES), (from + i) * HASH_BYTES);
      }
    }
    return new ChunkHashes(hashes);
  }

  /** Returns the content hash of a chunk. */
  of(chunk: number): Uint8Array {
    return this.#hashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES);
  }

  /** Returns the chunks with a content hash, in ascending order. */
  with(hash: Uint8Array): number[] {
    const chunks: number[] = [];
    for (let chunk = this.#first.get(hash) ?? -1; chunk >= 0; chunk = this.#next[chunk]!) chunks.push(chunk);
    return chunks;
  }

  /** Whether a chunk has a content hash. */
  has(hash: Uint8Array): boolean {
    return this.#first.get(hash) !== undefined;
  }

  /** Returns the first of the chunks with each content hash of some chunks. */
  distinct(chunks: Iterable<number>): number[] {
    const seen = new Uint8Array(this.length);
    const firsts: number[] = [];
    for (const chunk of chunks) {
      const first = this.#first.get(this.of(chunk))!;
      if (seen[first] === 0) firsts.push(first);
      seen[first] = 1;
    }
    return firsts;
  }

  /** Returns the first of the chunks with each content hash. */
  all(): number[] {
    return this.distinct(new Uint8Array(this.length).keys());
  }
}
