import type { StoredPage } from "../index/mod.ts";
import type { Mark } from "./find_marks.ts";
import { markHits, type Marking } from "./mark_hits.ts";
import type { Hit } from "./types.ts";

/** Ends of sentences. Pages end with a line, so a sentence that goes over two pages is two. */
const SENTENCE_END = /[.!?](?=\s)|[。！？\n]/g;

/**
 * Returns hits with `page` at their best matching sentence. `pages`: the pages of each hit, with offsets in its content. Marks are looked
 * for only in hits of several pages: the page of any other is known.
 */
export async function withBestPages(
  hits: readonly Hit[],
  pages: readonly (readonly StoredPage[])[],
  marking: Marking,
): Promise<Hit[]> {
  const unsure = hits.flatMap((_, i) => pages[i]!.length > 1 ? [i] : []);
  const marked = unsure.length === 0 ? [] : await markHits(unsure.map((i) => hits[i]!), {
    ...marking,
    passages: unsure.map((i) => marking.passages[i]!),
  });
  const marksOf = new Map(unsure.map((i, place) => [i, marked[place]!.marks ?? []]));
  return hits.map((hit, i): Hit => {
    const [first] = pages[i]!;
    if (first === undefined) return hit;
    const at = bestSentence(hit.content, marksOf.get(i) ?? []);
    const best = at === undefined
      ? pages[i]!.find(({ number }) => number === hit.page) ?? first
      : pages[i]!.findLast((page) => page.at <= at) ?? first;
    return {
      ...hit,
      page: best.number,
      pageStart: first.number,
      pageEnd: pages[i]!.at(-1)!.number,
      ...(best.label === undefined ? {} : { pageLabel: best.label }),
    };
  });
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
