import { APICallError, generateText } from "ai";
import type { Config } from "../../config/mod.ts";
import {
  answerFailure,
  cutToTokens,
  type Fetch,
  guardedFetch,
  keepFromProxy,
  openaiCompatible,
  type RemoteServer,
  ServerFailure,
  serverWords,
} from "../../remote/mod.ts";
import { type Reranker, RerankFailure } from "../reranker.ts";
import { rerankServer } from "../server.ts";
import { judgementsIn } from "./judgements.ts";
import { rerankPrompt } from "./prompt.ts";

/** Estimated tokens of a question and of a passage that are sent: 30 passages fit into a window of 16,384 tokens. */
const QUESTION_TOKENS = 256;
const PASSAGE_TOKENS = 400;

/**
 * A language model behind `POST {base_url}/chat/completions` that is asked for a number for each passage. It has no tools,
 * and its answer decides nothing but the order.
 */
export class LlmReranker implements Reranker {
  readonly id: string;
  readonly #server: RemoteServer;
  readonly #fetch: Fetch;

  constructor(rerank: Config["rerank"]) {
    this.#server = rerankServer(rerank);
    this.#fetch = guardedFetch(this.#server);
    this.id = `llm/${this.#server.model}`;
    keepFromProxy(this.#server.baseUrl);
  }

  async score(question: string, passages: readonly string[], signal: AbortSignal): Promise<Float64Array> {
    signal.throwIfAborted();
    const server = this.#server;
    const texts = passages.map((passage) => cutToTokens(passage, PASSAGE_TOKENS));
    const nonce = crypto.getRandomValues(new Uint8Array(6)).toHex();
    try {
      const { text } = await generateText({
        model: (await openaiCompatible(server, this.#fetch)).chatModel(server.model),
        ...rerankPrompt(cutToTokens(question, QUESTION_TOKENS), texts, nonce),
        temperature: 0,
        maxRetries: 0,
        abortSignal: signal,
      });
      return judgementsIn(text, texts.length, server.address);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ServerFailure) throw error;
      // The SDK throws errors of several classes for an answer without a text.
      throw notAnAnswer(server, APICallError.isInstance(error) ? error.responseBody ?? "" : "");
    }
  }
}

/** Returns the failure for an answer of status 200 that is not one of the protocol. */
function notAnAnswer(server: RemoteServer, body: string): Error {
  const url = server.address;
  if (/^\s*</.test(body)) return new RerankFailure("wrong_address", { url, words: "HTML" });
  if (/"(?:error|detail)"\s*:/.test(body)) return answerFailure(server, 400, body);
  return new RerankFailure("bad_answer", { url, words: serverWords(body, server.secrets) });
}
