import type { Target } from "./types.ts";

/** Where a hit lies. */
export interface Place {
  readonly document: string;
  /** First and last line, counted from 1. */
  readonly first: number;
  readonly last: number;
  /** Page, counted from 1, and headings that lead to it, where the document has them. */
  readonly page?: number | undefined;
  readonly section?: readonly string[];
  /** Where else the same stands. */
  readonly also?: readonly Place[];
}

/** A ranking seen through the judgements of its query. */
export interface Judged {
  /** The gain of each hit, the best hit first: a document found by an earlier hit adds nothing again. */
  readonly gains: readonly number[];
  /** How many relevant targets each hit is the first to find. */
  readonly found: readonly number[];
  /** The gains of all relevant targets, the largest first. */
  readonly ideal: readonly number[];
}

/**
 * Judges a ranking. A hit finds a target when it, or another place that says the same, lies in its document, overlaps its lines,
 * lies on its pages and below its heading.
 */
export function judge(ranking: readonly Place[], targets: readonly Target[]): Judged {
  const relevant = targets.filter(({ gain }) => gain > 0);
  const left = new Set(relevant);
  const gains: number[] = [];
  const found: number[] = [];
  for (const place of ranking) {
    const hit = [...left].filter((target) => covers(place, target));
    for (const target of hit) left.delete(target);
    gains.push(hit.reduce((sum, { gain }) => sum + gain, 0));
    found.push(hit.length);
  }
  return { gains, found, ideal: relevant.map(({ gain }) => gain).sort((a, b) => b - a) };
}

function covers(place: Place, target: Target): boolean {
  return isIn(place, target) || (place.also?.some((other) => isIn(other, target)) ?? false);
}

function isIn(place: Place, { document, lines, pages, section }: Target): boolean {
  return place.document === document &&
    (lines === undefined || (place.first <= lines.last && place.last >= lines.first)) &&
    (pages === undefined ||
      (place.page !== undefined && place.page >= pages.first && place.page <= pages.last)) &&
    (section === undefined || (place.section?.some((heading) => isLike(heading, section)) ?? false));
}

/** Whether a heading holds the words wanted: numbers before it and case do not count. */
function isLike(heading: string, wanted: string): boolean {
  const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
  return plain(heading).includes(plain(wanted));
}
