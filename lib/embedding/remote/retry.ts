import { EmbeddingFailure } from "./failure.ts";

const FIRST_WAIT_MS = 1000;
/** After "too many requests" that do not say for how long: limits are counted by the minute. */
const FIRST_REST_MS = 4000;
/** A server that wants a longer rest has none to give today. */
const MAX_WAIT_MS = 120_000;

/**
 * Tries again what may succeed later, for all requests to one server: when it asks for a rest, all of them rest. The SDK's
 * own retries take the runtime's network errors for final and pass over a `Retry-After` of 60 seconds, which is what Azure
 * sends.
 */
export class Retries {
  readonly #max: number;
  /** No request before this moment of `performance.now()`. */
  #resumeAt = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Runs `request`, again after each failure that is worth it. Throws the last failure, or the reason of `signal`. */
  async run<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let failures = 0;; failures++) {
      for (let rest; (rest = this.#resumeAt - performance.now()) > 0;) await pause(rest, signal);
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof EmbeddingFailure) || !error.retryable || failures >= this.#max) throw error;
        const isLimit = error.kind === "rate_limited" || error.retryAfterMs !== undefined;
        const wait = error.retryAfterMs ?? (isLimit ? FIRST_REST_MS : FIRST_WAIT_MS) * 2 ** failures;
        if (wait > MAX_WAIT_MS) throw error;
        if (isLimit) this.#resumeAt = Math.max(this.#resumeAt, performance.now() + wait);
        else await pause(wait, signal);
      }
    }
  }
}

/** Waits; throws the reason of `signal` as soon as it is aborted. */
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
