import { BRIEF_EXPLANATION_DATA, briefExplanation } from "../../answer/mod.ts";
import { defineTool } from "../tool.ts";
import { EXPLAIN_INPUT, searchRequest } from "./_search_input.ts";

/** How a search came to its answer: the ranks and scores of each leg, and the reasons for leaving chunks out. */
export const explainSearch = defineTool({
  name: "explain_search",
  input: EXPLAIN_INPUT,
  output: BRIEF_EXPLANATION_DATA,
  async run(input, { library, language }, signal) {
    const found = await library.search({ ...searchRequest(input), explain: true }, signal);
    return briefExplanation(found, language);
  },
});
