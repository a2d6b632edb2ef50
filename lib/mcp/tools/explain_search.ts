import { EXPLANATION_DATA, explanationResult, explanationText } from "../../answer/mod.ts";
import { quotedAnswer, UNTRUSTED, untrusted } from "../../answer/mod.ts";
import { message } from "../../messages.ts";
import { defineTool } from "../tool.ts";
import { SEARCH_INPUT, searchRequest } from "./_search_input.ts";

/** How a search came to its answer: the ranks and scores of each leg, and the reasons for leaving chunks out. */
export const explainSearch = defineTool({
  name: "explain_search",
  input: SEARCH_INPUT,
  output: EXPLANATION_DATA.extend(UNTRUSTED),
  async run(input, { library, language }, signal) {
    const found = await library.search({ ...searchRequest(input), explain: true }, signal);
    const result = explanationResult(found, language);
    return {
      ...result,
      data: untrusted(result.data, language),
      text: quotedAnswer(({ tag, name }) =>
        `${message(language, "quoted_content", { tag })}\n${explanationText(found, language, name)}`
      ),
    };
  },
});
