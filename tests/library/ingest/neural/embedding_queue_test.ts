import { deepEqual } from "node:assert/strict";
import { EmbeddingQueue } from "#library/ingest/neural/missing_vectors.ts";

const text = (chunk: number, language: "en" | "zh" = "en", length = 1500) => ({
  language,
  chunk,
  hash: new Uint8Array(16).fill(chunk),
  length,
  tokens: length / 4,
});

Deno.test("texts that were asked for and did not fit into a batch are first in the next ones", () => {
  const missing = Array.from({ length: 20 }, (_, i) => text(i, i === 15 ? "zh" : "en"));
  const queue = new EmbeddingQueue(missing);
  const take = (...chunks: number[]) =>
    queue.take(chunks.map((chunk) => text(chunk).hash)).map(({ chunk }) => chunk);
  deepEqual(take(14, 15, 16, 17), [14, 16]);
  deepEqual(take(19), [19, 17], "the latest before earlier ones");
  deepEqual(take(), [15]);
  deepEqual(take(), [0, 1]);
});
