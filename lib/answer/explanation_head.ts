import { type Language, message, printable } from "../messages.ts";
import type { ExplanationData } from "./explanation.ts";
import { quotedNotice } from "./quoted_notice.ts";
import { rounded } from "./rounded.ts";

/** Facts of the first lines of an explanation. */
export interface ExplanationHead
  extends Pick<ExplanationData, "query" | "mode" | "fusion" | "model" | "reranker" | "weights" | "notices"> {
  /** Numbers of candidates by the list that proposed them. */
  readonly counts: { readonly keyword: number; readonly vector: number; readonly both: number };
}

/** The lines about the query, the mode and the candidates. `quote` is applied to words of the query and to notices. */
export function headLines(
  { query: { terms, phrases, excluded }, mode, fusion, model, reranker, weights, counts, notices = [] }:
    ExplanationHead,
  language: Language,
  quote: (text: string) => string,
): string[] {
  const words = terms.map(({ term, weight }) => weight === 1 ? term : `${term}×${rounded(weight)}`).join(" ");
  const legs = Object.entries(weights).filter(([, weight]) => weight > 0)
    .map(([leg, weight]) => `${leg} ${rounded(weight)}`).join(", ");
  return [
    message(language, "explain_terms", { terms: quote(words) }),
    ...(phrases.length > 0
      ? [message(language, "explain_phrases", { phrases: quote(phrases.join(" | ")) })]
      : []),
    ...(excluded.length > 0
      ? [message(language, "explain_excluded", { words: quote(excluded.join(" | ")) })]
      : []),
    message(language, "explain_mode", {
      mode: mode === "hybrid" ? `${mode} (${fusion})` : mode,
      model: printable(model ?? "–"),
    }),
    ...(mode === "hybrid" ? [message(language, "explain_weights", { weights: legs })] : []),
    message(language, "explain_counts", counts),
    ...(reranker === undefined
      ? []
      : [message(language, "explain_reranker", { id: printable(reranker.id), count: reranker.count })]),
    ...notices.map((notice) =>
      message(language, "notice_line", { notice: quotedNotice(notice, language, { name: quote }) })
    ),
  ];
}
