import { DECLARED_SEARCH_DATA, searchAnswer } from "../../answer/mod.ts";
import { defineTool } from "../tool.ts";
import { answerSearch } from "./_search_answer.ts";
import { SEARCH_INPUT, searchRequest } from "./_search_input.ts";

/** Passages of the served folders that answer a question. */
export const searchRag = defineTool({
  name: "search_rag",
  isDefault: true,
  input: SEARCH_INPUT,
  output: DECLARED_SEARCH_DATA,
  run: (input, call, signal) => answerSearch(searchRequest(input), input, call, signal, searchAnswer),
});
