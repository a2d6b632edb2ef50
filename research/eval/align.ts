/** Sentences of two languages with the same meaning. */
export interface Bead {
  /** Ranges of sentence indices in the two texts, the end excluded. */
  readonly first: readonly [from: number, to: number];
  readonly second: readonly [from: number, to: number];
}

/**
 * Numbers of sentences on each side that are aligned, with their probability. A sentence without a counterpart is joined to
 * a neighbour.
 */
const KINDS = [
  { first: 1, second: 1, probability: 0.89 },
  { first: 1, second: 2, probability: 0.045 },
  { first: 2, second: 1, probability: 0.045 },
  { first: 2, second: 2, probability: 0.01 },
  { first: 1, second: 3, probability: 0.005 },
  { first: 3, second: 1, probability: 0.005 },
] as const;

/** Variance of a translation's length, per character of the original. */
const VARIANCE = 6.8;

/**
 * Aligns the sentences of a text with those of its translation by their lengths in characters (Gale, Church 1993). `ratio`:
 * length of the second language's texts divided by that of the first language's. Returns an empty array if an alignment
 * would need more than three sentences for one.
 */
export function align(first: readonly number[], second: readonly number[], ratio: number): Bead[] {
  const costs = Array.from(
    { length: first.length + 1 },
    () => new Float64Array(second.length + 1).fill(Infinity),
  );
  const from = costs.map((row) => new Array<typeof KINDS[number] | undefined>(row.length));
  costs[0]![0] = 0;
  for (let i = 0; i <= first.length; i++) {
    for (let j = 0; j <= second.length; j++) {
      for (const kind of KINDS) {
        const [a, b] = [i - kind.first, j - kind.second];
        if (a < 0 || b < 0) continue;
        const cost = costs[a]![b]! - Math.log(kind.probability) +
          lengthCost(total(first, a, i), total(second, b, j), ratio);
        if (cost < costs[i]![j]!) {
          costs[i]![j] = cost;
          from[i]![j] = kind;
        }
      }
    }
  }
  const beads: Bead[] = [];
  for (let i = first.length, j = second.length; i > 0 || j > 0;) {
    const kind = from[i]![j];
    if (kind === undefined) return [];
    beads.unshift({ first: [i - kind.first, i], second: [j - kind.second, j] });
    i -= kind.first;
    j -= kind.second;
  }
  return beads;
}

/** Returns about -log of the probability that lengths differ this much or more: half the square of a normal deviate. */
function lengthCost(first: number, second: number, ratio: number): number {
  const expected = first * ratio;
  const deviation = (second - expected) / Math.sqrt(VARIANCE * Math.max(1, (expected + second) / 2));
  return deviation * deviation / 2;
}

function total(lengths: readonly number[], from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += lengths[at]!;
  return sum;
}
