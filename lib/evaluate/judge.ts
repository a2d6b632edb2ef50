import type { Target } from "./types.ts";

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
