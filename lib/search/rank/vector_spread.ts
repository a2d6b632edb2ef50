import { comparableVectors } from "./comparable_vectors.ts";
import { cosineOf } from "./legs/vector.ts";
import type { Question } from "./question.ts";

/** Chunks looked at: enough to know mean and deviation to a few hundredths. */
const SAMPLE = 1000;

/**
 * Mean and standard deviation of the cosines of a question's vector with those that it can be compared with, from a sample
 * spread evenly.
 */
export function spreadOf(question: Question): { mean: number; deviation: number } {
  const { vector, request: { collection } } = question;
  const step = Math.max(1, Math.floor(collection.size / SAMPLE));
  let sum = 0, squares = 0, count = 0;
  for (let id = 0; id < collection.size; id += step) {
    const { reader, chunk } = collection.locate(id);
    if (vector === undefined || comparableVectors(reader, question) === undefined) continue;
    const cosine = cosineOf(reader, chunk, vector);
    sum += cosine;
    squares += cosine * cosine;
    count++;
  }
  const mean = count === 0 ? 0 : sum / count;
  return { mean, deviation: count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}
