import type { IndexReader } from "../../../index/mod.ts";
import type { Candidates } from "../candidates.ts";
import { comparableVectors } from "../comparable_vectors.ts";
import type { Question } from "../question.ts";

/** Cosine of the question's vector (length 1) with that of each candidate; 0 where there is none to compare it with. */
export function vector({ chunks, readers }: Candidates, question: Question): Float64Array {
  const { vector, request: { collection } } = question;
  return Float64Array.from(chunks, (chunk, i) => {
    const reader = collection.readers[readers[i]!]!;
    return comparableVectors(reader, question) === undefined ? 0 : cosineOf(reader, chunk, vector!);
  });
}

/** Cosine of the question's vector with that of a chunk; 0 where its index has none of the same dimensions. */
export function cosineOf({ vectors }: IndexReader, chunk: number, question: Float32Array): number {
  if (vectors?.meta.dimensions !== question.length) return 0;
  if (vectors.meta.exact) return dot(question, vectors.exact(chunk));
  const { row, scale } = vectors.row(chunk);
  return scale * dot(question, row);
}

function dot(question: Float32Array, row: Float32Array | Int8Array): number {
  let sum = 0;
  for (let i = 0; i < question.length; i++) sum += question[i]! * row[i]!;
  return sum;
}
