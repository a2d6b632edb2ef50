/**
 * A server that the user has configured: its settings, the kinds of its failures, when a request is tried again, and how much of a
 * text is sent.
 */
import { type Config, secretForms } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import type { MessageKey, MessageParams } from "#foundation/messages/mod.ts";
import { characterAt } from "#foundation/text_offsets.ts";

/** The reasons for which any server may give no result. */
export type ServerFailureKind =
  | "refused"
  | "unknown_host"
  | "certificate"
  | "not_tls"
  | "cut_off"
  | "unreachable"
  | "timeout"
  | "redirected"
  | "key_missing"
  | "unauthorized"
  | "quota"
  | "rate_limited"
  | "server_error"
  | "unknown_model"
  | "wrong_address"
  | "rejected"
  | "bad_answer"
  | "too_large"
  | "batch_too_large"
  | "too_long";

/** Whether and when a failed request is worth another try. */
export interface FailureOptions {
  /** Whether the same request may succeed a little later. Default: false. */
  readonly retryable?: boolean;
  /** Milliseconds from now until the server wants to be asked again. */
  readonly retryAfterMs?: number | undefined;
}

/** A request to a server that failed. Each kind of server has a class of its own, with its own messages. */
export abstract class ServerFailure extends UserError {
  abstract readonly kind: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(key: MessageKey, params: MessageParams, options: FailureOptions = {}) {
    super(key, params);
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A server that the user has configured. */
export interface RemoteServer {
  /** As configured. May contain secrets. */
  readonly baseUrl: string;
  /** The same without user, password and query, for messages. */
  readonly address: string;
  readonly apiKey: string | undefined;
  /** Empty where the server has only one model. */
  readonly model: string;
  readonly timeoutSeconds: number;
  /** Texts that must not appear in any message. */
  readonly secrets: readonly string[];
  /** Makes the error for a failed request. */
  readonly fail: (kind: ServerFailureKind, params: MessageParams, options?: FailureOptions) => ServerFailure;
}

/** The keys of a configuration section that names a server. */
type ServerSettings = Pick<Config["rerank"], "base_url" | "api_key" | "model" | "timeout_seconds">;

/** Returns the server that a section of the configuration names; its `base_url` must be set. */
export function remoteServer(settings: ServerSettings, fail: RemoteServer["fail"]): RemoteServer {
  const url = new URL(settings.base_url ?? "");
  const apiKey = settings.api_key?.trim() || undefined;
  const inAddress = [url.username, url.password, ...url.searchParams.values()];
  return {
    baseUrl: url.href,
    address: `${url.origin}${url.pathname}`.replace(/\/+$/, ""),
    apiKey,
    model: settings.model ?? "",
    timeoutSeconds: settings.timeout_seconds,
    secrets: [apiKey ?? "", ...inAddress, ...inAddress.map(decoded)].filter((secret) => secret.length >= 4)
      .flatMap(secretForms),
    fail,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const FIRST_WAIT_MS = 1000;
/** First wait after "too many requests" without `Retry-After`: servers count by the minute. */
const FIRST_REST_MS = 4000;
/** A server that asks for a longer wait is given up, unless the caller waits less. */
const MAX_WAIT_MS = 120_000;

/**
 * Repeats failed requests to one server. If the server asks for a pause, all requests wait. The retries of the SDK are not
 * used: they treat the runtime's network errors as final and ignore a `Retry-After` of 60 seconds, which Azure sends.
 */
export class Retries {
  readonly #max: number;
  readonly #maxWaitMs: number;
  /** Time of `performance.now()` before which no request is sent. */
  #resumeAt = 0;

  constructor(max: number, maxWaitMs = MAX_WAIT_MS) {
    this.#max = max;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Runs `request` until it succeeds or is not worth another try. Throws the last failure, or the reason of `signal`. */
  async run<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let failures = 0;; failures++) {
      for (let rest; (rest = this.#resumeAt - performance.now()) > 0;) await pause(rest, signal);
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof ServerFailure) || !error.retryable || failures >= this.#max) throw error;
        const isLimit = error.kind === "rate_limited" || error.retryAfterMs !== undefined;
        const wait = error.retryAfterMs ?? (isLimit ? FIRST_REST_MS : FIRST_WAIT_MS) * 2 ** failures;
        if (wait > this.#maxWaitMs) throw error;
        if (isLimit) this.#resumeAt = Math.max(this.#resumeAt, performance.now() + wait);
        else await pause(wait, signal);
      }
    }
  }
}

/** Waits. Throws the reason of `signal` as soon as it is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Average tokens of a character from U+2E80 on (Chinese, Japanese, Korean) and of any other character. */
const WIDE_TOKENS = 0.75;
const NARROW_TOKENS = 0.28;
const FIRST_WIDE = 0x2e80;

/** Estimates the number of tokens in a text. */
export function estimateTokens(text: string): number {
  return countTokens(text, Infinity).tokens;
}

/** Returns the beginning of a text that has at most about `limit` tokens. */
export function cutToTokens(text: string, limit: number): string {
  // No character counts for more.
  if (text.length * WIDE_TOKENS <= limit) return text;
  return cutToLength(text, countTokens(text, limit).length);
}

/** Measures the longest beginning of a text that has at most `limit` estimated tokens: its tokens and UTF-16 units. */
function countTokens(text: string, limit: number): { tokens: number; length: number } {
  let tokens = 0;
  let length = 0;
  for (; length < text.length; length++) {
    const more = tokens + (text.charCodeAt(length) >= FIRST_WIDE ? WIDE_TOKENS : NARROW_TOKENS);
    if (more > limit) break;
    tokens = more;
  }
  return { tokens, length };
}

/** Returns the first `length` UTF-16 units of a text, or one less if that would split a surrogate pair. */
export function cutToLength(text: string, length: number): string {
  return text.slice(0, characterAt(text, length));
}
