import * as z from "zod";
import { TOP_K } from "../../config/mod.ts";
import { UserError } from "../../errors.ts";
import {
  MAX_QUERY_CHARS,
  QUERY_LANGUAGES,
  type RankingSettings,
  type SearchFilters,
  type SearchMode,
  type SearchRequest,
} from "../../search/types.ts";
import { argument, MAX_TOKENS, UNLISTED_MAX_TOKENS } from "../tool.ts";
import { collectionArgument } from "./_collection.ts";

/** Most passages of a file: the argument `per_doc_limit`. */
export const PER_DOC_LIMIT = z.int().min(1).max(100).optional();

const FILTERS = z.object({
  path: z.string().optional(),
  type: z.string().optional(),
  lang: z.enum(QUERY_LANGUAGES).optional(),
  after: z.string().optional(),
  before: z.string().optional(),
}).optional();

/** Arguments of the tools that answer with citations which `query_knowledge_hub` does not list. */
export const UNLISTED_QUERY = {
  filters: FILTERS,
  "per_doc_limit": PER_DOC_LIMIT,
  "min_degree": z.enum(["high", "medium", "low"]).optional(),
  "snippet_chars": z.int().min(20).max(100_000).optional(),
  ...UNLISTED_MAX_TOKENS,
  cursor: z.string().optional(),
};

/** Arguments of the tools that answer with citations. */
export const QUERY_INPUT = {
  query: argument(z.string().max(MAX_QUERY_CHARS), "arg_keyword"),
  "top_k": argument(z.int().min(TOP_K.min).max(TOP_K.max).optional(), "arg_top_k"),
  collection: argument(collectionArgument().optional(), "arg_collections"),
  filters: argument(FILTERS, "arg_filters"),
  "per_doc_limit": argument(PER_DOC_LIMIT, "arg_per_doc_limit"),
  "min_degree": argument(UNLISTED_QUERY["min_degree"], "arg_min_degree"),
  "snippet_chars": argument(UNLISTED_QUERY["snippet_chars"], "arg_snippet_chars"),
  ...MAX_TOKENS,
  cursor: argument(z.string().optional(), "arg_cursor"),
};

/** Candidates of a leg: the argument `fts_topn` or `vec_topn`. */
export const CANDIDATES = z.int().min(1).max(1000).optional();

/** Weight of the vectors: the argument `alpha`. */
export const ALPHA = z.number().min(0).max(1).optional();

/** The arguments that set the ranking of a search. */
export interface RankingArguments {
  readonly alpha?: number | undefined;
  readonly "fts_topn"?: number | undefined;
  readonly "vec_topn"?: number | undefined;
  readonly "per_doc_limit"?: number | undefined;
}

/** The settings of the ranking among the arguments of a call; `undefined` without any. */
export function rankingOf(input: RankingArguments): RankingSettings | undefined {
  const { alpha, fts_topn, vec_topn, per_doc_limit } = input;
  const ranking = given({ alpha, fts_topn, vec_topn, per_doc_limit });
  return Object.keys(ranking).length === 0 ? undefined : ranking as RankingSettings;
}

type Query = z.output<z.ZodObject<typeof QUERY_INPUT>> & RankingArguments;

/** The library's request for these arguments. Throws `UserError` `empty_query`. */
export function queryRequest(input: Query, mode?: SearchMode): SearchRequest {
  const { query, top_k: topK, collection, filters } = input;
  if (query.trim() === "") throw new UserError("empty_query");
  const ranking = rankingOf(input);
  return {
    query,
    ...(topK !== undefined && { topK }),
    ...(mode !== undefined && { mode }),
    ...(collection !== undefined && { collections: collection }),
    ...(filters !== undefined && { filters: given(filters) as SearchFilters }),
    ...(ranking !== undefined && { ranking }),
  };
}

function given(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
