import { roundedEvidence } from "./evidence_text.ts";
import type { ExplainedData, ExplanationData } from "./explanation.ts";
import { rounded } from "./rounded.ts";

/** {@linkcode ExplanationData} with few chunks, rounded numbers and without fields that follow from others. */
export type BriefExplanation = ReturnType<typeof shortened>;

/** How much of an explanation is given. */
export interface Extent {
  /** Chunks of the answer, and how many of them with the values of the legs. */
  readonly results: number;
  readonly detailed: number;
  /** Chunks of each list of those that are not in the answer. */
  readonly listed: number;
  readonly words: number;
}

/** UTF-16 units of a path, and of another text from files or the query. The end of a path is kept. */
const MAX_PATH_CHARS = 160;
const MAX_TEXT_CHARS = 60;

/** Returns the part of an explanation that an extent allows. */
export function shortened(full: ExplanationData, { results, detailed, listed, words }: Extent) {
  const { query, weights, final_results: shown, stats, notices, ...head } = full;
  const others = (list: readonly ExplainedData[]) =>
    list.filter(({ outcome }) => outcome !== "shown").slice(0, listed).map(toPlace);
  const texts = (list: readonly string[]) => list.slice(0, words).map((text) => cut(text, MAX_TEXT_CHARS));
  return {
    query: {
      terms: query.terms.slice(0, 2 * words).map(({ term, weight }) => ({
        term: cut(term, MAX_TEXT_CHARS),
        weight: rounded(weight),
      })),
      phrases: texts(query.phrases),
      excluded: texts(query.excluded),
    },
    mode: head.mode,
    ...(head.fusion !== undefined && { fusion: head.fusion }),
    ...(head.model !== undefined && { model: cut(head.model, MAX_TEXT_CHARS) }),
    ...(head.reranker !== undefined &&
      { reranker: { ...head.reranker, id: cut(head.reranker.id, MAX_TEXT_CHARS) } }),
    weights: Object.fromEntries(
      Object.entries(weights).filter(([, weight]) => weight !== 0).map((
        [leg, weight],
      ) => [leg, rounded(weight)]),
    ),
    final_results: shown.slice(0, results).map((chunk, i) => ({
      ...toPlace(chunk),
      ...(i < detailed && toDetails(chunk, words)),
    })),
    fts_only_hits: others(full.fts_only_hits),
    vec_only_hits: others(full.vec_only_hits),
    intersection_hits: others(full.intersection_hits),
    stats: { ...stats, cost_time: rounded(stats.cost_time) },
    ...(notices !== undefined &&
      { notices: notices.slice(0, words).map((text) => cut(text, MAX_PATH_CHARS)) }),
  };
}

/** The place, rank and outcome of a chunk. */
function toPlace(chunk: ExplainedData) {
  const { rank, file_path: path, start_line: start, end_line: end, total_lines: total } = chunk;
  const { section = [], page, score, outcome } = chunk;
  return {
    rank,
    file_path: path.length > MAX_PATH_CHARS ? `…${path.slice(-MAX_PATH_CHARS)}` : path,
    start_line: start,
    end_line: end,
    ...(total !== undefined && { total_lines: total }),
    ...(section.length > 0 && { section: section.slice(-2).map((title) => cut(title, MAX_TEXT_CHARS)) }),
    ...(page !== undefined && { page }),
    score: rounded(score),
    outcome,
  };
}

/** The evidence, legs and words of a chunk. Legs without a value are left out. */
function toDetails({ legs, evidence, rerank, word_pairs: pairs }: ExplainedData, words: number) {
  return {
    ...(rerank !== undefined && { rerank: { ...rerank, score_before: rounded(rerank.score_before) } }),
    ...(evidence !== undefined && { evidence: roundedEvidence(evidence) }),
    legs: Object.fromEntries(
      Object.entries(legs).filter(([, { value }]) => value !== 0)
        .map(([leg, { value, share, rank }]) => [leg, {
          value: rounded(value),
          share: rounded(share),
          ...(rank !== undefined && { rank }),
        }]),
    ),
    ...(pairs !== undefined && pairs.length > 0 && {
      word_pairs: pairs.slice(0, words).map(({ query, chunk, cosine, sureness }) => ({
        query: cut(query, MAX_TEXT_CHARS),
        chunk: cut(chunk, MAX_TEXT_CHARS),
        cosine: rounded(cosine),
        ...(sureness !== undefined && { sureness: rounded(sureness) }),
      })),
    }),
  };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
