import type { Rate } from "./limits.ts";

/** Keys that are remembered. The one used longest ago is forgotten first. */
const MAX_KEYS = 10_000;

/** Tokens that a key has left, and when they were counted. */
interface Bucket {
  tokens: number;
  at: number;
}

/** Counts requests by a key, such as an address, and says when one has sent too many. */
export class RateLimiter {
  readonly #buckets = new Map<unknown, Bucket>();
  readonly #now: () => number;

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the key may send a request now. */
  allows(key: unknown, { perSecond, burst }: Rate): boolean {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    this.#buckets.delete(key);
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perSecond / 1000);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_KEYS) this.#buckets.delete(this.#buckets.keys().next().value);
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    return true;
  }
}
