import {
  IndexTooLargeError,
  MAX_POSTINGS_BYTES,
  PostingList,
  type Postings,
  type PostingsCollector,
  type PostingsEncoder,
} from "./postings/mod.ts";
import type { Vocabulary } from "./text/mod.ts";

/** Terms between two pauses. */
const PAUSE_TERMS = 4096;

/** Input of {@linkcode mergePostings}. */
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

/** One list in two arrays of the same length. */
interface List {
  readonly chunks: Uint32Array;
  readonly frequencies: Uint16Array;
}

/**
 * Encodes the list of every term that is still in use: the postings of kept chunks and those of new ones, merged by chunk.
 * Returns the terms in the order of their lists.
 */
export async function mergePostings(input: MergeInput): Promise<string[]> {
  const { collector, vocabulary, previous, kept, encoder } = input;
  const oldTerms = previous === undefined || kept.every((chunk) => chunk < 0)
    ? 0
    : previous.documentFrequency.length;
  const fresh = room(encoder.lengths.length);
  const old = room(kept.length);
  const merged = room(oldTerms > 0 ? encoder.lengths.length : 0);
  const terms: string[] = [];
  for (let term = 0; term < vocabulary.size; term++) {
    const freshCount = collector.decode(term, fresh.chunks, fresh.frequencies);
    let list = fresh, count = freshCount;
    if (term < oldTerms) {
      const oldCount = keepOld(new PostingList(previous!, term), kept, old);
      if (oldCount > 0) {
        list = freshCount > 0 ? merged : old;
        count = freshCount > 0 ? mergeLists(old, oldCount, fresh, freshCount, merged) : oldCount;
      }
    }
    if (count > 0) {
      encoder.add(list.chunks, list.frequencies, count);
      terms.push(vocabulary.terms[term]!);
    }
    if (term % PAUSE_TERMS === 0) {
      checkSize(encoder);
      input.write(encoder.take());
      await input.pause();
    }
  }
  checkSize(encoder);
  input.write(encoder.take());
  return terms;
}

function checkSize({ size }: PostingsEncoder): void {
  if (size > MAX_POSTINGS_BYTES) throw new IndexTooLargeError(`${size} bytes of postings`);
}

function room(length: number): List {
  return { chunks: new Uint32Array(length), frequencies: new Uint16Array(length) };
}

/** Copies the postings of kept chunks from an old list, with their new numbers. Returns their count. */
function keepOld(list: PostingList, kept: Int32Array, into: List): number {
  const count = list.decode(into.chunks, into.frequencies);
  let left = 0;
  for (let i = 0; i < count; i++) {
    const chunk = kept[into.chunks[i]!]!;
    if (chunk < 0) continue;
    into.chunks[left] = chunk;
    into.frequencies[left++] = into.frequencies[i]!;
  }
  return left;
}

function mergeLists(a: List, aCount: number, b: List, bCount: number, into: List): number {
  let i = 0, j = 0, count = 0;
  while (i < aCount || j < bCount) {
    const fromA = j === bCount || i < aCount && a.chunks[i]! < b.chunks[j]!;
    const list = fromA ? a : b;
    const at = fromA ? i++ : j++;
    into.chunks[count] = list.chunks[at]!;
    into.frequencies[count++] = list.frequencies[at]!;
  }
  return count;
}
