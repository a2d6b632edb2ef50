import * as z from "zod";
import { SEARCH_MODES, TOP_K } from "../../config/mod.ts";
import { UserError } from "../../errors.ts";
import { type Language, message } from "../../messages.ts";
import { MAX_QUERY_CHARS, QUERY_LANGUAGES, type SearchRequest } from "../../search/types.ts";

/** What `search_rag` and `explain_search` take; a request that names no filter is the contract's. */
export function searchInput(language: Language) {
  const text = (key: `arg_${"path" | "type" | "after" | "before"}`) =>
    z.string().optional().describe(message(language, key));
  return z.strictObject({
    keyword: z.string().max(MAX_QUERY_CHARS).describe(message(language, "arg_keyword")),
    dir_path: z.string().optional().describe(message(language, "arg_dir_path")),
    top_k: z.int().min(TOP_K.min).max(TOP_K.max).optional().describe(message(language, "arg_top_k")),
    mode: z.enum(SEARCH_MODES).optional().describe(message(language, "arg_mode")),
    path: text("arg_path"),
    type: text("arg_type"),
    lang: z.enum(QUERY_LANGUAGES).optional().describe(message(language, "arg_lang")),
    after: text("arg_after"),
    before: text("arg_before"),
  });
}

/** The request that the arguments are. Throws `UserError` `empty_query`. */
export function searchRequest(input: z.output<ReturnType<typeof searchInput>>): SearchRequest {
  const { keyword, dir_path, top_k, mode, ...filters } = input;
  if (keyword.trim() === "") throw new UserError("empty_query");
  return {
    query: keyword,
    ...(dir_path !== undefined && { dirPath: dir_path }),
    ...(top_k !== undefined && { topK: top_k }),
    ...(mode !== undefined && { mode }),
    ...(Object.values(filters).some((value) => value !== undefined) && { filters }),
  };
}
