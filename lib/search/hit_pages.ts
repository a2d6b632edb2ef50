import type { StoredPage } from "../index/mod.ts";
import type { Mark } from "./find_marks.ts";
import { markHits, type Marking } from "./mark_hits.ts";
import type { Hit, SearchRequest } from "./types.ts";

/** Ends of sentences. Pages end with a line, so a sentence that goes over two pages is two. */
const SENTENCE_END = /[.!?](?=\s)|[。！？\n]/g;

/**
 * Returns hits with `page` at their best matching sentence, and with marks as many of the first hits as `marks` asks for, which is given
 * the hits at their first pages. `pages`: the pages of each hit, with offsets in its content. Only these hits and those of several pages
 * are marked, once: the page of any other is known.
 */
export async function placedHits(
  found: readonly Hit[],
  pages: readonly (readonly StoredPage[])[],
  marks: SearchRequest["marks"],
  marking: Marking,
): Promise<Hit[]> {
  const hits = found.map((hit, i) => placedAt(hit, pages[i]!));
  const count = typeof marks === "function" ? marks(hits) : marks === true ? hits.length : 0;
  const wanted = hits.flatMap((_, i) => i < count || pages[i]!.length > 1 ? [i] : []);
  if (wanted.length === 0) return hits;
  const passages = wanted.map((i) => marking.passages[i]!);
  const marked = await markHits(wanted.map((i) => hits[i]!), { ...marking, passages });
  for (const [place, i] of wanted.entries()) {
    const hit = marked[place]!;
    const at = pages[i]!.length > 1 ? bestSentence(hit.content, hit.marks ?? []) : undefined;
    hits[i] = placedAt(i < count ? hit : hits[i]!, pages[i]!, at);
  }
  return hits;
}

/** A hit with its pages, and with that of the offset `at` in its text, by default where its chunk begins. */
function placedAt(hit: Hit, pages: readonly StoredPage[], at?: number): Hit {
  const [first] = pages;
  if (first === undefined) return hit;
  const { pageLabel: _, ...rest } = hit;
  const page = at === undefined
    ? pages.find(({ number }) => number === hit.page) ?? first
    : pages.findLast((page) => page.at <= at) ?? first;
  return {
    ...rest,
    page: page.number,
    pageStart: first.number,
    pageEnd: pages.at(-1)!.number,
    ...(page.label === undefined ? {} : { pageLabel: page.label }),
  };
}

/** Returns the pages of a part of a text, from `from` to `to`, with offsets in the part. */
export function pagesWithin(pages: readonly StoredPage[], from: number, to: number): StoredPage[] {
  const first = Math.max(0, pages.findLastIndex(({ at }) => at <= from));
  return pages.slice(first).filter(({ at }, i) => i === 0 || at < to)
    .map((page) => ({ ...page, at: Math.max(0, page.at - from) }));
}

/**
 * Returns the offset of the sentence whose marks weigh most, each term counted once, or `undefined` without marks. Of equal ones the first.
 */
function bestSentence(text: string, marks: readonly Mark[]): number | undefined {
  let best: { at: number; weight: number } | undefined;
  let next = 0;
  for (const [from, to] of sentences(text)) {
    const terms = new Map<string, number>();
    let first: number | undefined;
    for (; next < marks.length && marks[next]!.start < to; next++) {
      const { start, term, weight } = marks[next]!;
      if (start < from) continue;
      first ??= start;
      terms.set(term, weight);
    }
    const weight = terms.values().reduce((sum, one) => sum + one, 0);
    if (first !== undefined && weight > (best?.weight ?? 0)) best = { at: first, weight };
  }
  return best?.at;
}

function* sentences(text: string): Generator<[from: number, to: number], void, undefined> {
  let from = 0;
  for (const { 0: { length }, index } of text.matchAll(SENTENCE_END)) {
    yield [from, index + length];
    from = index + length;
  }
  yield [from, text.length];
}
