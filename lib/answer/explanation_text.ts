import { type Language, message, printable } from "../messages.ts";
import { evidenceText, pairText } from "./evidence_text.ts";
import type { ExplainedChunk, SearchAnswer } from "../search/mod.ts";

/** Chunks listed that are not in the answer. */
const MAX_DROPPED = 10;

/** Makes a text from a file, a file name or the query safe within a line. */
type Quote = (text: string) => string;

/**
 * The explanation of a search as text, for a person or a model. The search must have been asked to explain its answer. `quote` is
 * applied to everything from files, file names or the query; the default, {@linkcode printable}, is for a terminal.
 */
export function explanationText(answer: SearchAnswer, language: Language, quote: Quote = printable): string {
  const { mode, fusion, model, terms, phrases, excluded, weights, chunks } = answer.explanation!;
  const words = terms.map(({ term, weight }) => weight === 1 ? term : `${term}×${round(weight)}`).join(" ");
  const counts = Object.groupBy(chunks, ({ foundBy }) => foundBy);
  const head = [
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
    ...(mode === "hybrid" ? [message(language, "explain_weights", { weights: listed(weights) })] : []),
    message(language, "explain_counts", {
      keyword: counts.keyword?.length ?? 0,
      vector: counts.vector?.length ?? 0,
      both: counts.both?.length ?? 0,
    }),
    ...answer.notices.map((notice) => message(language, "notice_line", { notice: quote(notice) })),
  ];
  const shown = chunks.filter(({ outcome }) => outcome === "shown");
  const dropped = chunks.filter(({ outcome }) => outcome !== "shown");
  const parts = [head.join("\n"), ...shown.map((chunk) => chunkText(chunk, language, quote))];
  if (dropped.length > 0) {
    const lines = dropped.slice(0, MAX_DROPPED).map((chunk) =>
      `  ${placeText(chunk, quote)}: ${message(language, `outcome_${chunk.outcome}`)}`
    );
    const more = dropped.length - lines.length;
    parts.push(
      [
        message(language, "explain_dropped", { count: dropped.length }),
        ...lines,
        ...(more > 0 ? ["  …"] : []),
      ]
        .join("\n"),
    );
  }
  return parts.join("\n\n");
}

function chunkText(chunk: ExplainedChunk, language: Language, quote: Quote): string {
  const legs = Object.entries(chunk.legs).filter(([, { raw }]) => raw !== 0).map((
    [leg, { raw, share, rank }],
  ) =>
    `  ${leg.padEnd(12)} ${round(raw).padStart(8)}  +${round(share)}${rank === undefined ? "" : `  #${rank}`}`
  );
  const pairs = chunk.pairs?.map((pair) => pairText(pair, language)) ?? [];
  return [
    placeText(chunk, quote),
    ...legs,
    ...(chunk.evidence === undefined ? [] : [`  ${evidenceText(chunk.evidence, language)}`]),
    ...(pairs.length > 0
      ? [`  ${message(language, "explain_pairs", { pairs: quote(pairs.join(", ")) })}`]
      : []),
  ].join("\n");
}

function placeText({ rank, filePath, startLine, endLine, score }: ExplainedChunk, quote: Quote): string {
  return `#${rank}  ${quote(`${filePath}:${startLine}-${endLine}`)}  ${round(score)}`;
}

function listed(weights: Readonly<Record<string, number>>): string {
  return Object.entries(weights).filter(([, weight]) => weight > 0)
    .map(([leg, weight]) => `${leg} ${round(weight)}`).join(", ");
}

function round(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
