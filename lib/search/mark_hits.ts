import { CJK, inverseDocumentFrequency, type QueryTerm, type Tokenizer } from "../index/mod.ts";
import type { Collection } from "./collection.ts";
import { findMarks, type Wanted } from "./find_marks.ts";
import type { Passage } from "./passages.ts";
import { STOP_WORD_WEIGHT } from "./query/mod.ts";
import type { Ranking, WordPair } from "./rank/mod.ts";
import type { Hit } from "./types.ts";

/**
 * Words less alike than this are not marked. In the guide's pages, pairs of other words come up to .55 (`log`, `catalogue`),
 * translations begin at about .6.
 */
const ALIKE = 0.6;

/** Particles. A pair of characters with one of them is mostly the end of one word and the start of the next. */
const PARTICLE = /[的了吗呢]/;
const UNSPACED_TERM = new RegExp(`^[${CJK}]+$`, "u");

/** Input of {@linkcode markHits}. */
export interface Marking {
  readonly collection: Collection;
  readonly ranking: Ranking;
  readonly tokenizer: Tokenizer;
  /** The terms of the question. */
  readonly terms: readonly QueryTerm[];
  /** The passages of the hits, in their order. There may be more passages than hits. */
  readonly passages: readonly Passage[];
}

/** The hits with marks at the words of the question, and at words like them where the question's own are missing. */
export async function markHits(
  hits: readonly Hit[],
  { collection, ranking, tokenizer, terms, passages }: Marking,
): Promise<Hit[]> {
  const asked = markedTerms(terms);
  const counts = await collection.documentFrequencies(asked);
  const weights = new Map(
    asked.map((term, i) => [term, inverseDocumentFrequency(collection.size, counts[i]!)]),
  );
  const chunks = passages.slice(0, hits.length).flatMap((passage) => passage.chunks)
    .sort((a, b) => a.id - b.id);
  const pairs = await ranking.pairs(chunks);
  const pairsOf = new Map(chunks.map(({ id }, i) => [id, pairs[i]!]));
  return hits.map((hit, i) => {
    const own = passages[i]!.chunks.flatMap(({ id }) => pairsOf.get(id) ?? []);
    return { ...hit, marks: findMarks(hit.content, wantedIn(own, weights, tokenizer), tokenizer) };
  });
}

/** The terms without stop words, without single characters of longer words, and without pairs that cross two words. */
function markedTerms(terms: readonly QueryTerm[]): string[] {
  const content = terms.filter(({ weight }) => weight > STOP_WORD_WEIGHT).map(({ term }) => term);
  const pairs = content.filter((term) => [...term].length === 2 && UNSPACED_TERM.test(term));
  const isCrossing = (term: string) => pairs.length > 1 && pairs.includes(term) && PARTICLE.test(term);
  const isPart = (term: string) => [...term].length === 1 && pairs.some((pair) => pair.includes(term));
  return content.filter((term) => !isCrossing(term) && !(UNSPACED_TERM.test(term) && isPart(term)));
}

/** Adds the words of a passage that stand for words of the question which the passage lacks. */
function wantedIn(
  pairs: readonly WordPair[],
  weights: ReadonlyMap<string, number>,
  tokenizer: Tokenizer,
): Wanted {
  const terms = new Map(weights);
  const words = new Map<string, number>();
  for (const { query, chunk, cosine } of pairs) {
    if (cosine < ALIKE || cosine === 1) continue;
    const asked = tokenizer.queryTerms(query).map(({ term }) => weights.get(term) ?? 0);
    const weight = cosine * Math.max(0, ...asked);
    if (UNSPACED_TERM.test(chunk)) words.set(tokenizer.fold(chunk), weight);
    else {for (const term of tokenizer.tokenize(chunk).slice(0, 1)) {
        if (!terms.has(term)) terms.set(term, weight);
      }}
  }
  return { terms, words };
}
