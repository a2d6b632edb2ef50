import * as z from "zod";
import { CITATIONS_DATA, citationsAnswer } from "../../answer/mod.ts";
import { defineTool } from "../tool.ts";
import { imagesOf } from "./_hit_images.ts";
import { ALPHA, CANDIDATES, QUERY_INPUT, queryRequest, UNLISTED_QUERY } from "./_query_input.ts";
import { answerSearch } from "./_search_answer.ts";

/** Passages as numbered citations, by words and meaning. */
export const queryKnowledgeHub = defineTool({
  name: "query_knowledge_hub",
  isDefault: true,
  // It is in the list of every client: its description names the arguments that few need.
  input: {
    ...QUERY_INPUT,
    ...UNLISTED_QUERY,
    alpha: ALPHA,
    "fts_topn": CANDIDATES,
    "vec_topn": CANDIDATES,
    "include_images": z.boolean().optional(),
  },
  output: CITATIONS_DATA,
  async run({ include_images: withImages = false, ...input }, call, signal) {
    const { library, language } = call;
    const answer = await answerSearch(
      queryRequest(input),
      input,
      call,
      signal,
      citationsAnswer,
    );
    if (!withImages) return answer;
    const { images, content, notices } = await imagesOf(answer.data.citations, library, language, signal);
    return {
      ...answer,
      ...(images.length > 0 && { data: { ...answer.data, images } }),
      text: [answer.text, ...notices].join("\n\n"),
      more: content,
      ...(notices.length > 0 && { hints: notices }),
    };
  },
});
