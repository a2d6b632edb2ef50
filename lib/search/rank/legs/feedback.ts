import type { Collection, QueryTerm } from "../../../index/mod.ts";
import { byReader, type Candidates } from "../candidates.ts";
import type { Meaning } from "../meaning.ts";

/** Texts that are taken to answer the question, and terms taken from them. */
const TEXTS = 10;
const TERMS = 20;
/** Of a longer text the beginning tells what it is about. */
const MAX_TEXT_BYTES = 1 << 15;
/** Terms in a greater share of the chunks say nothing of what the texts have in common. */
const MAX_SHARE = 0.2;

/**
 * P = BM25 with terms of the texts that scored best (pseudo relevance feedback: Lavrenko, Croft, "Relevance-based language
 * models", 2001): weight = Σ score² · tf / length · ln(N / df) over the texts, 1 < df < .2 N, the best 20, their sum 1. Terms are
 * stems and bigrams. With the plain score the leg drifts further from questions with a single answer (weight .2, nDCG@10 less that
 * of BM25: Cranfield +.010 instead of +.012, manual pages −.014 instead of −.011).
 */
export function feedbackTerms(
  candidates: Candidates,
  scores: Float64Array,
  collection: Collection,
  meaning: Meaning,
): QueryTerm[] {
  const best = Array.from(scores.keys()).filter((i) => scores[i]! > 0)
    .sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, TEXTS);
  const sums = new Map<string, number>();
  for (const i of best) {
    const reader = collection.readers[candidates.readers[i]!]!;
    const counts = meaning.countTerms(reader.text(candidates.chunks[i]!, MAX_TEXT_BYTES));
    const length = counts.values().reduce((sum, count) => sum + count, 0);
    for (const [term, count] of counts) {
      sums.set(term, (sums.get(term) ?? 0) + scores[i]! ** 2 * count / length);
    }
  }
  const kept = bestTerms(sums, collection);
  const total = kept.reduce((sum, { weight }) => sum + weight, 0);
  return kept.map(({ term, weight }) => ({ term, weight: weight / total }));
}

/** P of every candidate. */
export function feedback(
  terms: readonly QueryTerm[],
  candidates: Candidates,
  collection: Collection,
): Float64Array {
  const lists = collection.lookUp(terms);
  return byReader(candidates, (reader, chunks) => collection.score(lists, reader, chunks).scores);
}

/** The terms of the greatest sum · ln(N / df), looked up from the greatest sum on as long as one more can be among them. */
function bestTerms(sums: ReadonlyMap<string, number>, collection: Collection): QueryTerm[] {
  const rarest = Math.log(collection.size / 2);
  const best: QueryTerm[] = [];
  for (const [term, sum] of [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))) {
    if (best.length === TERMS && sum * rarest <= best.at(-1)!.weight) break;
    const df = collection.documentFrequency(term);
    if (df <= 1 || df >= MAX_SHARE * collection.size) continue;
    const weight = sum * Math.log(collection.size / df);
    best.splice(1 + best.findLastIndex((other) => other.weight >= weight), 0, { term, weight });
    if (best.length > TERMS) best.pop();
  }
  return best;
}
