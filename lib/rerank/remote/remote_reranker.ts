import type { Config } from "../../config/mod.ts";
import {
  cutToTokens,
  type Fetch,
  guardedFetch,
  keepFromProxy,
  type RemoteServer,
  Retries,
  ServerFailure,
} from "../../remote/mod.ts";
import type { Reranker } from "../reranker.ts";
import { rerankServer } from "../server.ts";
import { bodyOf, type Dialect, readScores, rerankUrl, wantsTexts } from "./protocol.ts";

/** Tries after the first one. */
const MAX_RETRIES = 1;
/** Longest pause before the second try: until then the order before is the better answer. */
const MAX_WAIT_MS = 1000;
/** Estimated tokens of a question and of a passage that are sent. Question and passage share the model's window. */
const QUESTION_TOKENS = 128;
const PASSAGE_TOKENS = 1024;
/** The same for a passage after a server has refused a longer one: many rerankers have a window of 512. */
const SHORT_PASSAGE_TOKENS = 320;

/** A reranker on a server that has `POST {base_url}/rerank`. Nothing is sent before the first question. */
export class RemoteReranker implements Reranker {
  readonly id: string;
  readonly #server: RemoteServer;
  readonly #fetch: Fetch;
  readonly #retries = new Retries(MAX_RETRIES, MAX_WAIT_MS);
  #dialect: Dialect | undefined;
  #passageTokens = PASSAGE_TOKENS;

  constructor(rerank: Config["rerank"]) {
    this.#server = rerankServer(rerank);
    this.#fetch = guardedFetch(this.#server);
    this.#dialect = rerank.protocol === "auto" ? undefined : rerank.protocol;
    this.id = rerank.model === null ? "remote" : `remote/${rerank.model}`;
    keepFromProxy(this.#server.baseUrl);
  }

  async score(question: string, passages: readonly string[], signal: AbortSignal): Promise<Float64Array> {
    signal.throwIfAborted();
    const ask = () => this.#ask(cutToTokens(question, QUESTION_TOKENS), passages, signal);
    try {
      return await ask();
    } catch (error) {
      const isLonger = this.#passageTokens > SHORT_PASSAGE_TOKENS;
      if (!(error instanceof ServerFailure && error.kind === "too_long" && isLonger)) throw error;
      this.#passageTokens = SHORT_PASSAGE_TOKENS;
      return await ask();
    }
  }

  /**
   * Asks in the server's dialect. Until it is known, a server that does not understand the first one is asked in the other.
   */
  async #ask(question: string, passages: readonly string[], signal: AbortSignal): Promise<Float64Array> {
    const texts = passages.map((passage) => cutToTokens(passage, this.#passageTokens));
    const request = async (dialect: Dialect) => {
      const send = () => this.#send(bodyOf(dialect, this.#server.model, question, texts), signal);
      const scores = readScores(this.#server, await this.#retries.run(send, signal), texts.length);
      this.#dialect = dialect;
      return scores;
    };
    if (this.#dialect !== undefined) return await request(this.#dialect);
    try {
      return await request("jina");
    } catch (error) {
      if (!(error instanceof ServerFailure && wantsTexts(error))) throw error;
      return await request("tei");
    }
  }

  async #send(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string> {
    const { baseUrl, apiKey } = this.#server;
    const response = await this.#fetch(rerankUrl(baseUrl), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      signal,
    });
    return await response.text();
  }
}
