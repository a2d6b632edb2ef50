/**
 * The tool that has the configured language model answer from the documents.
 */
import * as z from "zod";
import { TOP_K } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { languageOfText } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { answerText, ask, ASKED_DATA, askedAnswer } from "#library/ask/mod.ts";
import { MAX_QUERY_CHARS } from "#foundation/constants.ts";
import {
  answerLimit,
  argument,
  defineTool,
  FILTERS_ARGUMENT,
  SEARCH_TOKENS,
  UNLISTED_MAX_TOKENS,
} from "../tool.ts";
import { collectionArgument } from "./folder_tools.ts";

/** Earlier turns of a conversation that are read, and UTF-16 units of an answer among them. */
const TURNS = 20, ANSWER_CHARS = 20_000;
/** UTF-16 units at the end of an unfinished answer in a notice of progress. */
const SHOWN_CHARS = 2000;

/** An answer with citations, each sentence compared with the passages. */
export const askTool = defineTool({
  input: {
    question: argument(z.string().max(MAX_QUERY_CHARS), "arg_ask_question"),
    history: argument(
      z.array(z.object({
        question: z.string().max(MAX_QUERY_CHARS),
        answer: z.string().max(ANSWER_CHARS).optional(),
      })).max(TURNS).optional(),
      "arg_history",
    ),
    "top_k": argument(z.int().min(TOP_K.min).max(TOP_K.max).optional(), "arg_top_k"),
    collection: argument(collectionArgument().optional(), "arg_collections"),
    filters: argument(FILTERS_ARGUMENT, "arg_filters"),
    ...UNLISTED_MAX_TOKENS,
  },
  output: ASKED_DATA,
  async run(input, call, signal) {
    const { library, language, log, answering } = call;
    const { question, history, top_k: topK, collection: collections, filters } = input;
    if (question.trim() === "") throw new UserError("empty_query");
    if (answering === undefined) throw new UserError("ask_no_model");
    const given: Parameters<typeof answerText>[0]["sentences"][number][] = [];
    const request = present({
      query: question,
      topK,
      collections,
      filters: filters && { json: filters },
      history,
    });
    const asked = await ask({ ...request, traceParent: call.traceParent }, {
      ...answering,
      library,
      signal,
      onSentence: (sentence) => {
        given.push(sentence);
        const text = answerText({ sentences: given, language: languageOfText(question) });
        call.progress({ done: given.length, message: text.slice(-SHOWN_CHARS).toWellFormed() });
      },
    });
    log.info("ask", { status: asked.status, passages: asked.hits.length, ...asked.usage });
    return askedAnswer(asked, language, answerLimit(call, input.max_tokens, SEARCH_TOKENS));
  },
});
