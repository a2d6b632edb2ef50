import { type Language, message, printable } from "../messages.ts";
import { evidenceText, pairText } from "./evidence_text.ts";
import { headLines } from "./explanation_head.ts";
import { rerankText } from "./rerank_text.ts";
import { rounded } from "./rounded.ts";
import type { ExplainedChunk, SearchAnswer } from "../search/mod.ts";

/** Chunks listed that are not in the answer. */
const MAX_DROPPED = 10;

/** The explanation of a search as text, for a terminal. The search must have been asked to explain its answer. */
export function explanationText({ explanation, notices }: SearchAnswer, language: Language): string {
  const { terms, phrases, excluded, chunks, ...facts } = explanation!;
  const counts = Object.groupBy(chunks, ({ foundBy }) => foundBy);
  const head = headLines(
    {
      ...facts,
      query: { terms, phrases, excluded },
      weights: facts.weights as Record<string, number>,
      counts: {
        keyword: counts.keyword?.length ?? 0,
        vector: counts.vector?.length ?? 0,
        both: counts.both?.length ?? 0,
      },
      notices,
    },
    language,
    printable,
  );
  const shown = chunks.filter(({ outcome }) => outcome === "shown");
  const dropped = chunks.filter(({ outcome }) => outcome !== "shown");
  const parts = [head.join("\n"), ...shown.map((chunk) => chunkText(chunk, language))];
  if (dropped.length > 0) {
    const lines = dropped.slice(0, MAX_DROPPED).map((chunk) =>
      `  ${placeText(chunk)}: ${message(language, `outcome_${chunk.outcome}`)}`
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

function chunkText(chunk: ExplainedChunk, language: Language): string {
  const legs = Object.entries(chunk.legs).filter(([, { raw }]) => raw !== 0).map((
    [leg, { raw, share, rank }],
  ) =>
    `  ${leg.padEnd(12)} ${String(rounded(raw)).padStart(8)}  +${rounded(share)}${
      rank === undefined ? "" : `  #${rank}`
    }`
  );
  const pairs = chunk.pairs?.map((pair) => pairText(pair, language)) ?? [];
  return [
    placeText(chunk),
    ...legs,
    ...(chunk.rerank === undefined ? [] : [
      `  ${
        rerankText({ rank_before: chunk.rerank.rankBefore, score_before: chunk.rerank.scoreBefore }, language)
      }`,
    ]),
    ...(chunk.evidence === undefined ? [] : [`  ${evidenceText(chunk.evidence, language)}`]),
    ...(pairs.length > 0
      ? [`  ${message(language, "explain_pairs", { pairs: printable(pairs.join(", ")) })}`]
      : []),
  ].join("\n");
}

function placeText({ rank, filePath, startLine, endLine, score }: ExplainedChunk): string {
  return `#${rank}  ${printable(`${filePath}:${startLine}-${endLine}`)}  ${rounded(score)}`;
}
