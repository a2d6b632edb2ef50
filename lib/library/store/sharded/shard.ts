/**
 * One of the stores that a collection lies in: which files are its own, and how it is asked while it may not answer.
 */
import { createHash } from "node:crypto";
import type { Store } from "../store.ts";

/** Milliseconds for which a store that failed is not asked again: each search would wait for it. */
const RETRY_MS = 5000;

/** Returns the number of the store that a file belongs to, by the hash of its path. */
export function shardOf(path: string, shards: number): number {
  return createHash("sha256").update(path).digest().readUInt32BE(0) % shards;
}

/** A store that may not answer. */
export class Shard {
  /** How often it stopped answering. */
  failures = 0;
  #failed: { readonly error: unknown; readonly at: number } | undefined;

  constructor(readonly store: Store) {}

  /** Asks the store for something to read. Throws what that throws, at once if it failed just before. */
  async ask<T>(read: (store: Store) => Promise<T>): Promise<T> {
    if (this.#failed !== undefined && performance.now() - this.#failed.at < RETRY_MS) {
      throw this.#failed.error;
    }
    try {
      const answer = await read(this.store);
      this.#failed = undefined;
      return answer;
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** Notes that the store did not answer. */
  failed(error: unknown): void {
    if (this.#failed === undefined) this.failures++;
    this.#failed = { error, at: performance.now() };
  }
}

/** Returns the values of promises that are settled. Throws the first error. */
export function valuesOf<T>(results: readonly PromiseSettledResult<T>[]): T[] {
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}
