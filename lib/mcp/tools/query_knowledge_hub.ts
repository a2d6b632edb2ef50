import * as z from "zod";
import { CITATIONS_DATA, citationsAnswer } from "../../answer/mod.ts";
import { argument, defineTool } from "../tool.ts";
import { imagesOf } from "./_hit_images.ts";
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
    "include_images": argument(z.boolean().optional(), "arg_include_images"),
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
