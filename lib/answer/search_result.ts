import { basename } from "node:path";
import * as z from "zod";
import { PAGE_UNITS } from "../document/mod.ts";
import { type Language, message } from "../messages.ts";
import type { Hit, MatchDegree, SearchAnswer } from "../search/mod.ts";
import type { Answer } from "./answer.ts";

/** The contract's values of `match_degree`; they are the same in both languages. `degree` says it in English. */
const DEGREES = { high: "高", medium: "中", low: "低" } as const satisfies Record<MatchDegree, string>;

/** Shape of `data` in the answer of a search. */
export const SEARCH_DATA = z.object({
  match_content: z.array(z.object({
    content: z.string(),
    match_degree: z.enum(["高", "中", "低"]),
    degree: z.enum(["high", "medium", "low"]),
    score: z.number(),
    file_path: z.string(),
    chunk_id: z.string(),
    start_line: z.int(),
    end_line: z.int(),
    total_lines: z.int().optional(),
    section: z.array(z.string()).optional(),
    page: z.int().optional(),
    page_start: z.int().optional(),
    page_end: z.int().optional(),
    page_unit: z.enum(PAGE_UNITS).optional(),
    page_label: z.string().optional(),
    recognised: z.literal(true).optional(),
    also_in: z.array(z.object({
      file_path: z.string(),
      start_line: z.int(),
      end_line: z.int(),
      page: z.int().optional(),
    })).optional(),
    outdated: z.literal(true).optional(),
    truncated: z.literal(true).optional(),
  })),
  file_info: z.array(z.object({ file_path: z.string(), file_name: z.string() })),
  stats: z.object({
    cost_time: z.number(),
    match_file_count: z.int(),
    match_chunk_count: z.int(),
    freshness: z.object({
      indexed_at: z.string(),
      state: z.enum(["current", "updating", "outdated", "unknown"]),
      newer_files: z.int().optional(),
    }).optional(),
  }),
  left_out: z.array(z.object({ file_path: z.string(), passages: z.int() })).optional(),
  suggestions: z.array(z.object({ word: z.string(), suggestion: z.string() })).optional(),
  next_cursor: z.string().optional(),
  notices: z.array(z.string()).optional(),
});

export type SearchData = z.output<typeof SEARCH_DATA>;

/**
 * The answer of a search in the contract's shape, as `search --json` prints it. A search that finds nothing is no failure:
 * its code is 200 and its lists are empty.
 */
export function searchResult(answer: SearchAnswer, language: Language): Answer<SearchData> {
  const paths = [...new Set(answer.hits.map((hit) => hit.filePath))];
  return {
    code: 200,
    message: message(language, answer.hits.length === 0 ? "no_match" : "search_ok"),
    data: {
      match_content: answer.hits.map(toContract),
      file_info: paths.map((path) => ({ file_path: path, file_name: basename(path) })),
      stats: {
        cost_time: shortened(answer.seconds),
        match_file_count: paths.length,
        match_chunk_count: answer.hits.length,
        ...(answer.freshness !== undefined && {
          freshness: freshnessData(answer.freshness),
        }),
      },
      ...(answer.leftOut !== undefined && {
        left_out: answer.leftOut.map(({ filePath, passages }) => ({ file_path: filePath, passages })),
      }),
      ...(answer.suggestions !== undefined && { suggestions: [...answer.suggestions] }),
      ...(answer.notices.length > 0 && { notices: [...answer.notices] }),
    },
  };
}

/** How current the indexes are that were searched. */
export function freshnessData(
  { indexedAt, state, newerFiles }: NonNullable<SearchAnswer["freshness"]>,
): NonNullable<SearchData["stats"]["freshness"]> {
  return {
    indexed_at: indexedAt.toISOString(),
    state,
    ...(newerFiles !== undefined && { newer_files: newerFiles }),
  };
}

function toContract(hit: Hit): SearchData["match_content"][number] {
  return {
    content: hit.content,
    match_degree: DEGREES[hit.degree],
    degree: hit.degree,
    score: shortened(hit.score),
    file_path: hit.filePath,
    chunk_id: hit.chunkId,
    start_line: hit.startLine,
    end_line: hit.endLine,
    ...(hit.totalLines !== undefined && { total_lines: hit.totalLines }),
    ...(hit.section.length > 0 && { section: [...hit.section] }),
    ...pageData(hit),
    ...(hit.recognised && { recognised: true }),
    ...(hit.also !== undefined && {
      also_in: hit.also.map((place) => ({
        file_path: place.filePath,
        start_line: place.startLine,
        end_line: place.endLine,
        ...(place.page !== undefined && { page: place.page }),
      })),
    }),
    ...(hit.outdated && { outdated: true }),
    ...(hit.truncated && { truncated: true }),
  };
}

/** The pages of a hit. `page` is that of its best sentence. */
export function pageData(
  { page, pageStart, pageEnd, pageUnit, pageLabel }: Hit,
): Pick<
  SearchData["match_content"][number],
  "page" | "page_start" | "page_end" | "page_unit" | "page_label"
> {
  if (page === undefined) return {};
  return {
    page,
    page_start: pageStart ?? page,
    page_end: pageEnd ?? page,
    ...(pageUnit !== undefined && { page_unit: pageUnit }),
    ...(pageLabel !== undefined && { page_label: pageLabel }),
  };
}

/** A number with four decimal places. The others cost tokens and say nothing. */
function shortened(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
