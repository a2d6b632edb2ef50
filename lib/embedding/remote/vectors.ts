import { MAX_DIMENSIONS } from "../../limits.ts";
import { EmbeddingFailure } from "../provider.ts";
import type { Server } from "./server.ts";

/**
 * Sorts the items of an answer into the order of the texts, or returns `undefined` if their indices are not those of the
 * texts. The protocol allows any order and gives each item an `index`. Servers that leave it out, or give all items the
 * same, answer in order.
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
 * Returns `numbers` scaled to length 1. Throws {@linkcode EmbeddingFailure}: `not_numbers` if a number is not finite or all
 * are 0, which no model returns for a text; `wrong_dimensions` if there are not `expected` numbers; `bad_answer` if there
 * are more than {@linkcode MAX_DIMENSIONS}.
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

/** Returns the failure for an answer that has NaN, infinities, `null` or only zeros as numbers. */
export function notNumbers(server: Server): EmbeddingFailure {
  return new EmbeddingFailure("not_numbers", { url: server.address, model: server.model });
}
