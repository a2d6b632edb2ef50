import type { Hit, Mark } from "../search/mod.ts";

const CUT = "…";

/** Share of the window that is shown before the first mark, so that the mark has a context. */
const BEFORE = 0.2;

/**
 * Returns a hit with at most `length` UTF-16 units of its text: the window with the weightiest marks, and `…` at a cut end.
 */
export function trimmedHit(hit: Hit, length: number): Hit {
  const { content, startLine } = hit;
  if (content.length <= length) return hit;
  const start = windowStart(content, hit.marks ?? [], length);
  const from = characterAt(content, start);
  const to = characterAt(content, Math.min(content.length, from + length));
  const text = content.slice(from, to);
  const first = startLine + lineEnds(content.slice(0, from));
  return {
    ...hit,
    content: `${from > 0 ? CUT : ""}${text}${to < content.length ? CUT : ""}`,
    startLine: Math.min(first, hit.endLine),
    endLine: Math.min(first + lineEnds(text), hit.endLine),
    truncated: true,
    ...(hit.marks !== undefined && { marks: [] }),
  };
}

/** The start of the window, at the start of a line if one is near. */
function windowStart(text: string, marks: readonly Mark[], length: number): number {
  const counts = new Map<string, number>();
  let [weight, best, start, first] = [0, 0, 0, 0];
  for (const mark of marks) {
    const count = counts.get(mark.term) ?? 0;
    if (count === 0) weight += mark.weight;
    counts.set(mark.term, count + 1);
    for (; marks[first]!.start < mark.end - length * (1 - BEFORE); first++) {
      const { term, weight: lost } = marks[first]!;
      const left = counts.get(term)! - 1;
      counts.set(term, left);
      if (left === 0) weight -= lost;
    }
    if (weight > best + 1e-9) {
      best = weight;
      start = marks[first]?.start ?? 0;
    }
  }
  const earliest = Math.max(0, start - Math.floor(length * BEFORE));
  const line = text.indexOf("\n", earliest) + 1;
  const from = earliest === 0 ? 0 : line > 0 && line <= start ? line : earliest;
  return Math.min(from, Math.max(0, text.length - length));
}

function lineEnds(text: string): number {
  return text.split("\n").length - 1;
}

/** The start of the character that an offset is in. */
export function characterAt(text: string, offset: number): number {
  return /[\udc00-\udfff]/.test(text[offset] ?? "") ? offset - 1 : offset;
}
