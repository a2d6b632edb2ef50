import * as z from "zod";
import { type Language, message } from "../messages.ts";
import type { ExplainedChunk, SearchAnswer } from "../search/mod.ts";
import type { Answer } from "./answer.ts";

/** Chunks in each list of an explanation; lower ranks explain nothing. */
const MAX_LISTED = 20;

const LEG = z.object({ value: z.number(), share: z.number(), rank: z.int().optional() });

const CHUNK = z.object({
  rank: z.int(),
  file_path: z.string(),
  chunk_id: z.string(),
  start_line: z.int(),
  end_line: z.int(),
  section: z.array(z.string()).optional(),
  score: z.number(),
  found_by: z.enum(["keyword", "vector", "both"]),
  outcome: z.enum([
    "shown",
    "joined",
    "file_limit",
    "twice",
    "same_text",
    "unlike",
    "below_top_k",
    "char_cap",
  ]),
  reason: z.string(),
  legs: z.record(z.string(), LEG),
  word_pairs: z.array(z.object({ query: z.string(), chunk: z.string(), cosine: z.number() })).optional(),
});

/** Shape of `data` in an answer of `explain_search`. */
export const EXPLANATION_DATA = z.object({
  query: z.object({
    terms: z.array(z.object({ term: z.string(), weight: z.number() })),
    phrases: z.array(z.string()),
    excluded: z.array(z.string()),
  }),
  mode: z.enum(["hybrid", "keyword", "semantic"]),
  fusion: z.enum(["weighted", "rrf"]).optional(),
  model: z.string().optional(),
  weights: z.record(z.string(), z.number()),
  final_results: z.array(CHUNK),
  fts_only_hits: z.array(CHUNK),
  vec_only_hits: z.array(CHUNK),
  intersection_hits: z.array(CHUNK),
  stats: z.object({
    fts_candidates: z.int(),
    vec_candidates: z.int(),
    intersection_count: z.int(),
    cost_time: z.number(),
  }),
  notices: z.array(z.string()).optional(),
});

export type ExplanationData = z.output<typeof EXPLANATION_DATA>;

/**
 * The explanation of a search, as `search --explain --json` prints it. The search must have been asked to explain its answer.
 */
export function explanationResult(answer: SearchAnswer, language: Language): Answer<ExplanationData> {
  return {
    code: 200,
    message: message(language, answer.hits.length === 0 ? "no_match" : "search_ok"),
    data: explanationData(answer, language),
  };
}

function explanationData(answer: SearchAnswer, language: Language): ExplanationData {
  const { mode, fusion, model, terms, phrases, excluded, weights, chunks } = answer.explanation!;
  const listed = (list: readonly ExplainedChunk[]) =>
    list.slice(0, MAX_LISTED).map((chunk) => toData(chunk, language));
  const by = (found: ExplainedChunk["foundBy"]) => chunks.filter(({ foundBy }) => foundBy === found);
  const [keyword, vector, both] = [by("keyword"), by("vector"), by("both")];
  return {
    query: { terms: terms.map((term) => ({ ...term })), phrases: [...phrases], excluded: [...excluded] },
    mode,
    ...(mode === "hybrid" && { fusion }),
    ...(model !== undefined && { model }),
    weights: { ...weights },
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
    ...(answer.notices.length > 0 && { notices: [...answer.notices] }),
  };
}

function toData(chunk: ExplainedChunk, language: Language): ExplanationData["final_results"][number] {
  const legs = Object.entries(chunk.legs).map(([leg, { raw, share, rank }]) =>
    [leg, { value: raw, share, ...(rank !== undefined && { rank }) }] as const
  );
  return {
    rank: chunk.rank,
    file_path: chunk.filePath,
    chunk_id: chunk.chunkId,
    start_line: chunk.startLine,
    end_line: chunk.endLine,
    ...(chunk.section.length > 0 && { section: [...chunk.section] }),
    score: chunk.score,
    found_by: chunk.foundBy,
    outcome: chunk.outcome,
    reason: message(language, `outcome_${chunk.outcome}`),
    legs: Object.fromEntries(legs),
    ...(chunk.pairs !== undefined && { word_pairs: chunk.pairs.map((pair) => ({ ...pair })) }),
  };
}
