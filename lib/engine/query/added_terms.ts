/**
 * Terms beside those of a question: words that a model adds, and words of earlier questions that it follows on from. They weigh little, and no
 * text needs them to answer the question.
 */
import type { QueryTerm, Tokenizer } from "#engine/index/mod.ts";
import { contentOf, STOP_WORD_WEIGHT, SYNONYM_WEIGHT } from "./query_terms.ts";

/** Words beside those of a question. */
export interface AddedWords {
  readonly text: string;
  readonly by: "model" | "history";
}

/**
 * Weight of a term that was added, and the greatest part that all of them have of the question's idf. The weight of a model's words is that
 * of stop words, so that they count for BM25 alone. A text with all of them and no word of the question must not come before texts with
 * most of the question.
 */
const ADDED = {
  history: { weight: SYNONYM_WEIGHT, share: 1 },
  model: { weight: STOP_WORD_WEIGHT, share: 0.25 },
} as const;

/** Returns the idf of terms, 0 for one that no text has. */
type IdfOf = (terms: readonly string[]) => Promise<readonly number[]>;

/** Returns the terms of added words that a question does not have. A term of the history that a model repeats is one of the history. */
export async function addedTerms(
  tokenizer: Tokenizer,
  asked: readonly QueryTerm[],
  added: readonly AddedWords[],
  idfOf: IdfOf,
): Promise<QueryTerm[]> {
  const known = new Set(asked.map(({ term }) => term));
  const demand = await totalOf(asked, idfOf);
  const found: QueryTerm[] = [];
  for (const by of ["history", "model"] as const) {
    const { weight, share } = ADDED[by];
    const texts = added.filter((words) => words.by === by).map(({ text }) => contentOf(text).text);
    const fresh = texts.flatMap((text) => tokenizer.queryTerms(text)).filter(({ term }) => !known.has(term));
    const terms = [
      ...new Map(fresh.map((one) => [one.term, { ...one, weight: one.weight * weight }])).values(),
    ];
    const total = await totalOf(terms, idfOf);
    const factor = total > demand * share ? demand * share / total : 1;
    for (const { term, weight } of terms) {
      known.add(term);
      found.push({ term, weight: weight * factor });
    }
  }
  return found.filter(({ weight }) => weight > 0);
}

async function totalOf(terms: readonly QueryTerm[], idfOf: IdfOf): Promise<number> {
  const idfs = await idfOf(terms.map(({ term }) => term));
  return terms.reduce((sum, { weight }, i) => sum + weight * idfs[i]!, 0);
}
