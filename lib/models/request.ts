import { reasonOf } from "../errors.ts";
import type { MessageKey } from "../messages.ts";
import { networkKind, type ServerFailureKind } from "../remote/mod.ts";
import { SourceFailure } from "./failure.ts";
import { inTime, TooLate } from "./in_time.ts";

/** Redirects that are followed in a row. */
const MAX_REDIRECTS = 5;

/** The messages for requests that got no answer. */
const KEYS: Partial<Record<ServerFailureKind, MessageKey>> = {
  "unknown_host": "model_unknown_host",
  refused: "model_refused",
  certificate: "model_certificate",
};

/** The runtime's words where a proxy does not connect to the host. */
const PROXY_KEYS: readonly (readonly [MessageKey, RegExp])[] = [
  ["model_proxy_auth", /proxy auth/i],
  ["model_proxy_denied", /unsuccessful tunnel|tunnel error/i],
];

/** Limits of the requests of a download. */
export interface RequestLimits {
  /** Milliseconds to wait for an answer, and for each part of it. */
  readonly timeoutMs: number;
  /** Whether a host may be redirected to. The host of the source is always allowed. */
  readonly mayRedirectTo: (hostname: string) => boolean;
  readonly signal: AbortSignal;
}

/** An answer with its body not read yet. Disposing of it ends the connection. */
export interface Answer extends Disposable {
  readonly status: number;
  readonly headers: Headers;
  /** The next part of the body; `undefined` at its end. Throws {@linkcode SourceFailure} after the time limit. */
  readonly next: () => Promise<Uint8Array | undefined>;
}

/**
 * Asks for a file. Redirects are followed to the hosts that `mayRedirectTo` names, never from an encrypted connection to one
 * that is not. Throws {@linkcode SourceFailure}, and the signal's reason after an abort.
 */
export async function request(url: URL, headers: HeadersInit, limits: RequestLimits): Promise<Answer> {
  let at = url;
  for (let redirects = 0;; redirects++) {
    const answer = await requestOnce(at, headers, limits);
    if (answer.status < 300 || answer.status >= 400 || answer.status === 304) return answer;
    answer[Symbol.dispose]();
    const location = answer.headers.get("location");
    const to = location === null ? null : URL.parse(location, at);
    if (to === null || redirects === MAX_REDIRECTS) {
      throw new SourceFailure("model_redirects", { host: at.host });
    }
    const isAllowed = to.hostname === url.hostname || limits.mayRedirectTo(to.hostname);
    if (!isAllowed || to.protocol !== "https:" && to.protocol !== url.protocol) {
      throw new SourceFailure("model_redirected", { host: at.host, to: to.origin });
    }
    at = to;
  }
}

async function requestOnce(
  url: URL,
  headers: HeadersInit,
  { timeoutMs, signal }: RequestLimits,
): Promise<Answer> {
  signal.throwIfAborted();
  const ended = new AbortController();
  const end = () => ended.abort();
  const host = url.host;
  const within = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await inTime(work, timeoutMs, signal);
    } catch (error) {
      end();
      signal.throwIfAborted();
      throw failureOf(error, host, timeoutMs);
    }
  };
  const fetched = fetch(url, { headers, signal: ended.signal, redirect: "manual" });
  const response = await within(fetched);
  const reader = response.body?.getReader();
  return {
    status: response.status,
    headers: response.headers,
    next: async () => reader === undefined ? undefined : (await within(reader.read())).value,
    [Symbol.dispose]: () => {
      end();
      reader?.cancel().catch(() => {});
    },
  };
}

function failureOf(error: unknown, host: string, timeoutMs: number): SourceFailure {
  if (error instanceof TooLate) {
    return new SourceFailure("model_timeout", { host, seconds: timeoutMs / 1000 });
  }
  // The runtime names the address with its path and query, which may be a signed one.
  const words = reasonOf(error).replace(/^error sending request .*?: (?=client error|error )/, "")
    .replace(/\S+:\/\/\S+/g, "…");
  const [ofProxy] = PROXY_KEYS.find(([, pattern]) => pattern.test(words)) ?? [];
  const key = ofProxy ?? KEYS[networkKind(words)] ?? "model_unreachable";
  return new SourceFailure(key, { host, words }, { cause: error });
}
