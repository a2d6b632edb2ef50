import type { McpServer } from "@modelcontextprotocol/server";
import { message } from "../../messages.ts";
import {
  EXPLANATION_DATA,
  explanationResult,
  explanationText,
  quotedAnswer,
  UNTRUSTED,
  untrusted,
} from "../../answer/mod.ts";
import { searchInput, searchRequest } from "./_search_input.ts";
import { addTool, type ToolContext } from "./_tool.ts";

/** Adds `explain_search`: why a search answers as it does, leg by leg, and what was left out. */
export function addExplainSearch(server: McpServer, context: ToolContext): void {
  const { language, library } = context;
  addTool(server, context, {
    name: "explain_search",
    title: message(language, "explain_search_title"),
    description: message(language, "explain_search_description"),
    input: searchInput(language),
    output: EXPLANATION_DATA.extend(UNTRUSTED),
    async run(input, signal) {
      const answer = await library.search({ ...searchRequest(input), explain: true }, signal);
      const result = explanationResult(answer, language);
      return {
        ...result,
        data: untrusted(language, result.data),
        text: quotedAnswer(({ tag, name }) =>
          `${message(language, "quoted_content", { tag })}\n${explanationText(answer, language, name)}`
        ),
      };
    },
  });
}
