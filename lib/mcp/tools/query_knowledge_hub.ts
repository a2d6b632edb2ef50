import { CITATIONS_DATA, citationsAnswer } from "../../answer/mod.ts";
import { argument, defineTool } from "../tool.ts";
import { ALPHA, CANDIDATES, QUERY_INPUT, queryRequest } from "./_query_input.ts";
import { answerSearch } from "./_search_answer.ts";

/** Passages as numbered citations, by words and meaning. */
export const queryKnowledgeHub = defineTool({
  name: "query_knowledge_hub",
  input: {
    ...QUERY_INPUT,
    alpha: argument(ALPHA, "arg_alpha"),
    "fts_topn": argument(CANDIDATES, "arg_fts_topn"),
    "vec_topn": argument(CANDIDATES, "arg_vec_topn"),
  },
  output: CITATIONS_DATA,
  run: (input, call, signal) => answerSearch(queryRequest(input), input, call, signal, citationsAnswer),
});
