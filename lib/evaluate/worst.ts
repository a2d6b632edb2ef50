import type { HitSpan } from "./judge.ts";
import type { Corpus, JudgedQuery, Scores, Target, WorstQuery } from "./types.ts";

/** Most hits and targets that are named for one query. */
const NAMED = 3;

/** Returns the `count` queries with the lowest nDCG below 1, lowest first. */
export function worstQueries(
  queries: readonly JudgedQuery[],
  run: { readonly scores: readonly Scores[]; readonly rankings: readonly (readonly HitSpan[])[] },
  corpus: Pick<Corpus, "labelOf">,
  count: number,
): WorstQuery[] {
  const worst = queries.keys().filter((at) => run.scores[at]!.ndcg < 1).toArray()
    .sort((a, b) => run.scores[a]!.ndcg - run.scores[b]!.ndcg || a - b)
    .slice(0, count);
  return worst.map((at) => {
    const { id, text, targets } = queries[at]!;
    const inLines = targets.some(({ lines }) => lines !== undefined);
    return {
      id,
      query: text,
      scores: run.scores[at]!,
      expected: targets.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain).slice(0, NAMED)
        .map((target) => targetLabel(target, corpus)),
      found: run.rankings[at]!.slice(0, NAMED).map(({ document, first, last }) =>
        inLines ? `${corpus.labelOf(document)}:${first}-${last}` : corpus.labelOf(document)
      ),
    };
  });
}

function targetLabel(
  { document, lines, pages, section }: Target,
  corpus: Pick<Corpus, "labelOf">,
): string {
  return [
    `${corpus.labelOf(document)}${lines === undefined ? "" : `:${lines.first}-${lines.last}`}`,
    ...(pages === undefined ? [] : [`p. ${pages.first}`]),
    ...(section === undefined ? [] : [`› ${section}`]),
  ].join(" ");
}
