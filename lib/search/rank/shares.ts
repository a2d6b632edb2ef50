import type { Candidates } from "./candidates.ts";
import { isForeign, liftOf } from "./foreign.ts";
import { FOREIGN_SENTENCE } from "./leg_weights.ts";
import type { LegValues } from "./leg_values.ts";
import { counts, type PreparedQuery } from "./prepared_query.ts";
import type { LegName } from "./types.ts";

/** How a leg's values are scaled before they are weighted: (value − least) / range. */
export interface Scale {
  readonly least: number;
  readonly range: number;
}

/** Scales of the legs of one question. The first answer sets them, so that the scores of later answers compare with it. */
export type Scales = Map<LegName, Scale>;

/** The part of each candidate's score that each leg adds. */
export type Shares = Map<LegName, Float64Array>;

/** Returns the scale from 0 to the greatest value. */
function fromZero(values: ArrayLike<number>): Scale {
  let max = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! > max) max = values[i]!;
  return { least: 0, range: max > 0 ? max : 1 };
}

/** Returns the scale from the smallest to the greatest value, because cosines of neural models are close together. */
export function minToMax(values: ArrayLike<number>): Scale {
  let min = Infinity, max = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < min) min = values[i]!;
    if (values[i]! > max) max = values[i]!;
  }
  return max > min ? { least: min, range: max - min } : { least: Math.min(0, min), range: Math.max(max, 1) };
}

function scaled(values: Float64Array, { least, range }: Scale, weight: number): Float64Array {
  return values.map((value) => weight * (value - least) / range);
}

function scaleOf(scales: Scales, leg: LegName, make: () => Scale): Scale {
  let scale = scales.get(leg);
  if (scale === undefined) scales.set(leg, scale = make());
  return scale;
}

/**
 * Shares by the recipe of RANKING.md: weight · leg / its maximum. BM25 and that of the translation share the maximum of
 * their sum.
 */
export function weightedShares(
  query: PreparedQuery,
  candidates: Candidates,
  values: LegValues,
  scales: Scales,
): Shares {
  const { weights } = query;
  const shares: Shares = new Map();
  // BM25 in texts of the other script is made comparable before it is scaled.
  const factors = Float64Array.from(candidates.ids, (_, i) => liftOf(query, candidates, i));
  const comparable = (leg: LegName) => values[leg]?.map((value, i) => value * factors[i]!);
  const [keyword, translation] = [comparable("keyword"), comparable("translation")];
  const both = keyword?.map((value, i) => value + (translation?.[i] ?? 0)) ?? translation;
  for (const leg of Object.keys(values) as LegName[]) {
    if (!counts(query, leg)) continue;
    const isText = leg === "keyword" || leg === "translation";
    const scale = scaleOf(scales, leg, () => fromZero(isText ? both! : values[leg]!));
    shares.set(leg, scaled(isText ? comparable(leg)! : values[leg]!, scale, weights[leg]!));
  }
  const ofSentence = shares.get("sentence");
  const more = FOREIGN_SENTENCE / (weights.sentence ?? FOREIGN_SENTENCE);
  if (ofSentence !== undefined && more > 1) {
    for (let i = 0; i < candidates.length; i++) {
      if (isForeign(query, candidates, i)) ofSentence[i]! *= more;
    }
  }
  return shares;
}

/**
 * Shares for vectors of an outside model: (1 − α) · BM25 / its maximum + α · cosine, scaled from the smallest to the
 * greatest.
 */
export function vectorShares(
  { weights }: PreparedQuery,
  { keyword, vector }: LegValues,
  scales: Scales,
): Shares {
  const shares: Shares = new Map();
  if (keyword !== undefined) {
    shares.set(
      "keyword",
      scaled(keyword, scaleOf(scales, "keyword", () => fromZero(keyword)), weights.keyword ?? 0),
    );
  }
  if (vector !== undefined) {
    shares.set(
      "vector",
      scaled(vector, scaleOf(scales, "vector", () => minToMax(vector)), weights.vector ?? 0),
    );
  }
  return shares;
}

/** Keeps the first ranks of a list from deciding alone: Cormack, Clarke, Büttcher, "Reciprocal rank fusion", 2009. */
const RRF_K = 60;

/**
 * Shares by reciprocal rank fusion: weight / (60 + rank) in each list. `neuralRanks`: ranks in the lists of local models; a
 * chunk that they do not list has its rank in the list of the built-in vectors.
 */
export function rankShares(
  { weights }: PreparedQuery,
  { keywordRanks, vectorRanks }: Candidates,
  neuralRanks?: Int32Array,
): Shares {
  const share = (ranks: Int32Array, weight = 0) =>
    Float64Array.from(ranks, (rank) => rank === 0 ? 0 : weight / (RRF_K + rank));
  const vectors = (neuralRanks ?? vectorRanks).map((rank, i) => rank === 0 ? vectorRanks[i]! : rank);
  return new Map([
    ["keyword", share(keywordRanks, weights.keyword)],
    neuralRanks === undefined
      ? ["vector", share(vectors, weights.vector)]
      : ["neural", share(vectors, weights.neural)],
  ]);
}

/** Returns the shares with those of each candidate multiplied by its factor. */
export function scaledShares(shares: Shares, factors: Float64Array): Shares {
  return new Map([...shares].map(([leg, share]) => [leg, share.map((value, i) => value * factors[i]!)]));
}

/** Returns the sum of the shares of each of `length` candidates. */
export function totalsOf(shares: Shares, length: number): Float64Array {
  const totals = new Float64Array(length);
  for (const share of shares.values()) for (let i = 0; i < length; i++) totals[i]! += share[i]!;
  return totals;
}
