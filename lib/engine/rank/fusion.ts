/**
 * Joins the legs of a ranking into one score, with the vectors of local models where they exist.
 */
import { type Candidates, isForeign, liftOf } from "./candidates.ts";
import { counts, FOREIGN_SENTENCE, type PreparedQuery, tracedLeg } from "./prepared_query.ts";
import type { LegValues } from "./legs.ts";
import type { LegName } from "./types.ts";
import type { FoundChunk, SegmentsOptions } from "#engine/segments.ts";

/** How a leg's values are scaled before they are weighted: (value − least) / range. */
interface Scale {
  readonly least: number;
  readonly range: number;
}

/** Scales of the legs of one question. The first answer sets them, so that the scores of later answers compare with it. */
export type Scales = Map<LegName, Scale>;

/** The part of each candidate's score that each leg adds. */
export type Shares = Map<LegName, Float64Array>;

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

/** Returns the scale from 0 to the greatest value. */
function fromZero(values: ArrayLike<number>): Scale {
  let max = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! > max) max = values[i]!;
  return { least: 0, range: max > 0 ? max : 1 };
}

/** Returns the scale from the smallest to the greatest value, because cosines of neural models are close together. */
function minToMax(values: ArrayLike<number>): Scale {
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

/** The values of candidates by local models. All arrays have one entry per candidate. */
export interface NeuralValues {
  /** The greatest cosine by any of the models; 0 for a chunk without a vector. */
  readonly cosines: Float64Array;
  /** The mean over the models of the cosines, scaled from 0 to 1; NaN for a chunk without a vector. */
  readonly scaled: Float64Array;
  /** Standard deviations above the mean cosine of all chunks, the greatest over the models. */
  readonly outliers: Float64Array;
  /** Rank in the list of a model, counted from 1; 0 for a chunk that is in no list. */
  readonly ranks: Int32Array;
}

/** A line that estimates the scaled cosine from the rest of the score. */
interface Estimate {
  readonly most: number;
  readonly slope: number;
  readonly at: number;
  readonly mean: number;
  /** The part of the candidates that have a vector, from 0 to 1. */
  readonly known: number;
}

/** Least number of chunks with a vector from which the line is found. */
const LEAST_KNOWN = 3;
/**
 * With a smaller part of candidates that have a vector, the vectors weigh less. Where all texts are in the other language, only
 * some passages with foreign words have one, and they say little.
 */
const ENOUGH_KNOWN = 0.5;

/**
 * Adds the vectors of local models to a ranking: (1 − α) · rest / its maximum + α · cosine, scaled from the smallest to the
 * greatest of the candidates. A chunk without a vector, because it is in another language or was not embedded yet, gets the
 * cosine that chunks with the same rest have on average, so it is neither favoured nor hidden. The first answer to a
 * question sets the scales, so that the scores of later answers compare with it.
 */
export class NeuralFusion {
  readonly #query: PreparedQuery;
  readonly #lists: readonly LegList[];
  readonly #scales: (Scale | undefined)[] = [];
  #estimate: Estimate | undefined;

  constructor(query: PreparedQuery) {
    this.#query = query;
    this.#lists = (query.request.neural ?? []).map(() => new LegList());
  }

  /** Returns the chunks that are nearest to the question by each model. Empty if the leg does not count. */
  async candidates(wanted: SegmentsOptions): Promise<FoundChunk[]> {
    const { segments, neural = [], trace } = this.#query.request;
    if (!counts(this.#query, "neural")) return [];
    const lists = await Promise.all(
      neural.map(async ({ cosinesOf, model }, i) => {
        const facts = { method: "cosine", provider: model };
        const find = () => segments.byScores(cosinesOf, wanted);
        return this.#lists[i]!.add(await tracedLeg(trace, "neural", facts, find));
      }),
    );
    return lists.flat();
  }

  /** Has the models look at candidates without a vector, those with the most of the rest first. */
  async complete({ found }: Candidates, rest: Shares): Promise<void> {
    const { neural = [] } = this.#query.request;
    if (!counts(this.#query, "neural")) return;
    const totals = totalsOf(rest, found.length);
    const bestFirst = found.map((_, i) => i).sort((a, b) => totals[b]! - totals[a]!).map((i) => found[i]!);
    for (const { complete } of neural) await complete?.(bestFirst);
  }

  /** Returns the values of candidates; `undefined` if the leg does not count or no candidate has a vector. */
  valuesOf({ found, length }: Candidates): NeuralValues | undefined {
    const { neural = [] } = this.#query.request;
    if (!counts(this.#query, "neural")) return undefined;
    const cosines = new Float64Array(length), sums = new Float64Array(length);
    const models = new Int32Array(length), ranks = new Int32Array(length);
    const outliers = new Float64Array(length);
    for (const [m, { cosinesOf, mean, deviation }] of neural.entries()) {
      const ofModel = Float64Array.from(found, ({ index, chunk }) => cosinesOf(index)?.[chunk] ?? 0);
      const known = ofModel.filter((cosine) => cosine !== 0);
      if (known.length === 0) continue;
      const { least, range } = this.#scales[m] ??= minToMax(known);
      for (let i = 0; i < length; i++) {
        const cosine = ofModel[i]!;
        if (cosine === 0) continue;
        cosines[i] = Math.max(cosines[i]!, cosine);
        sums[i]! += Math.min(1, Math.max(0, (cosine - least) / range));
        models[i]!++;
        if (deviation > 0) outliers[i] = Math.max(outliers[i]!, (cosine - mean) / deviation);
        const rank = this.#lists[m]!.rankOf(found[i]!.id);
        if (rank > 0 && (ranks[i] === 0 || rank < ranks[i]!)) ranks[i] = rank;
      }
    }
    if (!models.some((count) => count > 0)) return undefined;
    return { cosines, scaled: sums.map((sum, i) => sum / models[i]!), outliers, ranks };
  }

  /** Returns the shares with that of the neural leg, the others reduced accordingly. */
  shares(rest: Shares, { scaled }: NeuralValues): Shares {
    const totals = totalsOf(rest, scaled.length);
    const estimate = this.#estimate ??= estimateOf(totals, scaled);
    const { most, slope, at, mean, known } = estimate;
    const weight = this.#query.weights.neural! * Math.min(1, known / ENOUGH_KNOWN);
    const factors = totals.map((total, i) => {
      if (!Number.isNaN(scaled[i]!)) return (1 - weight) / most;
      const level = total / most;
      const expected = Math.min(1, Math.max(0, mean + slope * (level - at)));
      return level > 0 ? ((1 - weight) * level + weight * expected) / total : 0;
    });
    return new Map([
      ...Array.from(
        rest,
        ([leg, share]) => [leg, share.map((value, i) => value * factors[i]!)] as const,
      ),
      ["neural", scaled.map((value) => Number.isNaN(value) ? 0 : weight * value)] as const,
    ]);
  }
}

/** Fits a line by least squares to the scaled cosines of the chunks that have a vector. */
function estimateOf(totals: Float64Array, scaled: Float64Array): Estimate {
  const most = totals.reduce((max, total) => Math.max(max, total), 0) || 1;
  let count = 0, sumX = 0, sumY = 0, sumXY = 0, sumXX = 0;
  for (let i = 0; i < totals.length; i++) {
    if (Number.isNaN(scaled[i]!)) continue;
    const x = totals[i]! / most, y = scaled[i]!;
    count++;
    sumX += x;
    sumY += y;
    sumXY += x * y;
    sumXX += x * x;
  }
  const known = count / Math.max(1, totals.length);
  // Too few chunks have a vector to tell: the rest alone decides.
  if (count < LEAST_KNOWN) return { most, slope: 1, at: 0, mean: 0, known };
  const at = sumX / count, mean = sumY / count;
  const spread = sumXX - count * at * at;
  const slope = spread > 0 ? (sumXY - count * at * mean) / spread : 0;
  return { most, slope: Math.max(0, slope), at, mean, known };
}

/**
 * The list of a leg over all answers to one question. Repeated calls with stricter filters continue the same list: chunks
 * that a later answer adds follow the earlier chunks, which keep their ranks.
 */
export class LegList {
  readonly #ranks = new Map<number, number>();

  /** Adds the chunks (best first) that are not in the list, and returns all of them. */
  add(found: readonly FoundChunk[]): readonly FoundChunk[] {
    for (const { id } of found) if (!this.#ranks.has(id)) this.#ranks.set(id, this.#ranks.size + 1);
    return found;
  }

  /** Returns the rank, counted from 1, of a chunk by its number; 0 if it is not in the list. */
  readonly rankOf = (id: number): number => this.#ranks.get(id) ?? 0;
}
