/**
 * Boolean queries need more than their filter: chunks that no leg of the ranking finds, the words that a prefix stands for, and the part
 * that no chunk meets.
 */
import type { QueryTerm } from "#engine/index/mod.ts";
import { expressionText, positiveWords, type QueryExpression } from "#engine/query/mod.ts";
import type { RankedChunk, Ranking, RankWanted } from "#engine/rank/mod.ts";
import type { Filter, Segments } from "#engine/segments.ts";

/** A ranking of all chunks that pass the filter. Those without a word of the query come last, in the order of the index. */
export class CompleteRanking implements Pick<Ranking, "best"> {
  readonly #ranking: Pick<Ranking, "best">;
  readonly #segments: Segments;

  constructor(ranking: Pick<Ranking, "best">, segments: Segments) {
    this.#ranking = ranking;
    this.#segments = segments;
  }

  async best(wanted: RankWanted): Promise<RankedChunk[]> {
    const ranked = await this.#ranking.best(wanted);
    if (ranked.length >= wanted.limit) return ranked;
    const known = new Set(ranked.map(({ id }) => id));
    const all = await this.#segments.byScores(
      ({ statistics }) => new Float64Array(statistics.chunks).fill(1),
      wanted,
    );
    const rest = all.filter(({ id }) => !known.has(id))
      .map((chunk): RankedChunk => ({ ...chunk, score: 0, chance: 0, legs: {} }));
    return [...ranked, ...rest].slice(0, wanted.limit);
  }
}

/** Words of a prefix that rank, the most frequent ones, and how much each counts: as much as a synonym. */
const WORDS_OF_PREFIX = 16;
const WEIGHT = 0.5;

/** Returns the terms that the prefixes of a query stand for, apart from those after NOT. */
export async function prefixTermsOf(
  segments: Segments,
  expression: QueryExpression | undefined,
): Promise<QueryTerm[]> {
  const prefixes = (expression === undefined ? [] : positiveWords(expression))
    .filter(({ form }) => form === "prefix");
  const terms = await Promise.all(
    prefixes.map(({ words }) => segments.termsWithPrefix(words, WORDS_OF_PREFIX)),
  );
  return Array.from(new Set(terms.flat()), (term) => ({ term, weight: WEIGHT }));
}

/**
 * Returns the smallest part of a query that no chunk meets, as a text: a part joined by AND, or several that no chunk meets together.
 * Returns nothing if other conditions left no chunk. `filterOf` makes the filter of a part.
 */
export async function emptyPart(
  segments: Segments,
  expression: QueryExpression,
  filterOf: (expression: QueryExpression) => Filter,
): Promise<string | undefined> {
  const isEmpty = async (part: QueryExpression) => !await segments.passesAny(filterOf(part));
  const parts = expression.kind === "and" ? expression.parts : [expression];
  const areEmpty = await Promise.all(parts.map(isEmpty));
  const empty = parts.find((_, i) => areEmpty[i]);
  if (empty !== undefined) return expressionText(empty);
  for (let count = 2; count <= parts.length; count++) {
    const some: QueryExpression = { kind: "and", parts: parts.slice(0, count) };
    if (await isEmpty(some)) return expressionText(some);
  }
  return undefined;
}
