import { answerFailure, type RemoteServer, type ServerFailure, serverWords } from "../../remote/mod.ts";
import { RerankFailure } from "../reranker.ts";
import { type Judgement, scoresOf, toShares } from "../scores.ts";

/** The fields of a request. `jina` is also the protocol of Cohere, vLLM, llama.cpp and SiliconFlow. */
export type Dialect = "jina" | "tei";

/** Returns the body of a request. Passages that are too long are cut by the server where the dialect can ask for it. */
export function bodyOf(
  dialect: Dialect,
  model: string,
  question: string,
  passages: readonly string[],
): Readonly<Record<string, unknown>> {
  if (dialect === "tei") return { query: question, texts: passages, truncate: true };
  return { ...(model === "" ? {} : { model }), query: question, documents: passages, top_n: passages.length };
}

/** Returns the address of requests: `/rerank` below the configured address, unless that already ends in it. */
export function rerankUrl(baseUrl: string): URL {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = /\/reranks?$/.test(path) ? path : `${path}/rerank`;
  return url;
}

/** Whether a failure is that of a server that expects the other dialect: it misses the field `texts`. */
export function wantsTexts({ kind, params }: ServerFailure): boolean {
  return kind === "rejected" && /\btexts\b/.test(String(params["words"]));
}

/**
 * Returns how well each of `count` passages answers the question, from 0 to 1. Reads the answers of all dialects:
 * `{results: [{index, relevance_score}]}`, and `[{index, score}]` of Text Embeddings Inference. Throws a failure if they are
 * not judgements of exactly these passages.
 */
export function readScores(server: RemoteServer, body: string, count: number): Float64Array {
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
    throw badAnswer(server, body);
  }
  const items = itemsOf(answer);
  if (items === undefined) {
    throw /"(?:error|detail)"\s*:/.test(body) ? answerFailure(server, 400, body) : badAnswer(server, body);
  }
  return toShares(scoresOf(items.map(judgementOf), count, url));
}

function badAnswer(server: RemoteServer, body: string): RerankFailure {
  return new RerankFailure("bad_answer", { url: server.address, words: serverWords(body, server.secrets) });
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
