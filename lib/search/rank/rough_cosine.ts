import type { VectorIndex } from "../../index/mod.ts";

/** Cosine of the question's vector (length 1) with that of a chunk, from the int8 numbers in memory. */
export function roughCosine(vectors: VectorIndex, chunk: number, question: Float32Array): number {
  const { row, scale } = vectors.row(chunk);
  return scale * dot(question, row);
}

/** Σ question · row; `row` may go on after the question's numbers. */
export function dot(question: Float32Array, row: Float32Array | Int8Array): number {
  let sum = 0;
  for (let i = 0; i < question.length; i++) sum += question[i]! * row[i]!;
  return sum;
}
