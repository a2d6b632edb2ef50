import * as z from "zod";
import { briefExplanation } from "../../answer/mod.ts";
import { answerLimit, defineTool, SEARCH_TOKENS } from "../tool.ts";
import { EXPLAIN_INPUT, searchRequest } from "./_search_input.ts";

/** Tokens of an explanation in each form, unless more are asked for. */
const EXPLANATION_TOKENS = 1_350;

/** How a search came to its answer: the ranks and scores of each leg, and the reasons for leaving chunks out. */
export const explainSearch = defineTool({
  name: "explain_search",
  isDefault: true,
  input: EXPLAIN_INPUT,
  output: z.looseObject({ final_results: z.array(z.looseObject({ rank: z.int() })) }),
  async run(input, call, signal) {
    const { library, language } = call;
    const found = await library.search({ ...searchRequest(input), explain: true }, signal);
    return briefExplanation(
      found,
      language,
      answerLimit(call, input.max_tokens ?? EXPLANATION_TOKENS, SEARCH_TOKENS),
    );
  },
});
