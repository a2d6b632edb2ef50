import { CITATIONS_DATA, citationsAnswer } from "../../answer/mod.ts";
import { argument, defineTool } from "../tool.ts";
import { CANDIDATES, QUERY_INPUT, queryRequest } from "./_query_input.ts";
import { answerSearch } from "./_search_answer.ts";

/** Passages as numbered citations, by words only. */
export const searchByKeyword = defineTool({
  name: "search_by_keyword",
  input: { ...QUERY_INPUT, "fts_topn": argument(CANDIDATES, "arg_fts_topn") },
  output: CITATIONS_DATA,
  run: (input, call, signal) =>
    answerSearch(queryRequest(input, "keyword"), input, call, signal, citationsAnswer),
});
