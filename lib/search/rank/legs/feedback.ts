import type { QueryTerm } from "../../../index/mod.ts";
import type { Collection } from "../../collection.ts";
import type { Meaning } from "../meaning.ts";

/** Number of texts that are assumed to answer the question, and of terms taken from them. */
const TEXTS = 10;
const TERMS = 20;
/** Only the beginning of a longer text is used. */
const MAX_TEXT_BYTES = 1 << 15;
/** Terms in a greater share of the chunks are too common to describe the texts. */
const MAX_SHARE = 0.2;
/** Number of terms whose document frequencies are looked up at once. */
const BATCH = 64;

/**
 * P = BM25 with terms of the texts that scored best (pseudo relevance feedback: Lavrenko, Croft, "Relevance-based language
 * models", 2001): weight = Σ score² · tf / length · ln(N / df) over the texts, 1 < df < .2 N, the best 20, their sum 1. Terms are
 * stems and bigrams. With the plain score the leg drifts further from questions with a single answer (weight .2, nDCG@10 less that
 * of BM25: Cranfield +.010 instead of +.012, manual pages −.014 instead of −.011).
 */
export async function feedbackTerms(
  ids: Int32Array,
  scores: Float64Array,
  collection: Collection,
  meaning: Meaning,
): Promise<QueryTerm[]> {
  const best = Array.from(scores.keys()).filter((i) => scores[i]! > 0)
    .sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, TEXTS);
  const ascending = best.toSorted((a, b) => a - b);
  const texts = await collection.texts(Int32Array.from(ascending, (i) => ids[i]!), MAX_TEXT_BYTES);
  const sums = new Map<string, number>();
  for (const i of best) {
    const counts = meaning.countTerms(texts[ascending.indexOf(i)]!);
    const length = counts.values().reduce((sum, count) => sum + count, 0);
    for (const [term, count] of counts) {
      sums.set(term, (sums.get(term) ?? 0) + scores[i]! ** 2 * count / length);
    }
  }
  const kept = await bestTerms(sums, collection);
  const total = kept.reduce((sum, { weight }) => sum + weight, 0);
  return kept.map(({ term, weight }) => ({ term, weight: weight / total }));
}

/**
 * Returns the terms with the greatest sum · ln(N / df). Looks up terms from the greatest sum on, until no further term can
 * be among them.
 */
async function bestTerms(sums: ReadonlyMap<string, number>, collection: Collection): Promise<QueryTerm[]> {
  const rarest = Math.log(collection.size / 2);
  const best: QueryTerm[] = [];
  const sorted = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  let frequencies: ArrayLike<number> = [];
  for (const [i, [term, sum]] of sorted.entries()) {
    if (best.length === TERMS && sum * rarest <= best.at(-1)!.weight) break;
    if (i % BATCH === 0) {
      frequencies = await collection.documentFrequencies(sorted.slice(i, i + BATCH).map(([term]) => term));
    }
    const df = frequencies[i % BATCH]!;
    if (df <= 1 || df >= MAX_SHARE * collection.size) continue;
    const weight = sum * Math.log(collection.size / df);
    best.splice(1 + best.findLastIndex((other) => other.weight >= weight), 0, { term, weight });
    if (best.length > TERMS) best.pop();
  }
  return best;
}
