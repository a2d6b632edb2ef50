import type { Candidates } from "./candidates.ts";
import type { PreparedQuery } from "./prepared_query.ts";

/** Returns whether a candidate is in the language into which the question was translated. */
export function isForeign({ translated }: PreparedQuery, { found }: Candidates, i: number): boolean {
  return translated !== undefined && found[i]!.language === translated.language;
}

/** Returns the factor for BM25 of a candidate, see {@linkcode PreparedQuery.foreignFactor}. */
export function liftOf(query: PreparedQuery, candidates: Candidates, i: number): number {
  return isForeign(query, candidates, i) ? query.foreignFactor : 1;
}
