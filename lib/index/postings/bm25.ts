import { K1 } from "./frequency_part.ts";
import type { PostingList } from "./list.ts";
import type { Scores } from "./scores.ts";
import { TopScores } from "./top.ts";

/** A term of the query with its posting list. */
export interface WeightedList {
  readonly list: PostingList;
  /** The term's weight in the query times its idf. */
  readonly weight: number;
}

/** A chunk with its score. */
export interface Scored {
  readonly chunk: number;
  /** Σ weight (k1 + 1) tf / (tf + norm) over the query's terms, added in their order. */
  readonly score: number;
  /** Σ weight over the query's terms that the chunk contains. */
  readonly covered: number;
}

/** Factor that keeps a bound above the true score despite rounding. */
const SLACK = 1 + 1e-9;

/** The data of an index that a search needs beside its posting lists. */
export interface Bm25Context {
  /** k1 (1 - b + b length / average) of each chunk. */
  readonly norms: Float64Array;
  /** Must be clear, and is cleared again. */
  readonly scores: Scores;
  /** Factor that makes the lists' `maxFrequencyPart` a bound for these norms. */
  readonly boundScale: number;
  /** A 1 for each chunk that may be found. Default: all. */
  readonly allowed?: Uint8Array | undefined;
}

/**
 * Returns the `limit` best chunks by BM25, best first. Ties are sorted by number. The result is exact, but not every
 * posting is scored (MaxScore, term at a time: Turtle, Flood, "Query evaluation: strategies and optimizations", 1995).
 * Lists are taken in the order of the greatest score that each can give. As soon as the remaining lists together cannot
 * lift a new chunk above the threshold, they are only asked for the chunks that are candidates already.
 *
 * ```
 * bound   5.1   3.0  │  1.2   0.4          rest[next] = 1.2 + 0.4 = 1.6
 *        ┌────┐┌────┐│ ┌────┐┌────┐        threshold  = 2.2, the score of the limit-th best so far
 *        │list││list││ │list││list│
 *        └────┘└────┘│ └────┘└────┘        1.6 < 2.2: a chunk that is in neither of the first
 *        all postings│ candidates only     two lists cannot get into the result
 * ```
 */
export function searchBm25(lists: readonly WeightedList[], limit: number, context: Bm25Context): Scored[] {
  if (lists.length === 0 || limit < 1) return [];
  try {
    const candidates = findCandidates(lists, limit, context);
    return rescore(candidates.sort(), lists, context.norms).slice(0, limit);
  } finally {
    context.scores.clear();
  }
}

/** Returns chunks in any order, among them the `limit` best. */
function findCandidates(
  lists: readonly WeightedList[],
  limit: number,
  { norms, scores: all, boundScale, allowed }: Bm25Context,
): Int32Array {
  const ranked = lists.map(({ list, weight }) => ({
    list,
    factor: weight * (K1 + 1),
    bound: weight * (K1 + 1) * Math.min(1, list.maxFrequencyPart * boundScale) * SLACK,
  })).sort((a, b) => b.bound - a.bound);
  const rest = new Float64Array(ranked.length + 1);
  for (let i = ranked.length - 1; i >= 0; i--) rest[i] = rest[i + 1]! + ranked[i]!.bound;

  const { scores, touched } = all;
  let next = 0;
  let threshold = 0;
  while (next < ranked.length) {
    const { list, factor } = ranked[next++]!;
    list.accumulate(all, norms, factor);
    // The threshold cannot exceed the greatest score that the lists so far can give.
    if (next < ranked.length && rest[next]! >= rest[0]! - rest[next]!) continue;
    threshold = thresholdOf(touched.chunks.subarray(0, touched.count), scores, limit, allowed);
    if (threshold > rest[next]!) break;
  }
  const open = touched.chunks.subarray(0, touched.count);
  let candidates = atLeast(open, scores, threshold / SLACK - rest[next]!, allowed);
  if (next < ranked.length) candidates.sort();
  for (; next < ranked.length; next++) {
    const { list, factor } = ranked[next]!;
    list.rewind();
    for (const chunk of candidates) {
      const tf = list.frequencyIn(chunk);
      if (tf > 0) scores[chunk]! += factor * tf / (tf + norms[chunk]!);
    }
    threshold = thresholdOf(candidates, scores, limit, undefined);
    candidates = atLeast(candidates, scores, threshold / SLACK - rest[next + 1]!, undefined);
  }
  return candidates;
}

/** Returns the `limit`-th best score of the chunks, or 0 if there are fewer. */
function thresholdOf(
  chunks: Int32Array,
  scores: Float64Array,
  limit: number,
  allowed: Uint8Array | undefined,
): number {
  const top = new TopScores(limit);
  let threshold = 0;
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i]!;
    if (scores[chunk]! <= threshold || allowed !== undefined && allowed[chunk] === 0) continue;
    threshold = top.offer(scores[chunk]!);
  }
  return threshold;
}

/** Returns the chunks with a score of at least `least`. */
function atLeast(
  chunks: Int32Array,
  scores: Float64Array,
  least: number,
  allowed: Uint8Array | undefined,
): Int32Array {
  const kept = new Int32Array(chunks.length);
  let count = 0;
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i]!;
    if (scores[chunk]! >= least && (allowed === undefined || allowed[chunk] === 1)) kept[count++] = chunk;
  }
  return kept.subarray(0, count);
}

/** Scores the candidates (ascending) again, in the order of the terms, so that equal chunks get equal scores. */
function rescore(candidates: Int32Array, lists: readonly WeightedList[], norms: Float64Array): Scored[] {
  const { scores, covered } = scoreChunks(candidates, lists, norms);
  return Array.from(candidates, (chunk, i) => ({ chunk, score: scores[i]!, covered: covered[i]! }))
    .sort((a, b) => b.score - a.score || a.chunk - b.chunk);
}

/** Returns BM25 and the covered weight of each of the `chunks` (ascending), as in {@linkcode Scored}. */
export function scoreChunks(
  chunks: Int32Array,
  lists: readonly WeightedList[],
  norms: Float64Array,
): { scores: Float64Array; covered: Float64Array } {
  const scores = new Float64Array(chunks.length);
  const covered = new Float64Array(chunks.length);
  for (const { list, weight } of lists) {
    list.rewind();
    for (let i = 0; i < chunks.length; i++) {
      const tf = list.frequencyIn(chunks[i]!);
      if (tf === 0) continue;
      scores[i]! += weight * (K1 + 1) * tf / (tf + norms[chunks[i]!]!);
      covered[i]! += weight;
    }
  }
  return { scores, covered };
}
