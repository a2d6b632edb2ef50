import type { Collection } from "../../../index/mod.ts";
import type { Candidates } from "../candidates.ts";

/** Cosine of the question's vector (length 1) with that of each candidate; 0 where its index has none of the same dimensions. */
export function vector(candidates: Candidates, collection: Collection, question: Float32Array): Float64Array {
  return Float64Array.from(candidates.chunks, (chunk, i) => {
    const { vectors } = collection.readers[candidates.readers[i]!]!;
    if (vectors?.meta.dimensions !== question.length) return 0;
    if (vectors.meta.exact) return dot(question, vectors.exact(chunk));
    const { row, scale } = vectors.row(chunk);
    return scale * dot(question, row);
  });
}

function dot(question: Float32Array, row: Float32Array | Int8Array): number {
  let sum = 0;
  for (let i = 0; i < question.length; i++) sum += question[i]! * row[i]!;
  return sum;
}
