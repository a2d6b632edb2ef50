import { byReader, type Candidates } from "./candidates.ts";
import type { LegValues } from "./leg_values.ts";
import type { Question } from "./question.ts";

/**
 * How much of the question's idf each candidate has, 0 to 1: by its terms, by words that are like them (c² of MaxSim), or by
 * their translations, whichever is the most.
 */
export function coverageOf(question: Question, candidates: Candidates, { maxsim }: LegValues): Float64Array {
  const { lists, groups, words, request: { collection } } = question;
  const coverage = byReader(candidates, (reader, chunks) => collection.score(lists, reader, chunks).coverage);
  const all = words.reduce((sum, { idf }) => sum + idf, 0);
  for (let i = 0; i < candidates.length; i++) {
    const soft = maxsim === undefined || all === 0 ? 0 : maxsim[i]! / all;
    const foreign = groups?.[candidates.readers[i]!]!.coverage[candidates.chunks[i]!] ?? 0;
    coverage[i] = Math.max(coverage[i]!, soft, foreign);
  }
  return coverage;
}
