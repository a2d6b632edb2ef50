import { type Collection, comparableVectors } from "../../index/mod.ts";
import { roughCosine } from "./rough_cosine.ts";

/** Chunks looked at: enough to know mean and deviation to a few hundredths. */
const SAMPLE = 1000;

/** How the cosines of a question's vector are spread. */
export interface VectorSpread {
  readonly mean: number;
  /** Standard deviation. */
  readonly deviation: number;
}

/**
 * The spread of the cosines of a vector (length 1) of `model` with those that it can be compared with, from a sample taken
 * evenly: 0 where there are none. The int8 numbers will do, and are in memory.
 */
export function spreadOf(
  vector: Float32Array,
  model: string | undefined,
  collection: Collection,
): VectorSpread {
  const step = Math.max(1, Math.floor(collection.size / SAMPLE));
  let sum = 0, squares = 0, count = 0;
  for (let id = 0; id < collection.size; id += step) {
    const { reader, chunk } = collection.locate(id);
    const vectors = comparableVectors(reader, vector, model);
    if (vectors === undefined) continue;
    const cosine = roughCosine(vectors, chunk, vector);
    sum += cosine;
    squares += cosine * cosine;
    count++;
  }
  const mean = count === 0 ? 0 : sum / count;
  return { mean, deviation: count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}
