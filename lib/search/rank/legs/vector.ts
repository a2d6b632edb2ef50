import { comparableVectors } from "../../../index/mod.ts";
import type { Candidates } from "../candidates.ts";
import type { Question } from "../question.ts";
import { dot, roughCosine } from "../rough_cosine.ts";

/** Cosine of the question's vector (length 1) with that of each candidate; 0 where there is none to compare it with. */
export function vector(
  { chunks, readers }: Candidates,
  { vector: asked, request: { collection, model } }: Question,
): Float64Array {
  return Float64Array.from(chunks, (chunk, i) => {
    const vectors = asked && comparableVectors(collection.readers[readers[i]!]!, asked, model);
    if (vectors === undefined) return 0;
    return vectors.meta.exact ? dot(asked!, vectors.exact(chunk)) : roughCosine(vectors, chunk, asked!);
  });
}
