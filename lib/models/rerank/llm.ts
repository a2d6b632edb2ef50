/**
 * A language model as reranker: the request, and the judgements read from its answer.
 */
import { APICallError, generateText } from "ai";
import type { Config } from "#foundation/configuration/mod.ts";
import { languageOfText } from "#foundation/messages/mod.ts";
import { filledPrompt, fittedValues, loadPrompt } from "#models/language/mod.ts";
import {
  type Fetch,
  guardedFetch,
  keepFromProxy,
  oddAnswer,
  openaiCompatible,
  type RemoteServer,
  ServerFailure,
  serverWords,
} from "#models/remote/mod.ts";
import { type Judgement, type Reranker, RerankFailure, rerankServer, scoresOf } from "./reranker.ts";

/** Estimated tokens of a question and of a passage that are sent: 30 passages fit into a window of 16,384 tokens. */
const QUESTION_TOKENS = 256;
const PASSAGE_TOKENS = 400;

/**
 * A language model behind `POST {base_url}/chat/completions` that is asked for a number for each passage, by the prompt of the task
 * `rerank`. It has no tools, and its answer decides nothing but the order.
 */
export class LlmReranker implements Reranker {
  readonly id: string;
  readonly #server: RemoteServer;
  readonly #fetch: Fetch;
  readonly #prompts: string | null;

  /** `prompts`: the folder of the user's prompts. */
  constructor(rerank: Config["rerank"], prompts: string | null) {
    this.#prompts = prompts;
    this.#server = rerankServer(rerank);
    this.#fetch = guardedFetch(this.#server);
    this.id = `llm/${this.#server.model}`;
    keepFromProxy(this.#server.baseUrl);
  }

  async score(question: string, passages: readonly string[], signal: AbortSignal): Promise<Float64Array> {
    signal.throwIfAborted();
    const server = this.#server;
    const prompt = await loadPrompt("rerank", languageOfText(question), this.#prompts);
    const each = { question: QUESTION_TOKENS, passages: PASSAGE_TOKENS };
    const values = fittedValues(prompt, "", { question, passages }, { total: Infinity, each });
    try {
      const { text } = await generateText({
        model: (await openaiCompatible(server, this.#fetch)).chatModel(server.model),
        ...filledPrompt(prompt, "", values),
        temperature: 0,
        maxRetries: 0,
        abortSignal: signal,
      });
      return judgementsIn(text, passages.length, server.address);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ServerFailure) throw error;
      // The SDK throws errors of several classes for an answer without a text.
      throw oddAnswer(server, APICallError.isInstance(error) ? error.responseBody ?? "" : "");
    }
  }
}

/** Reasoning models write their thoughts before the answer. Tags that are not closed leave no answer. */
const THOUGHTS = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;

/**
 * Returns the judgements in a model's answer for passages 1 to `count`, from 0 to 1. Models do not always keep to the form:
 * JSON may stand in a code block or after a sentence, be a list in the order of the passages or of `{id, score}`, be inside
 * another object, and have its numbers in quotation marks. Throws {@linkcode RerankFailure}: `bad_answer` without JSON,
 * `incomplete` and `not_numbers` unless each passage has one number from 0 to {@linkcode BEST}.
 */
export function judgementsIn(answer: string, count: number, url: string): Float64Array {
  const judgements = lastJson(answer.replace(THOUGHTS, ""), count);
  if (judgements === undefined) {
    throw new RerankFailure("bad_answer", { url, words: serverWords(answer, []) });
  }
  const scores = scoresOf(judgements, count, url);
  if (scores.some((score) => score < 0 || score > BEST)) throw new RerankFailure("not_numbers", { url });
  return scores.map((score) => score / BEST);
}

/** Returns the judgements in the last JSON value of a text, which contains no other brackets after it. */
function lastJson(text: string, count: number): readonly Judgement[] | undefined {
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  for (let start = end, tries = 0; start >= 0 && tries < MAX_TRIES; tries++) {
    // Inner values come first, so that a brace in a sentence before the answer does no harm.
    start = Math.max(text.lastIndexOf("{", start - 1), text.lastIndexOf("[", start - 1));
    if (start < 0 || end - start > MAX_JSON_CHARS) break;
    const judgements = judgementsOf(parsed(text.slice(start, end + 1)), count);
    if (judgements !== undefined) return judgements;
    if (start === 0) break;
  }
  return undefined;
}

/** UTF-16 units of the longest JSON that is tried, and the most brackets that it may begin with: one for each passage. */
const MAX_JSON_CHARS = 50_000;
const MAX_TRIES = 500;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the judgements in a value, in any of the forms; `undefined` for other values. */
function judgementsOf(value: unknown, count: number): readonly Judgement[] | undefined {
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== "object");
    // A short list may be a part of the answer, such as the numbers of the best passages.
    if (isPlain) return value.length === count ? value.map(judgement) : undefined;
    return value.map((item) => {
      const { id, passage, index, score, relevance, rating } = (item ?? {}) as Record<string, unknown>;
      return judgement(score ?? relevance ?? rating, Number(id ?? passage ?? index) - 1);
    });
  }
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value);
  const numbered = entries.filter(([name]) => /^(?:passage[ -]?)?\d{1,4}$/i.test(name));
  if (numbered.length > 0) {
    return numbered.map(([name, score]) => judgement(score, Number(name.replace(/\D/g, "")) - 1));
  }
  const lists = entries.flatMap(([, inner]) => {
    const found = typeof inner === "object" ? judgementsOf(inner, count) : undefined;
    return found === undefined ? [] : [found];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

function judgement(score: unknown, index: number): Judgement {
  const isText = typeof score === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(score);
  return { index, score: isText ? Number(score) : score };
}

/** The best judgement that the model may give. */
const BEST = 10;
