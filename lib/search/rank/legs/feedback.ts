import type { QueryTerm } from "../../../index/mod.ts";
import type { Collection } from "../../collection.ts";
import type { Meaning } from "../meaning.ts";
import type { SummedTerms } from "../term_sums.ts";

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
 * models", 2001): weight = Σ score² · tf / length · ln(N / df) over the texts, 1 < df < .2 N, the best 20, their sum 1.
 * Terms are stems and bigrams. With the plain score the leg drifts further from questions with a single answer (weight .2,
 * nDCG@10 less that of BM25: Cranfield +.010 instead of +.012, manual pages −.014 instead of −.011).
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
  const sums = meaning.termSums.of(
    best.map((i) => [texts[ascending.indexOf(i)]!, scores[i]! ** 2] as const),
  );
  const kept = await bestTerms(sums, collection);
  const total = kept.reduce((sum, { weight }) => sum + weight, 0);
  return kept.map(({ term, weight }) => ({ term, weight: weight / total }));
}

/**
 * Returns the terms with the greatest sum · ln(N / df). Looks up terms from the greatest sum on, until no further term can
 * be among them.
 */
async function bestTerms(terms: SummedTerms, collection: Collection): Promise<QueryTerm[]> {
  const rarest = Math.log(collection.size / 2);
  const best: QueryTerm[] = [];
  for (const batch of descending(terms)) {
    const frequencies = await collection.documentFrequencies(batch.map(({ term }) => term));
    for (const [i, { term, sum }] of batch.entries()) {
      if (best.length === TERMS && sum * rarest <= best.at(-1)!.weight) return best;
      const df = frequencies[i]!;
      if (df <= 1 || df >= MAX_SHARE * collection.size) continue;
      const weight = sum * Math.log(collection.size / df);
      best.splice(1 + best.findLastIndex((other) => other.weight >= weight), 0, { term, weight });
      if (best.length > TERMS) best.pop();
    }
  }
  return best;
}

/**
 * Yields the terms in batches, by descending sum and ties by text. Only the batches that are asked for are sorted by text.
 */
function* descending({ ids, sums, termOf }: SummedTerms): Generator<{ term: string; sum: number }[]> {
  const sorted = sums.toSorted();
  for (let place = sums.length, above = Infinity; place > 0;) {
    const least = sorted[Math.max(0, place - BATCH)]!;
    const batch: { term: string; sum: number }[] = [];
    for (let i = 0; i < sums.length; i++) {
      const sum = sums[i]!;
      if (sum >= least && sum < above) batch.push({ term: termOf(ids[i]!), sum });
    }
    yield batch.sort((a, b) => b.sum - a.sum || (a.term < b.term ? -1 : 1));
    place -= batch.length;
    above = least;
  }
}
