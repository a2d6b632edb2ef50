/** Judges hits and computes nDCG, recall, MRR, hit rate, and the share of right hits by degree. */
import { LANGUAGE_CODES, languageOf } from "#engine/index/mod.ts";
import type { MatchDegree } from "#library/search/mod.ts";
import type { DegreeOfHit, DegreePrecision, Scores, Target } from "./types.ts";

/**
 * Returns the metrics of one ranking at depth `k`. All are between 0 and 1, and 0 if no target is relevant:
 * - nDCG: Σ gain / log2(rank + 1), divided by the same sum of the ideal ranking (Järvelin, Kekäläinen 2002; linear
 *   gains, as in trec_eval's `ndcg_cut`);
 * - Recall: the share of relevant targets that are found;
 * - MRR: 1 / rank of the first relevant hit;
 * - Hit: 1 if there is a relevant hit.
 *
 * ```ts
 * import { judge } from "./metrics.ts";
 * import { scoresAt } from "./metrics.ts";
 * import { equal } from "node:assert/strict";
 *
 * const ranking = ["b", "a"].map((document) => ({ document, first: 1, last: 9 }));
 * const { mrr } = scoresAt(judge(ranking, [{ document: "a", gain: 1 }]), 10);
 * equal(mrr, 0.5);
 * ```
 */
export function scoresAt({ gains, found, ideal }: Judged, k: number): Scores {
  const best = discounted(ideal, k);
  const first = found.slice(0, k).findIndex((count) => count > 0);
  const count = found.slice(0, k).reduce((sum, each) => sum + each, 0);
  return {
    // A hit that covers two passages finds both at one rank, which can exceed the ideal of one passage per hit.
    ndcg: best === 0 ? 0 : Math.min(1, discounted(gains, k) / best),
    recall: ideal.length === 0 ? 0 : count / ideal.length,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    hit: first < 0 ? 0 : 1,
  };
}

function discounted(gains: readonly number[], k: number): number {
  return gains.slice(0, k).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

/** The position of a hit: its document, lines, page and headings. */
export interface HitSpan {
  readonly document: string;
  /** First and last line, counted from 1. */
  readonly first: number;
  readonly last: number;
  /** Page, counted from 1, if the document has pages. */
  readonly page?: number | undefined;
  /** Headings above it. */
  readonly section?: readonly string[];
  /** Other positions of the same text. */
  readonly also?: readonly HitSpan[];
}

/** A ranking, judged. */
export interface Judged {
  /** The gain of each hit in the order of the ranking. A target counts only for the first hit that finds it. */
  readonly gains: readonly number[];
  /** Number of relevant targets that each hit is the first to find. */
  readonly found: readonly number[];
  /** The gains of all relevant targets, largest first. */
  readonly ideal: readonly number[];
}

/**
 * Judges a ranking. A hit finds a target if it, or another position of the same text, is in the target's document, overlaps
 * its lines, is on its pages and below its heading.
 */
export function judge(ranking: readonly HitSpan[], targets: readonly Target[]): Judged {
  const relevant = targets.filter(({ gain }) => gain > 0);
  const left = new Set(relevant);
  const gains: number[] = [];
  const found: number[] = [];
  for (const span of ranking) {
    const hit = [...left].filter((target) => finds(span, target));
    for (const target of hit) left.delete(target);
    gains.push(hit.reduce((sum, { gain }) => sum + gain, 0));
    found.push(hit.length);
  }
  return { gains, found, ideal: relevant.map(({ gain }) => gain).sort((a, b) => b - a) };
}

/** Returns whether a hit finds any relevant target. */
export function isRight(span: HitSpan, targets: readonly Target[]): boolean {
  return targets.some((target) => target.gain > 0 && finds(span, target));
}

function finds(span: HitSpan, target: Target): boolean {
  return isIn(span, target) || (span.also?.some((other) => isIn(other, target)) ?? false);
}

function isIn(span: HitSpan, { document, lines, pages, section }: Target): boolean {
  return span.document === document &&
    (lines === undefined || (span.first <= lines.last && span.last >= lines.first)) &&
    (pages === undefined ||
      (span.page !== undefined && span.page >= pages.first && span.page <= pages.last)) &&
    (section === undefined || (span.section?.some((heading) => isLike(heading, section)) ?? false));
}

/** Whether a heading contains the wanted words. Case and white space do not count. */
function isLike(heading: string, wanted: string): boolean {
  const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
  return plain(heading).includes(plain(wanted));
}

/** The degrees, best first. */
export const DEGREES: readonly MatchDegree[] = ["high", "medium", "low"];

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
