import { MARKED_SEARCH_DATA, searchAnswer } from "../../answer/mod.ts";
import { logSearch } from "../../log/mod.ts";
import { defineTool } from "../tool.ts";
import { SEARCH_INPUT, searchRequest } from "./_search_input.ts";

/** Passages of the served folders that answer a question. */
export const searchRag = defineTool({
  name: "search_rag",
  input: SEARCH_INPUT,
  output: MARKED_SEARCH_DATA,
  async run(input, { library, language, log }, signal) {
    const found = await library.search(searchRequest(input), signal);
    logSearch(log, input.keyword, found);
    return searchAnswer(found, language);
  },
});
