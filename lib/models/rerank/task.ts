/**
 * The task `rerank` of a language model: a number for each passage, in a form that the server holds the model to.
 */
import * as z from "zod";
import { languageOfText } from "#foundation/messages/mod.ts";
import { filledPrompt, fittedValues, type LanguageModel, loadPrompt } from "#models/language/mod.ts";
import type { Reranker } from "./reranker.ts";

/** The best judgement that the model may give. */
const BEST = 10;
/** Estimated tokens of a question and of a passage that are sent: 20 passages fit into a window of 8,192 tokens. */
const QUESTION_TOKENS = 256;
const PASSAGE_TOKENS = 300;
/** Tokens of the judgement of a passage, and those around all of them. */
const JUDGEMENT_TOKENS = 12;
const FRAME_TOKENS = 200;

/** A language model that is asked how well passages answer a question. Its answer decides nothing but the order. */
export class TaskReranker implements Reranker {
  readonly id: string;
  readonly #model: LanguageModel;
  readonly #prompts: string | null;

  /** `prompts`: the folder of the user's prompts. */
  constructor(model: LanguageModel, prompts: string | null) {
    this.id = model.id;
    this.#model = model;
    this.#prompts = prompts;
  }

  async score(question: string, passages: readonly string[], signal: AbortSignal): Promise<Float64Array> {
    const prompt = await loadPrompt("rerank", languageOfText(question), this.#prompts);
    const maxOutputTokens = FRAME_TOKENS + JUDGEMENT_TOKENS * passages.length;
    const values = fittedValues(prompt, "", { question, passages }, {
      total: this.#model.contextTokens - maxOutputTokens,
      each: { question: QUESTION_TOKENS, passages: PASSAGE_TOKENS },
    });
    const names = passages.map((_, i) => String(i + 1));
    const schema = z.object(Object.fromEntries(names.map((name) => [name, z.number().min(0).max(BEST)])));
    const request = { task: "rerank", ...filledPrompt(prompt, "", values), maxOutputTokens, signal } as const;
    const { value } = await this.#model.object(request, schema);
    return Float64Array.from(names, (name) => value[name]! / BEST);
  }
}
