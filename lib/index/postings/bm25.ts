import { PostingCursor, WINDOW, Window } from "./cursor.ts";
import { K1 } from "./frequency_part.ts";
import type { PostingList } from "./list.ts";
import type { Norms } from "./norms.ts";
import { TopScores } from "./top.ts";

/** A term of the query with its posting list. */
export interface WeightedList {
  readonly list: PostingList;
  /** The term's weight in the query times its idf. */
  readonly weight: number;
  /** Part of {@linkcode Scored.covered}. Default: the weight. */
  readonly covers?: number;
}

/** A chunk with its score. */
export interface Scored {
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
export interface Bm25Context {
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
