import { type Language, message } from "../messages.ts";
import { rounded } from "./rounded.ts";

/** Says what a reranker did with a chunk. */
export function rerankText(
  { rank_before: rank, score_before: score }: {
    readonly "rank_before"?: number | undefined;
    readonly "score_before": number;
  },
  language: Language,
): string {
  return rank === undefined
    ? message(language, "explain_not_judged", { score: rounded(score) })
    : message(language, "explain_reranked", { rank, score: rounded(score) });
}
