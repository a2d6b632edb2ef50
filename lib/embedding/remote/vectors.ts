import { MAX_DIMENSIONS } from "../../limits.ts";
import { EmbeddingFailure } from "./failure.ts";
import type { Server } from "./server.ts";

/**
 * One request's vectors in the order of its texts: the protocol allows any order, and says the place of each in `index`.
 * Servers that leave it out, or give each the same, answer in order.
 */
export function inOrder<T>(items: readonly T[], indexOf: (item: T) => unknown): T[] | undefined {
  const places = items.map(indexOf);
  if (new Set(places).size <= 1) return [...items];
  const ordered: T[] = [];
  for (const [at, place] of places.entries()) {
    if (!Number.isInteger(place) || (place as number) < 0 || (place as number) >= items.length) {
      return undefined;
    }
    ordered[place as number] = items[at]!;
  }
  return new Set(places).size === items.length ? ordered : undefined;
}

/**
 * `numbers` scaled to length 1. Throws `embedding_not_numbers` for one that is not finite and for all zeros, which no model
 * gives a text; `embedding_wrong_dimensions` if there are not `expected` of them,
 * `embedding_bad_answer` if there are more than any model gives.
 */
export function unitVector(server: Server, numbers: readonly unknown[], expected: number): Float32Array {
  if (numbers.length > MAX_DIMENSIONS) {
    throw new EmbeddingFailure("bad_answer", { url: server.address, words: `${numbers.length} dimensions` });
  }
  if (numbers.length !== expected) {
    throw new EmbeddingFailure("wrong_dimensions", {
      url: server.address,
      model: server.model,
      expected,
      found: numbers.length,
    });
  }
  let length = 0;
  for (const value of numbers) {
    if (typeof value !== "number") throw notNumbers(server);
    length = Math.hypot(length, value);
  }
  if (!(length > 0 && Number.isFinite(length))) throw notNumbers(server);
  return Float32Array.from(numbers as number[], (value) => value / length);
}

/** An answer with NaN, infinities, nothing or zeros where numbers should be. */
export function notNumbers(server: Server): EmbeddingFailure {
  return new EmbeddingFailure("not_numbers", { url: server.address, model: server.model });
}
