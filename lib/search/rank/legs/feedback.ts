import type { Collection, QueryTerm } from "../../../index/mod.ts";
import { byReader, type Candidates } from "../candidates.ts";
import type { Meaning } from "../meaning.ts";

/** Texts that are taken to answer the question, and terms taken from them. */
const TEXTS = 10;
const TERMS = 20;
/** Terms in a greater share of the chunks say nothing of what the texts have in common. */
const MAX_SHARE = 0.2;

/**
 * P = BM25 with terms of the texts that scored best (pseudo relevance feedback: Lavrenko, Croft, "Relevance-based language
 * models", 2001): weight = Σ score · tf / length · ln(N / df) over the texts, 1 < df < .2 N, the best 20, their sum 1. Terms are stems and
 * bigrams.
 */
export function feedbackTerms(
  candidates: Candidates,
  scores: Float64Array,
  collection: Collection,
  meaning: Meaning,
): QueryTerm[] {
  const best = Array.from(scores.keys()).filter((i) => scores[i]! > 0).sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, TEXTS);
  const sums = new Map<string, number>();
  for (const i of best) {
    const counts = meaning.countTerms(collection.readers[candidates.readers[i]!]!.text(candidates.chunks[i]!));
    const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const [term, count] of counts) sums.set(term, (sums.get(term) ?? 0) + scores[i]! * count / length);
  }
  const weighted: QueryTerm[] = [];
  for (const [term, sum] of sums) {
    const df = collection.documentFrequency(term);
    if (df <= 1 || df >= MAX_SHARE * collection.size) continue;
    weighted.push({ term, weight: sum * Math.log(collection.size / df) });
  }
  weighted.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  const kept = weighted.slice(0, TERMS);
  const total = kept.reduce((sum, { weight }) => sum + weight, 0);
  return kept.map(({ term, weight }) => ({ term, weight: weight / total }));
}

/** P of every candidate. */
export function feedback(terms: readonly QueryTerm[], candidates: Candidates, collection: Collection): Float64Array {
  const lists = collection.lookUp(terms);
  return byReader(candidates, (reader, chunks) => collection.score(lists, reader, chunks).scores);
}
