import type { Candidates } from "./candidates.ts";
import type { PreparedQuery } from "./prepared_query.ts";

/** Whether a candidate is in the language that the question was translated into. */
export function isForeign({ translated }: PreparedQuery, { found }: Candidates, i: number): boolean {
  return translated !== undefined && found[i]!.language === translated.language;
}

/** The factor for BM25 of a candidate: see {@linkcode PreparedQuery.foreignFactor}. */
export function liftOf(query: PreparedQuery, candidates: Candidates, i: number): number {
  return isForeign(query, candidates, i) ? query.foreignFactor : 1;
}
