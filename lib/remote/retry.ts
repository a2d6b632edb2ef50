import { ServerFailure } from "./server.ts";

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
