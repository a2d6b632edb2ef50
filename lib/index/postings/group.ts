import type { PostingList } from "./list.ts";
import { Scores } from "./scores.ts";

/** One of several wordings: a term, or terms that must occur together. */
export interface GroupMember {
  /** The term frequency of the member is the least of its terms' frequencies. Not empty. */
  readonly lists: readonly PostingList[];
  /** Weight of an occurrence, from 0 to 1. */
  readonly score: number;
}

/** The postings of a group as if it were one term. */
export interface GroupPostings {
  /** Chunks with any of the members, in any order. */
  readonly chunks: Int32Array;
  /** For each of the chunks, Σ score · tf over the members. */
  readonly frequencies: Float64Array;
}

/**
 * Merges the postings of words that say the same into those of one word, so that a word with many translations counts no
 * more than one with a single translation (Pirkola, "The effects of query structure and dictionary setups in
 * dictionary-based cross-language information retrieval", SIGIR 1998). One merger serves one group at a time.
 */
export class GroupMerger {
  readonly #sums: Scores;
  #chunks = new Int32Array(1024);
  #frequencies = new Uint16Array(1024);

  /** `chunks`: number of chunks in the index. */
  constructor(chunks: number) {
    this.#sums = new Scores(chunks);
  }

  /** Returns the postings of the group in the chunks for which `kinds` is `kind`. */
  merge(members: readonly GroupMember[], kinds: Uint8Array, kind: number): GroupPostings {
    const { scores, touched } = this.#sums;
    try {
      for (const { lists, score } of members) this.#add(lists, score, kinds, kind);
      const chunks = touched.chunks.slice(0, touched.count);
      return { chunks, frequencies: Float64Array.from(chunks, (chunk) => scores[chunk]!) };
    } finally {
      this.#sums.clear();
    }
  }

  #add(lists: readonly PostingList[], score: number, kinds: Uint8Array, kind: number): void {
    const [rarest, ...others] = lists.toSorted((a, b) => a.documentFrequency - b.documentFrequency);
    const length = rarest!.documentFrequency;
    if (length > this.#chunks.length) {
      this.#chunks = new Int32Array(length * 2);
      this.#frequencies = new Uint16Array(length * 2);
    }
    const { scores, touched } = this.#sums;
    const chunks = this.#chunks, frequencies = this.#frequencies, noted = touched.chunks;
    rarest!.decode(chunks, frequencies);
    for (const other of others) other.rewind();
    let count = touched.count;
    for (let i = 0; i < length; i++) {
      const chunk = chunks[i]!;
      if (kinds[chunk] !== kind) continue;
      let tf = frequencies[i]!;
      for (let k = 0; k < others.length && tf > 0; k++) tf = Math.min(tf, others[k]!.frequencyIn(chunk));
      if (tf === 0) continue;
      if (scores[chunk] === 0) noted[count++] = chunk;
      scores[chunk]! += score * tf;
    }
    touched.count = count;
  }
}
