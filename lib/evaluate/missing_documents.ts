import type { QuerySet } from "./types.ts";

/** The relevant documents of a set that are not among the `known`, each once. */
export function missingDocuments({ queries }: QuerySet, known: ReadonlySet<string>): string[] {
  const relevant = queries.flatMap(({ targets }) => targets.filter(({ gain }) => gain > 0));
  return [...new Set(relevant.map(({ document }) => document)).difference(known)];
}
