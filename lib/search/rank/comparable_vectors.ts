import type { IndexReader, VectorIndex } from "../../index/mod.ts";
import type { Question } from "./question.ts";

/** The vectors of an index that the question's can be compared with: of the same model, and of as many numbers. */
export function comparableVectors(
  { vectors }: IndexReader,
  { vector, request: { model } }: Question,
): VectorIndex | undefined {
  if (vectors === undefined || vectors.meta.dimensions !== vector?.length) return undefined;
  return model === undefined || vectors.meta.model === model ? vectors : undefined;
}
