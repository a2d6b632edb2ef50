/**
 * The tool that checks a draft of an answer against passages, without a model.
 */
import * as z from "zod";
import { CHECKED_DATA, checkedAnswer } from "#library/answer/mod.ts";
import { MAX_QUERY_CHARS } from "#foundation/constants.ts";
import {
  answerLimit,
  argument,
  defineTool,
  READ_TOKENS,
  searchModules,
  UNLISTED_MAX_TOKENS,
} from "../tool.ts";
import { collectionArgument } from "./folder_tools.ts";

/** Each sentence of an answer with its verdict and what the passages say. */
export const verifyAnswer = defineTool({
  input: {
    answer: argument(z.string(), "arg_answer"),
    "chunk_ids": argument(z.array(z.string()).optional(), "arg_chunk_ids"),
    passages: argument(z.array(z.string()).optional(), "arg_passages"),
    question: argument(z.string().max(MAX_QUERY_CHARS).optional(), "arg_question"),
    // As in a search, and not listed again.
    collection: collectionArgument().optional(),
    ...UNLISTED_MAX_TOKENS,
  },
  output: CHECKED_DATA,
  async run(
    { answer, chunk_ids: chunkIds, passages, question, collection, max_tokens: asked },
    call,
    signal,
  ) {
    const { library, language, log } = call;
    const { checkAnswer } = await searchModules();
    const texts = passages?.map((text) => ({ text }));
    const request = { answer, chunkIds, passages: texts, question, collections: collection };
    const checked = await checkAnswer(library, request, signal);
    log.info("verify_answer", { sentences: checked.sentences.length, passages: checked.passages });
    return checkedAnswer(checked, language, answerLimit(call, asked, READ_TOKENS));
  },
});
