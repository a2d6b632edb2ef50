/** Brings the vectors of an index to the place that proposes the nearest of them. */
import type { OpenIndex } from "#engine/index/mod.ts";
import { ChunkHashes } from "./chunk_hashes.ts";
import { piecesOf, type VectorProposer } from "./proposer.ts";

/** Vectors that are sent at once: 2 MB of JSON at 384 dimensions. */
const SENT_AT_ONCE = 1024;

/**
 * Sends the vectors of an index that a place lacks, and removes those that no text of the index has. After a failure, vectors that were
 * sent stay there.
 * Returns how many were sent, and how many the index has. Throws as {@linkcode VectorProposer} does.
 */
export async function bringVectors(
  index: OpenIndex,
  proposer: VectorProposer,
): Promise<{ readonly added: number; readonly wanted: number }> {
  const hashes = await ChunkHashes.of(index);
  const chunks = hashes.all();
  const { dimensions } = proposer.model;
  let added = 0;
  await proposer.prepare?.();
  for (const some of piecesOf(chunks)) {
    const has = await proposer.has(some.map((chunk) => hashes.of(chunk)));
    const missing = some.filter((_, i) => !has[i]);
    for (let from = 0; from < missing.length; from += SENT_AT_ONCE) {
      const sent = missing.slice(from, from + SENT_AT_ONCE);
      const vectors = await index.storedVectors(Int32Array.from(sent));
      const numbers = new Int8Array(sent.length * dimensions);
      for (const [i, { numbers: own }] of vectors.entries()) numbers.set(own, i * dimensions);
      await proposer.add({
        hashes: sent.map((chunk) => hashes.of(chunk)),
        numbers,
        scales: Float32Array.from(vectors, ({ scale }) => scale),
      });
      added += sent.length;
    }
  }
  await proposer.keepOnly((hash) => hashes.has(hash));
  await proposer.finish?.();
  return { added, wanted: chunks.length };
}
