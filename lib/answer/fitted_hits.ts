import type { Hit } from "../search/mod.ts";
import { estimatedTokens, lengthWithin } from "./estimated_tokens.ts";
import { cutHit } from "./focused_hit.ts";
import type { AnswerLimit } from "./shape.ts";

/** A passage is not trimmed to fewer tokens. Passages at the end are left out instead, and a further call returns them. */
const MIN_TOKENS = 60;

const TRIES = 6;

/** The hits of an answer within its limit. */
export interface FittedHits {
  readonly hits: readonly Hit[];
  /** Number of hits whose text was trimmed. */
  readonly trimmed: number;
}

/**
 * Trims the longest passages of an answer, and leaves out the last ones if that does not suffice. At least one hit remains.
 * `sent(hits)` returns the tokens of the whole answer with these hits.
 */
export function fittedHits(
  hits: readonly Hit[],
  sent: (hits: readonly Hit[]) => number,
  { maxTokens }: AnswerLimit,
): FittedHits {
  let fitted: FittedHits = { hits, trimmed: 0 };
  if (hits.length === 0) return fitted;
  const none = sent([]);
  const empty = sent(hits.map((hit) => ({ ...hit, content: "" })));
  const ofHit = (empty - none) / hits.length;
  // Some answers hold each passage twice.
  const contents = hits.reduce((sum, { content }) => sum + estimatedTokens(content), 0);
  const copies = Math.max(1, (sent(hits) - empty) / Math.max(1, contents));
  let wanted = maxTokens;
  for (let i = 0; i < TRIES; i++) {
    const excess = sent(fitted.hits) - maxTokens;
    if (excess <= 0) return fitted;
    wanted -= i === 0 ? 0 : excess;
    fitted = within(hits, (count) => (wanted - none - count * ofHit) / copies);
  }
  return fitted;
}

/** The hits whose texts have the room that `roomFor` returns for a number of hits, in tokens. */
function within(hits: readonly Hit[], roomFor: (count: number) => number): FittedHits {
  const costs = hits.map(({ content }) => estimatedTokens(content));
  for (let count = hits.length;; count--) {
    const cap = capOf(costs.slice(0, count), roomFor(count));
    if (cap < MIN_TOKENS && count > 1) continue;
    const isLong = (_: Hit, i: number) => costs[i]! > cap;
    const shown = hits.slice(0, count);
    return {
      hits: shown.map((hit, i) => isLong(hit, i) ? trimmedTo(hit, Math.max(MIN_TOKENS, cap)) : hit),
      trimmed: shown.filter(isLong).length,
    };
  }
}

/** The greatest cap at which costs, each at most the cap, have at most the sum `room`. Infinity if none must be capped. */
function capOf(costs: readonly number[], room: number): number {
  let left = room;
  const ascending = costs.toSorted((a, b) => a - b);
  for (const [i, cost] of ascending.entries()) {
    const cap = left / (ascending.length - i);
    if (cost > cap) return cap;
    left -= cost;
  }
  return Infinity;
}

/** The part of a hit with its marks that has about so many tokens. */
function trimmedTo(hit: Hit, tokens: number): Hit {
  const share = tokens / Math.max(1, estimatedTokens(hit.content));
  const shown = cutHit(hit, Math.max(1, Math.floor(hit.content.length * share)));
  const within = lengthWithin(shown.content, tokens);
  return within < shown.content.length ? cutHit(hit, Math.max(1, within)) : shown;
}
