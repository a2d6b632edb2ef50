/**
 * Requests to a configured server: only to its address, with limits, and failures in plain words.
 */
import { reasonOf } from "#foundation/errors.ts";
import { type RemoteServer, ServerFailure, type ServerFailureKind } from "./server.ts";

/** About the size of 2,048 vectors of 4,096 numbers with seven digits each. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/**
 * Most lists and objects in an answer. 2,048 texts need two each and a few more; parsed, each takes 50 times its length in
 * memory.
 */
const MAX_PARTS = 100_000;
/** Bytes of an error that are read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** The signature of `fetch` that the AI SDK uses. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** How a guarded `fetch` reads answers. */
export interface GuardOptions {
  /** Bytes of the largest answer. Default: 64 MB. */
  readonly maxBytes?: number;
  /**
   * Whether answers that are sent in parts are handed on in parts. A silence of `timeoutSeconds` ends them, and so does
   * {@linkcode STREAM_TIMEOUTS} times as long in all.
   */
  readonly streams?: boolean;
}

/** Most time of an answer in parts, in timeouts. */
const STREAM_TIMEOUTS = 10;

/** Types of answers that are sent in parts: events, and JSON line by line. */
const STREAMED = /^(?:text\/event-stream|application\/(?:x-ndjson|jsonl))\b/i;

/**
 * Returns a `fetch` for one server. The body of its response is complete and in memory, unless `streams` allows for parts. It throws
 * a {@linkcode ServerFailure} for every answer that is not a success, and the reason of the signal after an abort. Redirects are not
 * followed, because they would send the key to another server.
 */
export function guardedFetch(server: RemoteServer, options: GuardOptions = {}): Fetch {
  const { maxBytes = MAX_ANSWER_BYTES, streams = false } = options;
  let answered = false;
  return async (input, init = {}) => {
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), server.timeoutSeconds * 1000);
    const signal = init.signal ? AbortSignal.any([init.signal, timer.signal]) : timer.signal;
    try {
      const response = await fetch(input, { ...init, signal, redirect: "manual" });
      answered = true;
      if (streams && response.ok && STREAMED.test(response.headers.get("content-type") ?? "")) {
        return watched(server, response, { maxBytes, timer, signal: init.signal });
      }
      return await checked(server, response, maxBytes);
    } catch (error) {
      init.signal?.throwIfAborted();
      if (error instanceof ServerFailure) throw error;
      if (timer.signal.aborted) throw timeoutFailure(server);
      throw networkFailure(server, error, answered);
    } finally {
      clearTimeout(timeout);
    }
  };
}

function timeoutFailure(server: RemoteServer): ServerFailure {
  return server.fail("timeout", { url: server.address, seconds: server.timeoutSeconds });
}

function sizeFailure(server: RemoteServer, limit: number): ServerFailure {
  return server.fail("too_large", { url: server.address, limit: limit / 1024 / 1024 });
}

/** Returns an answer in parts whose reading fails after a silence, a long time, too many bytes, or the end of the connection. */
function watched(
  server: RemoteServer,
  response: Response,
  { maxBytes, timer, signal }: {
    readonly maxBytes: number;
    readonly timer: AbortController;
    readonly signal: AbortSignal | null | undefined;
  },
): Response {
  const ms = server.timeoutSeconds * 1000;
  const end = performance.now() + STREAM_TIMEOUTS * ms;
  const reader = response.body?.getReader();
  const aborted = new Promise<never>((_, reject) => {
    const either = signal ? AbortSignal.any([signal, timer.signal]) : timer.signal;
    either.addEventListener("abort", () => reject(either.reason), { once: true });
  });
  aborted.catch(() => reader?.cancel().catch(() => {}));
  let bytes = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const silence = setTimeout(() => timer.abort(), Math.max(0, Math.min(ms, end - performance.now())));
      try {
        // The runtime does not always end the reading of an answer with the signal of its request.
        const read = reader?.read() ?? Promise.resolve({ done: true as const, value: undefined });
        const { done, value } = await Promise.race([read, aborted]);
        if (done) return controller.close();
        bytes += value.length;
        if (bytes <= maxBytes) return controller.enqueue(value);
        timer.abort();
        controller.error(sizeFailure(server, maxBytes));
      } catch (error) {
        const failure = timer.signal.aborted ? timeoutFailure(server) : networkFailure(server, error, true);
        controller.error(signal?.aborted ? signal.reason : failure);
      } finally {
        clearTimeout(silence);
      }
    },
    cancel: () => timer.abort(),
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

async function checked(server: RemoteServer, response: Response, maxBytes: number): Promise<Response> {
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw server.fail("redirected", { url: server.address, to: originOf(response, server.address) });
  }
  if (!response.ok) {
    const body = new TextDecoder().decode((await readUpTo(response, MAX_ERROR_BYTES)).bytes);
    throw answerFailure(server, response.status, body, response.headers);
  }
  if (/^text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    throw server.fail("wrong_address", { url: server.address, words: "HTML" });
  }
  const { bytes, whole } = await readUpTo(response, maxBytes);
  if (!whole) throw sizeFailure(server, maxBytes);
  if (hasMoreParts(bytes, MAX_PARTS)) {
    throw server.fail("bad_answer", { url: server.address, words: `> ${MAX_PARTS} [ {` });
  }
  return new Response(bytes, { status: response.status, headers: response.headers });
}

/** Whether there are more than `limit` opening brackets, brackets in strings included. */
function hasMoreParts(bytes: Uint8Array, limit: number): boolean {
  let count = 0;
  for (const bracket of ["[", "{"]) {
    const code = bracket.charCodeAt(0);
    for (let at = bytes.indexOf(code); at >= 0; at = bytes.indexOf(code, at + 1)) {
      if (++count > limit) return true;
    }
  }
  return false;
}

/** Returns the origin that a redirect leads to. Path and query could contain secrets. */
function originOf(response: Response, from: string): string {
  const location = response.headers.get("location") ?? "";
  return URL.canParse(location, from) ? new URL(location, from).origin : "?";
}

async function readUpTo(
  response: Response,
  limit: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; whole: boolean }> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream.
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > limit) break;
  }
  const bytes = await new Blob(parts).bytes();
  return { bytes: bytes.subarray(0, limit), whole: length <= limit };
}

/** A request has too many texts, as OpenAI, DashScope, Text Embeddings Inference, Gemini and Zhipu say it. */
const BATCH_TOO_LARGE =
  /array too long|tokens per request|batch[ _]?size\b.{0,40}(?:invalid|larger|exceed|max|>)|max\w*\b.{0,20}\bbatch|(?:in|per) (?:one|a|a single|each) (?:batch|request)|too many (?:inputs|texts|items)|最多?.{0,6}\d+ ?[条个]/i;

/** A text does not fit into the model's window; llama.cpp names its physical batch. */
const TOO_LONG =
  /physical batch|context[ _](?:length|size|window)|maximum (?:input|sequence|context)|too (?:long|large)|too many tokens|less than \d+ tokens|(?:input|sequence) length|exceed.{0,40}tokens|max_(?:tokens|seq|length)/i;

/** The model does not exist; error codes and sentences. */
const UNKNOWN_MODEL =
  /model_not_found|DeploymentNotFound|^model: \S+$|(?:model|deployment)\b.{0,120}?(?:not found|not exist|not loaded|unknown|unavailable|is not a valid)|(?:unknown|invalid|no such) model|no models? loaded|^model: \S+$|模型不存在/i;

/** The account has no credit left, so that waiting does not help. */
const QUOTA =
  /insufficient[_ ](?:user_)?(?:quota|balance)|exceeded your current quota|credit balance is too low|arrearage|credit balance is too low|余额不足|欠费/i;

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

/** Returns the failure for an answer of status 200 that does not hold what was asked for. */
export function oddAnswer(server: RemoteServer, body: string): ServerFailure {
  const url = server.address;
  if (/^\s*</.test(body)) return server.fail("wrong_address", { url, words: "HTML" });
  if (/"(?:error|detail)"\s*:(?!\s*null\b)/.test(body)) return answerFailure(server, 400, body);
  return server.fail("bad_answer", { url, words: serverWords(body, server.secrets) });
}

function kindOf(status: number, body: string, words: string, { apiKey }: RemoteServer): ServerFailureKind {
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

/** Returns the milliseconds in `retry-after-ms`, or until the time in `Retry-After` (seconds or a date; RFC 9110, 10.2.3). */
export function retryAfterMs(headers: Headers): number | undefined {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Patterns of the runtime's error messages. Its network errors have no codes. */
const KINDS: readonly (readonly [ServerFailureKind, RegExp])[] = [
  ["unknown_host", /dns error|failed to lookup|no such host|name or service not known/i],
  ["certificate", /certificate|UnknownIssuer|self.signed|NotValidForName|CaUsedAsEndEntity/i],
  [
    "not_tls",
    /tls handshake eof|InvalidContentType|corrupt message|wrong version number|received fatal alert|handshake/i,
  ],
  ["refused", /connection refused|actively refused|os error (?:61|111|10061)\b/i],
  [
    "cut_off",
    /connection closed|connection reset|broken pipe|body from connection|unexpected eof|incomplete|connection error|invalid HTTP version|os error (?:32|54|104|10053|10054)\b/i,
  ],
];

/**
 * Returns the runtime's words for why a request got no answer, without the address, which could contain secrets. Since Deno 2.9 they
 * are those of the error's cause (denoland/deno#35618).
 */
export function networkWords(error: unknown): string {
  const isWrapped = error instanceof TypeError && error.message === "fetch failed";
  return reasonOf(isWrapped && error.cause !== undefined ? error.cause : error)
    .replace(/^error sending request .*?: (?=client error|error )/, "")
    .replace(/\S+:\/\/\S+/g, "…");
}

/** Returns why a request got no answer, by the runtime's words; `unreachable` if they say nothing. */
export function networkKind(words: string): ServerFailureKind {
  return KINDS.find(([, pattern]) => pattern.test(words))?.[0] ?? "unreachable";
}

/**
 * Returns the failure for a request that got no answer. With `answered`, the server has answered before in this run, so that
 * it may come back and a retry is worthwhile; otherwise the failure is final.
 */
function networkFailure(server: RemoteServer, error: unknown, answered: boolean): ServerFailure {
  const words = networkWords(error);
  const kind = networkKind(words);
  const retryable = kind === "cut_off" || (answered && kind !== "certificate" && kind !== "not_tls");
  return server.fail(kind, { url: server.address, words: words.replace(/^client error \(\w+\): /, "") }, {
    retryable,
  });
}

/** Characters of a server's message that are shown. */
const SHOWN_CHARS = 200;

/** UTF-16 units of a server's message that are read. */
const READ_CHARS = 8 * 1024;

/** A script or style sheet, which may be unclosed, or a tag. Matches in linear time. */
const MARKUP = /<(script|style)\b[\s\S]*?(?:<\/\1>|$)|<[^<>]*>/gi;

/** Keys in the form of OpenAI and similar services, complete or partly masked. */
const KEY = /\b(?:sk|pk|ak)-[\w*.-]{4,}|\bBearer\s+\S+/gi;

/** Returns the message in a server's error, on one line and without secrets; empty if there is none. */
export function serverWords(body: string, secrets: readonly string[]): string {
  const message = messageIn(body);
  let words = message ?? body;
  // Secrets first: a secret that was cut in half would not be found.
  for (const secret of secrets) words = words.replaceAll(secret, "****");
  words = words.slice(0, READ_CHARS);
  if (message === undefined) words = words.replace(MARKUP, " ");
  // deno-lint-ignore no-control-regex -- a server may send any character
  const line = words.replace(KEY, "****").replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim().replace(
    /[.。]$/,
    "",
  );
  if (!/\p{L}/u.test(line)) return "";
  const characters = Array.from(line);
  return characters.length > SHOWN_CHARS ? `${characters.slice(0, SHOWN_CHARS).join("")}…` : line;
}

/** Returns the message in the JSON of an error, in any of the fields that servers use; `undefined` if `body` is not JSON. */
function messageIn(body: string): string | undefined {
  try {
    return textOf(JSON.parse(body), 3);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  const fields = value as Record<string, unknown>;
  for (const name of ["message", "error", "detail", "msg", "0"]) {
    const text = textOf(fields[name], depth - 1);
    if (text !== undefined) return text;
  }
  return undefined;
}
