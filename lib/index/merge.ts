import {
  MAX_POSTINGS_BYTES,
  PostingList,
  type Postings,
  type PostingsCollector,
  type PostingsEncoder,
} from "./postings/mod.ts";
import type { Vocabulary } from "./text/mod.ts";

/** New postings sorted at once: bounds the memory (six bytes each) against the passes over the stream. */
const RANGE_POSTINGS = 1 << 23;

/** The posting lists of one index have outgrown their 32-bit offsets. */
export class IndexTooLargeError extends Error {
  override readonly name = "IndexTooLargeError";
}

/** What {@linkcode mergePostings} works on. */
export interface MergeInput {
  readonly collector: PostingsCollector;
  readonly vocabulary: Vocabulary;
  /** The old lists: term ids are those of the vocabulary. */
  readonly previous: Postings | undefined;
  /** New number of each old chunk, ascending where it is not -1 (gone). */
  readonly kept: Int32Array;
  readonly encoder: PostingsEncoder;
  readonly write: (bytes: Uint8Array) => void;
  readonly pause: () => Promise<void>;
}

/**
 * Encodes the list of every term that is still in use: kept old postings and new ones, merged by chunk. Gives those
 * terms in the order of their lists.
 */
export async function mergePostings(input: MergeInput): Promise<string[]> {
  const { collector, vocabulary, previous, kept, encoder } = input;
  const oldTerms = previous === undefined || kept.every((chunk) => chunk < 0)
    ? 0
    : previous.documentFrequency.length;
  const chunkCount = encoder.lengths.length;
  const chunks = new Uint32Array(chunkCount), frequencies = new Uint16Array(chunkCount);
  const oldChunks = new Uint32Array(kept.length), oldFrequencies = new Uint16Array(kept.length);
  const terms: string[] = [];
  for (let from = 0; from < vocabulary.size;) {
    const to = rangeEnd(collector, from, vocabulary.size);
    const fresh = collector.byTerm(from, to);
    for (let term = from; term < to; term++) {
      const start = fresh.starts[term - from]!, end = fresh.starts[term - from + 1]!;
      if (term >= oldTerms) {
        if (start === end) continue;
        encoder.add(fresh.chunks.subarray(start, end), fresh.frequencies.subarray(start, end), end - start);
      } else {
        const oldCount = new PostingList(previous!, term).decode(oldChunks, oldFrequencies);
        let count = 0, next = start;
        for (let i = 0; i < oldCount; i++) {
          const chunk = kept[oldChunks[i]!]!;
          if (chunk < 0) continue;
          while (next < end && fresh.chunks[next]! < chunk) {
            chunks[count] = fresh.chunks[next]!;
            frequencies[count++] = fresh.frequencies[next++]!;
          }
          chunks[count] = chunk;
          frequencies[count++] = oldFrequencies[i]!;
        }
        while (next < end) {
          chunks[count] = fresh.chunks[next]!;
          frequencies[count++] = fresh.frequencies[next++]!;
        }
        if (count === 0) continue;
        encoder.add(chunks, frequencies, count);
      }
      terms.push(vocabulary.terms[term]!);
      if ((terms.length & 0xfff) === 0) {
        if (encoder.size > MAX_POSTINGS_BYTES) {
          throw new IndexTooLargeError(`${encoder.size} bytes of postings`);
        }
        input.write(encoder.take());
        await input.pause();
      }
    }
    from = to;
  }
  input.write(encoder.take());
  return terms;
}

function rangeEnd(collector: PostingsCollector, from: number, size: number): number {
  let postings = 0, to = from;
  while (to < size && (to === from || postings < RANGE_POSTINGS)) {
    postings += collector.documentFrequency[to] ?? 0;
    to++;
  }
  return to;
}
