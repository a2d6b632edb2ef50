import type { RemoteServer, ServerFailure, ServerFailureKind } from "./server.ts";
import { serverWords } from "./server_words.ts";

/** A request has too many texts, as OpenAI, DashScope, Text Embeddings Inference, Gemini and Zhipu say it. */
const BATCH_TOO_LARGE =
  /array too long|tokens per request|batch[ _]?size\b.{0,40}(?:invalid|larger|exceed|max|>)|max\w*\b.{0,20}\bbatch|(?:in|per) (?:one|a|a single|each) (?:batch|request)|too many (?:inputs|texts|items)|最多?.{0,6}\d+ ?[条个]/i;

/** A text does not fit into the model's window; llama.cpp names its physical batch. */
const TOO_LONG =
  /physical batch|context[ _](?:length|size|window)|maximum (?:input|sequence|context)|too (?:long|large)|too many tokens|less than \d+ tokens|(?:input|sequence) length|exceed.{0,40}tokens|max_(?:tokens|seq|length)/i;

/** The model does not exist; error codes and sentences. */
const UNKNOWN_MODEL =
  /model_not_found|DeploymentNotFound|(?:model|deployment)\b.{0,120}?(?:not found|not exist|not loaded|unknown|unavailable|is not a valid)|(?:unknown|invalid|no such) model|no models? loaded|模型不存在/i;

/** The account has no credit left, so that waiting does not help. */
const QUOTA =
  /insufficient[_ ](?:user_)?(?:quota|balance)|exceeded your current quota|arrearage|余额不足|欠费/i;

/** LM Studio answers requests to unknown paths with these words and status 200. */
const UNEXPECTED_ENDPOINT = /unexpected endpoint|unknown (?:url|endpoint|path)|invalid url/i;

/** Returns the failure for an answer that is an error. */
export function answerFailure(
  server: RemoteServer,
  status: number,
  body: string,
  headers: Headers = new Headers(),
): ServerFailure {
  const words = serverWords(body, server.secrets);
  const params = {
    url: server.address,
    model: server.model,
    status,
    words: words === "" ? `HTTP ${status}` : words,
  };
  const kind = kindOf(status, body, words, server);
  const retryable = kind === "rate_limited" || kind === "server_error";
  return server.fail(kind, params, {
    retryable,
    retryAfterMs: retryable ? retryAfterMs(headers) : undefined,
  });
}

function kindOf(
  status: number,
  body: string,
  words: string,
  { apiKey }: RemoteServer,
): ServerFailureKind {
  if (status === 401 || status === 403) return apiKey === undefined ? "key_missing" : "unauthorized";
  if (status === 402 || QUOTA.test(body)) return "quota";
  if (status === 429) return "rate_limited";
  if (UNEXPECTED_ENDPOINT.test(words)) return "wrong_address";
  // Servers use different statuses for errors in the request.
  if ([400, 404, 413, 422, 500].includes(status)) {
    if (!/physical batch/i.test(words) && BATCH_TOO_LARGE.test(words)) return "batch_too_large";
    if (TOO_LONG.test(words)) return "too_long";
    if (UNKNOWN_MODEL.test(words) || UNKNOWN_MODEL.test(codeIn(body))) return "unknown_model";
  }
  if (status === 413) return "too_long";
  if (status === 404 || status === 405) return "wrong_address";
  if (status === 408 || status === 409 || status >= 500) return "server_error";
  return "rejected";
}

/** Returns the `code` or `type` of an error, such as `model_not_found`, or an empty string. */
function codeIn(body: string): string {
  return /"(?:code|type)"\s*:\s*"([\w.-]+)"/.exec(body)?.[1] ?? "";
}

/**
 * Returns the milliseconds in `retry-after-ms`, or until the time in `Retry-After` (seconds or a date; RFC 9110, 10.2.3).
 */
export function retryAfterMs(headers: Headers): number | undefined {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
