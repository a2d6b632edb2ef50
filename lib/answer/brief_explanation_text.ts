import { type Language, message } from "../messages.ts";
import type { BriefExplanation } from "./brief_explanation_data.ts";
import { evidenceText, pairText } from "./evidence_text.ts";
import { headLines } from "./explanation_head.ts";
import { rerankText } from "./rerank_text.ts";

type Chunk = BriefExplanation["final_results"][number];

/**
 * A brief explanation as text. `shown`: number of passages in the answer. `quote`: marks texts of files and of the query.
 */
export function briefText(
  data: BriefExplanation,
  shown: number,
  language: Language,
  quote: (text: string) => string,
): string {
  const { final_results: results, stats } = data;
  const counts = {
    keyword: stats.fts_candidates - stats.intersection_count,
    vector: stats.vec_candidates - stats.intersection_count,
    both: stats.intersection_count,
  };
  const others = [data.intersection_hits, data.fts_only_hits, data.vec_only_hits].flat()
    .sort((a, b) => a.rank - b.rank);
  const left = counts.keyword + counts.vector + counts.both - shown;
  return [
    ...headLines({ ...data, counts }, language, quote),
    "",
    ...results.flatMap((chunk) => resultLines(chunk, language, quote)),
    ...(shown > results.length ? ["…"] : []),
    ...(left > 0 ? ["", message(language, "explain_dropped", { count: left })] : []),
    ...others.map((chunk) =>
      `${placeText(chunk, language, quote)}: ${message(language, `outcome_${chunk.outcome}`)}`
    ),
    ...(left > others.length ? ["…"] : []),
  ].join("\n");
}

function resultLines(chunk: Chunk, language: Language, quote: (text: string) => string): string[] {
  const legs = Object.entries(chunk.legs ?? {}).map(([leg, { value, share, rank }]) =>
    `${leg} ${value} (+${share}${rank === undefined ? "" : `, #${rank}`})`
  );
  const pairs = (chunk.word_pairs ?? []).map((pair) => pairText(pair, language));
  return [
    placeText(chunk, language, quote),
    ...(legs.length > 0 ? [`  ${legs.join(", ")}`] : []),
    ...(chunk.rerank === undefined ? [] : [`  ${rerankText(chunk.rerank, language)}`]),
    ...(chunk.evidence === undefined ? [] : [`  ${evidenceText(chunk.evidence, language)}`]),
    ...(pairs.length > 0
      ? [`  ${message(language, "explain_pairs", { pairs: quote(pairs.join(", ")) })}`]
      : []),
  ];
}

function placeText(chunk: Chunk, language: Language, quote: (text: string) => string): string {
  const { rank, file_path: path, start_line: start, end_line: end, total_lines: total, page, section } =
    chunk;
  const place = [
    ...(total !== undefined ? [message(language, "lines_of_file", { total })] : []),
    ...(section !== undefined ? [section.join(" > ")] : []),
    ...(page !== undefined ? [message(language, "page_number", { page })] : []),
  ];
  const inside = place.length > 0 ? ` (${place.join(", ")})` : "";
  return `#${rank}  ${quote(`${path}:${start}-${end}${inside}`)}  ${chunk.score}`;
}
