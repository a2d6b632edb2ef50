import type { Candidates } from "./candidates.ts";
import type { Question } from "./question.ts";

/** Whether a candidate is of the script that the question was translated for. */
export function isForeign(
  { translated, request: { collection } }: Question,
  candidates: Candidates,
  i: number,
): boolean {
  const { chunks } = collection.readers[candidates.readers[i]!]!;
  return translated !== undefined && chunks.languages[candidates.chunks[i]!] === translated.language;
}

/** What BM25 of a candidate counts times: see {@linkcode Question.foreignFactor}. */
export function liftOf(question: Question, candidates: Candidates, i: number): number {
  return isForeign(question, candidates, i) ? question.foreignFactor : 1;
}
