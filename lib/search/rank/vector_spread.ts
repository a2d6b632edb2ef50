import type { VectorQuery } from "../../store/mod.ts";
import type { Collection } from "../collection.ts";

/** Chunks in the sample: enough to know mean and deviation to a few hundredths. */
const SAMPLE = 1000;

/** Mean and standard deviation of the cosines of a question's vector. */
export interface VectorSpread {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Returns the spread of a vector's cosines with comparable vectors, from an even sample; 0 if there are no comparable
 * vectors.
 */
export async function spreadOf(vector: VectorQuery, collection: Collection): Promise<VectorSpread> {
  const step = Math.max(1, Math.floor(collection.size / SAMPLE));
  const cosines = await collection.sampleCosines(vector, step);
  if (cosines.length === 0) return { mean: 0, deviation: 0 };
  let sum = 0, squares = 0;
  for (const cosine of cosines) {
    sum += cosine;
    squares += cosine * cosine;
  }
  const mean = sum / cosines.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / cosines.length - mean * mean)) };
}
