/**
 * A server with `/rerank` as reranker, in the dialects that servers speak.
 */
import type { Config } from "#foundation/configuration/mod.ts";
import {
  cutToTokens,
  type Fetch,
  guardedFetch,
  keepFromProxy,
  oddAnswer,
  type RemoteServer,
  Retries,
  ServerFailure,
  serverWords,
} from "#models/remote/mod.ts";
import {
  type Judgement,
  type Reranker,
  RerankFailure,
  rerankServer,
  scoresOf,
  toShares,
} from "./reranker.ts";

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

  /** Asks in the server's dialect. Until it is known, a server that does not understand the first one is asked in the other. */
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

/** The fields of a request. `jina` is also the protocol of Cohere, vLLM, llama.cpp and SiliconFlow. */
type Dialect = "jina" | "tei";

/** Returns the body of a request. Passages that are too long are cut by the server where the dialect can ask for it. */
function bodyOf(
  dialect: Dialect,
  model: string,
  question: string,
  passages: readonly string[],
): Readonly<Record<string, unknown>> {
  if (dialect === "tei") return { query: question, texts: passages, truncate: true };
  return { ...(model === "" ? {} : { model }), query: question, documents: passages, top_n: passages.length };
}

/** Returns the address of requests: `/rerank` below the configured address, unless that already ends in it. */
function rerankUrl(baseUrl: string): URL {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = /\/reranks?$/.test(path) ? path : `${path}/rerank`;
  return url;
}

/** Whether a failure is that of a server that expects the other dialect: it misses the field `texts`. */
function wantsTexts({ kind, params }: ServerFailure): boolean {
  return kind === "rejected" && /\btexts\b/.test(String(params["words"]));
}

/**
 * Returns how well each of `count` passages answers the question, from 0 to 1. Reads the answers of all dialects:
 * `{results: [{index, relevance_score}]}`, and `[{index, score}]` of Text Embeddings Inference. Throws a failure if they are
 * not judgements of exactly these passages.
 */
function readScores(server: RemoteServer, body: string, count: number): Float64Array {
  const url = server.address;
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    if (/^\s*</.test(body)) throw new RerankFailure("wrong_address", { url, words: "HTML" });
    // Python writes NaN and Infinity, although JSON has neither.
    if (/"(?:relevance_)?score"\s*:\s*-?(?:NaN|Infinity)/.test(body)) {
      throw new RerankFailure("not_numbers", { url });
    }
    throw new RerankFailure("bad_answer", { url, words: serverWords(body, server.secrets) });
  }
  const items = itemsOf(answer);
  if (items === undefined) throw oddAnswer(server, body);
  return toShares(scoresOf(items.map(judgementOf), count, url));
}

function itemsOf(answer: unknown): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  const { results, data } = (answer ?? {}) as { results?: unknown; data?: unknown };
  return [results, data].find((list) => Array.isArray(list));
}

function judgementOf(item: unknown): Judgement {
  const { index, relevance_score: relevance, score } = (item ?? {}) as Record<string, unknown>;
  return { index, score: relevance ?? score };
}
