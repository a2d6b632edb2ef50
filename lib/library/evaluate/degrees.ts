import { LANGUAGE_CODES, languageOf } from "#engine/index/mod.ts";
import type { MatchDegree } from "#library/search/mod.ts";

/** The degrees, best first. */
export const DEGREES: readonly MatchDegree[] = ["high", "medium", "low"];

/** A hit with its degree and whether it finds a relevant target. */
export interface DegreeOfHit {
  readonly query: string;
  readonly text: string;
  readonly degree: MatchDegree;
  readonly right: boolean;
}

/** How many hits of each degree are right, for queries in one language and hits in one language. */
export interface DegreePrecision {
  /** Codes of the languages by their scripts: `en`, `zh`, `ja`, `ko` or `other`. */
  readonly query: string;
  readonly text: string;
  readonly degrees: Readonly<Record<MatchDegree, { readonly hits: number; readonly right: number }>>;
}

/** Returns the precision of the degrees for each pair of languages that has hits. */
export function degreePrecision(hits: readonly DegreeOfHit[]): DegreePrecision[] {
  const pairs = Map.groupBy(hits, ({ query, text }) => `${language(query)} ${language(text)}`);
  return [...pairs].sort(([a], [b]) => a < b ? -1 : 1).map(([pair, ofPair]) => {
    const [query = "", text = ""] = pair.split(" ");
    const counts = DEGREES.map((wanted) => {
      const those = ofPair.filter(({ degree }) => degree === wanted);
      return [wanted, { hits: those.length, right: those.filter(({ right }) => right).length }] as const;
    });
    return { query, text, degrees: Object.fromEntries(counts) as DegreePrecision["degrees"] };
  });
}

function language(text: string): string {
  const code = languageOf(text);
  return Object.entries(LANGUAGE_CODES).find(([, known]) => known === code)![0];
}
