import type { Postings } from "#engine/index/postings/format.ts";
import { PostingsEncoder } from "#engine/index/postings/encoder.ts";

/** One term's postings: tf by chunk. */
export type Entries = ReadonlyMap<number, number>;

/** Returns the posting lists of terms over chunks with these lengths. */
export function encode(lists: readonly Entries[], lengths: Uint32Array): Postings {
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const encoder = new PostingsEncoder(lengths, average);
  const pieces: Uint8Array[] = [];
  for (const list of lists) {
    const chunks = [...list.keys()].sort((a, b) => a - b);
    encoder.add(
      Uint32Array.from(chunks),
      Uint16Array.from(chunks, (chunk) => list.get(chunk)!),
      chunks.length,
    );
    // The bytes are taken after each list, like in a large index.
    pieces.push(encoder.take().slice());
  }
  const bytes = new Uint8Array(encoder.size);
  pieces.reduce((at, piece) => (bytes.set(piece, at), at + piece.length), 0);
  const skips = encoder.skips.view();
  return {
    chunks: lengths.length,
    bytes: (from, to) => bytes.subarray(from, to),
    offsets: encoder.offsets.view(),
    documentFrequency: encoder.documentFrequency.view(),
    maxFrequencyPart: encoder.maxFrequencyPart.view(),
    skipStart: encoder.skipStart.view(),
    skips: (from, to) => skips.subarray(from, to),
    damaged: (problem) => new Error(problem),
  };
}
