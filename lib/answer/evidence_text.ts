import { type Language, message } from "../messages.ts";
import type { ExplainedChunk } from "../search/mod.ts";
import { rounded } from "./rounded.ts";

/** How much of the question a chunk holds, as shares from 0 to 1, and the factor of its score. */
export type Evidence = NonNullable<ExplainedChunk["evidence"]>;

/** Returns the evidence with three digits. */
export function roundedEvidence({ verbatim, alike, translated, factor }: Evidence): Evidence {
  return {
    verbatim: rounded(verbatim),
    ...(alike !== undefined && { alike: rounded(alike) }),
    ...(translated !== undefined && { translated: rounded(translated) }),
    ...(factor !== undefined && { factor: rounded(factor) }),
  };
}

/** Returns a line about the evidence. */
export function evidenceText(evidence: Evidence, language: Language): string {
  const { verbatim, alike, translated, factor } = roundedEvidence(evidence);
  return [
    message(language, "explain_verbatim", { share: verbatim }),
    ...(alike === undefined ? [] : [message(language, "explain_alike", { share: alike })]),
    ...(translated === undefined ? [] : [message(language, "explain_translated", { share: translated })]),
    ...(factor === undefined ? [] : [message(language, "explain_factor", { factor })]),
  ].join(message(language, "list_comma"));
}

/** Returns a pair of words. A translation has its sureness, other words their cosine. */
export function pairText(
  { query, chunk, cosine, sureness }: NonNullable<ExplainedChunk["pairs"]>[number],
  language: Language,
): string {
  if (sureness === undefined) return `${query}→${chunk} ${rounded(cosine)}`;
  return `${query}→${chunk} ${message(language, "explain_sureness", { sureness: rounded(sureness) })}`;
}
