import * as z from "zod";
import { SEARCH_MODES, TOP_K } from "../../config/mod.ts";
import { UserError } from "../../errors.ts";
import { MAX_QUERY_CHARS, QUERY_LANGUAGES, type SearchRequest } from "../../search/types.ts";
import { argument, MAX_TOKENS, UNLISTED_MAX_TOKENS } from "../tool.ts";
import { ALPHA, CANDIDATES, PER_DOC_LIMIT, type RankingArguments, rankingOf } from "./_query_input.ts";

/** Arguments of `search_rag`. */
export const SEARCH_INPUT = {
  keyword: argument(z.string().max(MAX_QUERY_CHARS), "arg_keyword"),
  "dir_path": argument(z.string().optional(), "arg_dir_path"),
  "top_k": argument(z.int().min(TOP_K.min).max(TOP_K.max).optional(), "arg_top_k"),
  mode: argument(z.enum(SEARCH_MODES).optional(), "arg_mode"),
  path: argument(z.string().optional(), "arg_path"),
  type: argument(z.string().optional(), "arg_type"),
  lang: argument(z.enum(QUERY_LANGUAGES).optional(), "arg_lang"),
  after: argument(z.string().optional(), "arg_after"),
  before: argument(z.string().optional(), "arg_before"),
  ...MAX_TOKENS,
  cursor: argument(z.string().optional(), "arg_cursor"),
};

/** Arguments of `explain_search`. The description of the tool says which others it takes. */
export const EXPLAIN_INPUT = {
  keyword: argument(SEARCH_INPUT.keyword, "arg_as_in_search"),
  "dir_path": z.string().optional(),
  "top_k": z.int().min(TOP_K.min).max(TOP_K.max).optional(),
  mode: z.enum(SEARCH_MODES).optional(),
  path: z.string().optional(),
  type: z.string().optional(),
  lang: z.enum(QUERY_LANGUAGES).optional(),
  after: z.string().optional(),
  before: z.string().optional(),
  ...UNLISTED_MAX_TOKENS,
  alpha: ALPHA,
  "fts_topn": CANDIDATES,
  "vec_topn": CANDIDATES,
  "per_doc_limit": PER_DOC_LIMIT,
};

/** The library's request for these arguments. Throws `UserError` `empty_query`. */
export function searchRequest(
  input: z.output<z.ZodObject<Omit<typeof EXPLAIN_INPUT, keyof RankingArguments>>> & RankingArguments,
): SearchRequest {
  const { keyword, dir_path, top_k, mode, path, type, lang, after, before } = input;
  const ranking = rankingOf(input);
  const filters = { path, type, lang, after, before };
  if (keyword.trim() === "") throw new UserError("empty_query");
  return {
    query: keyword,
    ...(dir_path !== undefined && { dirPath: dir_path }),
    ...(top_k !== undefined && { topK: top_k }),
    ...(mode !== undefined && { mode }),
    ...(Object.values(filters).some((value) => value !== undefined) && { filters }),
    ...(ranking !== undefined && { ranking }),
  };
}
