import { type Language, message } from "../messages.ts";
import type { ExplainedChunk, Explanation, SearchAnswer, SearchMode, WordPair } from "../search/mod.ts";
import type { Answer } from "./answer.ts";
import type { Evidence } from "./evidence_text.ts";

type QueryTerm = Explanation["terms"][number];

/** Chunks in each list of an explanation; lower ranks explain nothing. */
const MAX_LISTED = 20;

/** One chunk in an explanation. */
export interface ExplainedData {
  readonly rank: number;
  readonly "file_path": string;
  readonly "chunk_id": string;
  readonly "start_line": number;
  readonly "end_line": number;
  /** Absent for chunks that are not in the answer. */
  readonly "total_lines"?: number;
  readonly section?: readonly string[];
  readonly page?: number;
  readonly score: number;
  /** Absent unless a reranker has judged the best candidates. Without `rank_before`, it did not judge this one. */
  readonly rerank?: { readonly "rank_before"?: number; readonly "score_before": number };
  readonly "found_by": ExplainedChunk["foundBy"];
  readonly outcome: ExplainedChunk["outcome"];
  readonly reason: string;
  /** Value, share of the score, and rank in its list, by the name of the leg. */
  readonly legs: Readonly<Record<string, LegData>>;
  /** Absent in keyword mode. */
  readonly evidence?: Evidence;
  readonly "word_pairs"?: readonly WordPair[];
}

export interface LegData {
  readonly value: number;
  readonly share: number;
  readonly rank?: number;
}

/** `data` of an explanation. */
export interface ExplanationData {
  readonly query: {
    readonly terms: readonly QueryTerm[];
    readonly phrases: readonly string[];
    readonly excluded: readonly string[];
  };
  readonly mode: SearchMode;
  readonly fusion?: string;
  readonly model?: string;
  readonly reranker?: Explanation["reranker"];
  readonly weights: Readonly<Record<string, number>>;
  readonly "final_results": readonly ExplainedData[];
  readonly "fts_only_hits": readonly ExplainedData[];
  readonly "vec_only_hits": readonly ExplainedData[];
  readonly "intersection_hits": readonly ExplainedData[];
  readonly stats: {
    readonly "fts_candidates": number;
    readonly "vec_candidates": number;
    readonly "intersection_count": number;
    readonly "cost_time": number;
  };
  readonly notices?: readonly string[];
}

/**
 * The explanation of a search, as `search --explain --json` prints it. The search must have been asked to explain its
 * answer.
 */
export function explanationResult(answer: SearchAnswer, language: Language): Answer<ExplanationData> {
  return {
    code: 200,
    message: message(language, answer.hits.length === 0 ? "no_match" : "search_ok"),
    data: explanationData(answer, language),
  };
}

function explanationData(answer: SearchAnswer, language: Language): ExplanationData {
  const { mode, fusion, model, reranker, terms, phrases, excluded, weights, chunks } = answer.explanation!;
  const lines = new Map(answer.hits.map(({ chunkId, totalLines }) => [chunkId, totalLines]));
  const listed = (list: readonly ExplainedChunk[]) =>
    list.slice(0, MAX_LISTED).map((chunk) => toData(chunk, lines.get(chunk.chunkId), language));
  const by = (found: ExplainedChunk["foundBy"]) => chunks.filter(({ foundBy }) => foundBy === found);
  const [keyword, vector, both] = [by("keyword"), by("vector"), by("both")];
  return {
    query: { terms, phrases, excluded },
    mode,
    ...(mode === "hybrid" && { fusion }),
    ...(model !== undefined && { model }),
    ...(reranker !== undefined && { reranker }),
    weights: weights as Record<string, number>,
    final_results: listed(chunks.filter(({ outcome }) => outcome === "shown")),
    fts_only_hits: listed(keyword),
    vec_only_hits: listed(vector),
    intersection_hits: listed(both),
    stats: {
      fts_candidates: keyword.length + both.length,
      vec_candidates: vector.length + both.length,
      intersection_count: both.length,
      cost_time: answer.seconds,
    },
    ...(answer.notices.length > 0 && { notices: answer.notices }),
  };
}

function toData(chunk: ExplainedChunk, totalLines: number | undefined, language: Language): ExplainedData {
  const legs = Object.entries(chunk.legs).map(([leg, { raw, share, rank }]) =>
    [leg, { value: raw, share, ...(rank !== undefined && { rank }) }] as const
  );
  return {
    rank: chunk.rank,
    file_path: chunk.filePath,
    chunk_id: chunk.chunkId,
    start_line: chunk.startLine,
    end_line: chunk.endLine,
    ...(totalLines !== undefined && { total_lines: totalLines }),
    ...(chunk.section.length > 0 && { section: chunk.section }),
    ...(chunk.page !== undefined && { page: chunk.page }),
    score: chunk.score,
    ...(chunk.rerank !== undefined && { rerank: rerankData(chunk.rerank) }),
    found_by: chunk.foundBy,
    outcome: chunk.outcome,
    reason: message(language, `outcome_${chunk.outcome}`),
    legs: Object.fromEntries(legs),
    ...(chunk.evidence !== undefined && { evidence: chunk.evidence }),
    ...(chunk.pairs !== undefined && { word_pairs: chunk.pairs }),
  };
}

function rerankData(
  { rankBefore, scoreBefore }: NonNullable<ExplainedChunk["rerank"]>,
): NonNullable<ExplainedData["rerank"]> {
  return { ...(rankBefore !== undefined && { rank_before: rankBefore }), score_before: scoreBefore };
}
