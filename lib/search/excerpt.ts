/** Occurrences of one term that are looked at. More would not move the best window. */
const MAX_PLACES = 200;

/** A part of a text. */
export interface Excerpt {
  readonly text: string;
  /** Its offset in the whole text. */
  readonly from: number;
  /** Line ends before it, and in it. */
  readonly linesBefore: number;
  readonly lines: number;
}

/**
 * Returns at most `length` UTF-16 units of `text`: the window with the most different `terms` (lower case), moved to the
 * start of a line if one is near, or the beginning if no term occurs. A surrogate pair is never cut.
 */
export function excerpt(text: string, terms: readonly string[], length: number): Excerpt {
  let from = text.length <= length ? 0 : windowStart(text, terms, length);
  if (isLow(text, from)) from++;
  let to = Math.min(text.length, from + length);
  if (to < text.length && isLow(text, to)) to--;
  const part = text.slice(from, to);
  return { text: part, from, linesBefore: countLineEnds(text.slice(0, from)), lines: countLineEnds(part) };
}

function windowStart(text: string, terms: readonly string[], length: number): number {
  const lower = text.toLowerCase();
  // lower case can be longer than the text, which would make the offsets wrong
  if (lower.length !== text.length) return 0;
  const places = terms.flatMap((term, index) => placesOf(lower, term).map((at) => ({ at, index })))
    .sort((a, b) => a.at - b.at);
  const inside = new Map<number, number>();
  let best = 0, start = 0, first = 0;
  for (const { at, index } of places) {
    inside.set(index, (inside.get(index) ?? 0) + 1);
    for (; places[first]!.at < at - length * 0.8; first++) {
      const left = inside.get(places[first]!.index)! - 1;
      if (left > 0) inside.set(places[first]!.index, left);
      else inside.delete(places[first]!.index);
    }
    if (inside.size > best) {
      best = inside.size;
      start = places[first]!.at;
    }
  }
  const lineStart = text.lastIndexOf("\n", start) + 1;
  return start - lineStart < length * 0.2 ? lineStart : start;
}

function placesOf(text: string, term: string): number[] {
  const places: number[] = [];
  for (
    let at = text.indexOf(term);
    at >= 0 && places.length < MAX_PLACES;
    at = text.indexOf(term, at + term.length)
  ) {
    places.push(at);
  }
  return places;
}

function isLow(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(at));
}

/** Line ends in a text. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
