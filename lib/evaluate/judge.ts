import type { Target } from "./types.ts";

/** Where a hit lies. */
export interface Place {
  readonly document: string;
  /** First and last line, counted from 1. */
  readonly first: number;
  readonly last: number;
}

/** A ranking seen through the judgements of its query. */
export interface Judged {
  /** What each hit adds, the best hit first: what an earlier hit has found adds nothing again. */
  readonly gains: readonly number[];
  /** How many relevant targets each hit is the first to find. */
  readonly found: readonly number[];
  /** The gains of all relevant targets, the largest first. */
  readonly ideal: readonly number[];
}

/** Judges a ranking. A hit finds a target when it lies in its document and overlaps its lines. */
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

function covers(place: Place, { document, lines }: Target): boolean {
  return place.document === document &&
    (lines === undefined || (place.first <= lines.last && place.last >= lines.first));
}
