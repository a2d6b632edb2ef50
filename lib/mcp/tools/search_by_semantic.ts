import { CITATIONS_DATA, citationsAnswer } from "../../answer/mod.ts";
import { argument, defineTool } from "../tool.ts";
import { CANDIDATES, QUERY_INPUT, queryRequest } from "./_query_input.ts";
import { answerSearch } from "./_search_answer.ts";

/** Passages as numbered citations, by meaning only. */
export const searchBySemantic = defineTool({
  name: "search_by_semantic",
  input: { ...QUERY_INPUT, "vec_topn": argument(CANDIDATES, "arg_vec_topn") },
  output: CITATIONS_DATA,
  run: (input, call, signal) =>
    answerSearch(queryRequest(input, "semantic"), input, call, signal, citationsAnswer),
});
