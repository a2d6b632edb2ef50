/**
 * BM25 over posting lists: exact top k by windows and upper bounds (MaxScore), and groups of terms.
 */
import { PostingCursor, type PostingList, WINDOW, Window } from "./list.ts";
import { K1, type Norms } from "./format.ts";

/** A term of the query with its posting list. */
export interface WeightedList {
  readonly list: PostingList;
  /** The term's weight in the query times its idf. */
  readonly weight: number;
  /** Part of {@linkcode Scored.covered}. Default: the weight. */
  readonly covers?: number;
}

/** A chunk with its score. */
interface Scored {
  readonly chunk: number;
  /** Σ weight (k1 + 1) tf / (tf + norm) over the query's terms, added in their order. */
  readonly score: number;
  /** Σ `covers` over the query's terms that the chunk contains. */
  readonly covered: number;
}

/** Factor that keeps a bound above the true score despite rounding. */
const SLACK = 1 + 1e-9;
/** Longest list that is read before the others for a first threshold. */
const MOST_READ_FIRST = 1 << 15;

/** The data of an index that a search needs beside its posting lists. */
interface Bm25Context {
  /** k1 (1 - b + b length / average) of each chunk. */
  readonly norms: Norms;
  /** Factor that makes the lists' `maxFrequencyPart` a bound for these norms. */
  readonly boundScale: number;
  /** A 1 for each chunk that may be found. Default: all. */
  readonly allowed?: Uint8Array | undefined;
}

/**
 * Returns the `limit` best chunks by BM25, best first. Ties are sorted by number. The result is exact, but not every
 * posting is scored (MaxScore: Turtle, Flood, "Query evaluation: strategies and optimizations", 1995, window by window).
 * Lists are sorted by the greatest score that each can give. The last lists that together cannot lift a chunk above the
 * threshold, the score of the `limit`-th best chunk so far, are asked only for the chunks that the other lists propose.
 *
 * ```
 * bound   5.1   3.0  │  1.2   0.4          rest[2] = 1.2 + 0.4 = 1.6
 *        ┌────┐┌────┐│ ┌────┐┌────┐        threshold = 2.2
 *        │list││list││ │list││list│
 *        └────┘└────┘│ └────┘└────┘        1.6 < 2.2: a chunk that is in neither of the first
 *        all postings│ candidates only     two lists cannot get into the result
 * ```
 *
 * The threshold rises from window to window, so fewer and fewer lists are read as a whole.
 */
export function searchBm25(lists: readonly WeightedList[], limit: number, context: Bm25Context): Scored[] {
  if (lists.length === 0 || limit < 1) return [];
  return rescore(findCandidates(lists, limit, context), lists, context.norms).slice(0, limit);
}

/** Returns chunks in ascending order, among them the `limit` best. */
function findCandidates(
  lists: readonly WeightedList[],
  limit: number,
  { norms, boundScale, allowed }: Bm25Context,
): Int32Array {
  const ranked = lists.map(({ list, weight }) => ({
    list,
    cursor: new PostingCursor(list),
    factor: weight * (K1 + 1),
    bound: weight * (K1 + 1) * Math.min(1, list.maxFrequencyPart * boundScale) * SLACK,
  })).sort((a, b) => b.bound - a.bound);
  const rest = new Float64Array(ranked.length + 1);
  for (let i = ranked.length - 1; i >= 0; i--) rest[i] = rest[i + 1]! + ranked[i]!.bound;
  for (const { list } of ranked) list.rewind();

  const { codes, values } = norms;
  const top = new TopScores(limit);
  const window = new Window();
  const { scores, touched } = window;
  const kept = new Int32Array(WINDOW);
  const chunks: number[] = [], found: number[] = [];
  let threshold = firstThreshold();
  /** The first lists, of which every posting is read. */
  let read = ranked.length;
  leaveOut();
  while (read > 0) {
    let base = Infinity;
    for (let i = 0; i < read; i++) base = Math.min(base, ranked[i]!.cursor.next);
    if (base === Infinity) break;
    window.base = base;
    for (let i = 0; i < read; i++) {
      const { cursor, factor } = ranked[i]!;
      if (cursor.next < base + WINDOW) cursor.addUntil(base + WINDOW, window, norms, factor);
    }
    let count = keep(touched, window.count, threshold / SLACK - rest[read]!, allowed);
    if (read < ranked.length) kept.subarray(0, count).sort();
    for (let next = read; next < ranked.length && count > 0; next++) {
      const { list, factor } = ranked[next]!;
      for (let i = 0; i < count; i++) {
        const chunk = base + kept[i]!;
        const tf = list.frequencyIn(chunk);
        if (tf > 0) scores[kept[i]!]! += factor * tf / (tf + values[codes[chunk]!]!);
      }
      count = keep(kept, count, threshold / SLACK - rest[next + 1]!, undefined);
    }
    for (let i = 0; i < count; i++) {
      const place = kept[i]!, score = scores[place]!;
      if (score < threshold / SLACK) continue;
      chunks.push(base + place);
      found.push(score);
      threshold = Math.max(threshold, top.offer(score));
    }
    window.clear();
    leaveOut();
  }
  return Int32Array.from(chunks.filter((_, i) => found[i]! >= threshold / SLACK)).sort();

  /** Stops to read the last lists as a whole as soon as they alone cannot lift a chunk above the threshold. */
  function leaveOut(): void {
    while (read > 0 && rest[read - 1]! < threshold / SLACK) read--;
  }

  /** Returns the `limit`-th best score by the first list of so many chunks, which is cheap to read as a whole; else 0. */
  function firstThreshold(): number {
    const first = ranked.find(({ list }) => list.documentFrequency >= limit);
    if (first === undefined || first.list.documentFrequency > MOST_READ_FIRST) return 0;
    const own = new TopScores(limit);
    const { list, factor } = first;
    const listed = new Int32Array(list.documentFrequency), frequencies = new Uint16Array(listed.length);
    list.decode(listed, frequencies);
    let least = 0;
    for (let i = 0; i < listed.length; i++) {
      const chunk = listed[i]!, tf = frequencies[i]!;
      if (allowed !== undefined && allowed[chunk] !== 1) continue;
      const score = factor * tf / (tf + values[codes[chunk]!]!);
      if (score > least) least = own.offer(score);
    }
    return least;
  }

  /**
   * Copies those of the first `count` places to `kept` that have a score of at least `least` and are allowed. Returns their
   * number.
   */
  function keep(places: Int32Array, count: number, least: number, allowed: Uint8Array | undefined): number {
    const { base } = window;
    let left = 0;
    for (let i = 0; i < count; i++) {
      const place = places[i]!;
      if (scores[place]! < least || allowed !== undefined && allowed[base + place] !== 1) continue;
      kept[left++] = place;
    }
    return left;
  }
}

/** Scores the candidates (ascending) again, in the order of the terms, so that equal chunks get equal scores. */
function rescore(candidates: Int32Array, lists: readonly WeightedList[], norms: Norms): Scored[] {
  const { scores, covered } = scoreChunks(candidates, lists, norms);
  return Array.from(candidates, (chunk, i) => ({ chunk, score: scores[i]!, covered: covered[i]! }))
    .sort((a, b) => b.score - a.score || a.chunk - b.chunk);
}

/** Returns BM25 and the covered weight of each of the `chunks` (ascending), as in {@linkcode Scored}. */
export function scoreChunks(
  chunks: Int32Array,
  lists: readonly WeightedList[],
  { codes, values }: Norms,
): { scores: Float64Array; covered: Float64Array } {
  const scores = new Float64Array(chunks.length);
  const covered = new Float64Array(chunks.length);
  for (const { list, weight, covers = weight } of lists) {
    list.rewind();
    for (let i = 0; i < chunks.length; i++) {
      const tf = list.frequencyIn(chunks[i]!);
      if (tf === 0) continue;
      scores[i]! += weight * (K1 + 1) * tf / (tf + values[codes[chunks[i]!]!]!);
      covered[i]! += covers;
    }
  }
  return { scores, covered };
}

/** One of several wordings: a term, or terms that must occur together. */
interface GroupMember {
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

/**
 * Scratch memory for the scores of one search: one for each chunk, 0 for all that are not touched. It is kept from one
 * search to the next, because allocating it would take longer than most searches.
 */
class Scores {
  readonly scores: Float64Array;
  /** The first `count` of `chunks` have a score, in no order. */
  readonly touched: { readonly chunks: Int32Array; count: number };

  constructor(chunks: number) {
    this.scores = new Float64Array(chunks);
    this.touched = { chunks: new Int32Array(chunks), count: 0 };
  }

  /** Sets every score to 0. */
  clear(): void {
    const { chunks, count } = this.touched;
    if (count * 4 > chunks.length) this.scores.fill(0);
    else for (let i = 0; i < count; i++) this.scores[chunks[i]!] = 0;
    this.touched.count = 0;
  }
}

/** Keeps the `capacity` greatest scores that were offered, in a min-heap. */
export class TopScores {
  readonly #heap: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#heap = new Float64Array(capacity);
  }

  /** Offers a score above 0. Returns the least of the kept scores, or 0 while there are fewer than `capacity`. */
  offer(score: number): number {
    const heap = this.#heap;
    if (this.#size < heap.length) {
      let at = this.#size++;
      while (at > 0 && heap[(at - 1) >> 1]! > score) {
        heap[at] = heap[(at - 1) >> 1]!;
        at = (at - 1) >> 1;
      }
      heap[at] = score;
      return this.#size === heap.length ? heap[0]! : 0;
    }
    if (score <= heap[0]!) return heap[0]!;
    let at = 0;
    while (true) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= score) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = score;
    return heap[0]!;
  }
}
