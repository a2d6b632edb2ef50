import type { IndexReader, QueryTerm } from "../../index/mod.ts";
import { bestByWords, type Candidates, mergeLists, nearestChunks } from "./candidates.ts";
import { coverageOf } from "./coverage.ts";
import { feedbackLeg, indexLegs, type LegValues, wordLegs } from "./leg_values.ts";
import { liftOf } from "./foreign.ts";
import type { LegWeights } from "./leg_weights.ts";
import { Question } from "./question.ts";
import { rankShares, type Scales, type Shares, vectorShares, weightedShares } from "./shares.ts";
import type { LegName, LegShare, RankedChunk, RankRequest, Wanted } from "./types.ts";
import { type WordPair, wordPairs } from "./word_pairs.ts";

/**
 * One question to a collection. It can be asked for its best chunks again and again, with other filters: what depends on the
 * question alone is worked out once, and scores of all answers compare. It has the collection's scratch memory to itself
 * only while {@linkcode best} runs.
 */
export class Ranking {
  readonly #question: Question;
  readonly #scales: Scales = new Map();
  #feedback: readonly QueryTerm[] | undefined;

  constructor(request: RankRequest) {
    this.#question = new Question(request);
  }

  /** The `limit` best chunks, best first, equals in the order of the collection. */
  best({ limit, filter }: Wanted): RankedChunk[] {
    const question = this.#question;
    const { mode, fusion, ftsTopn, vecTopn, meaning } = question.request;
    if (mode === "keyword") return this.#byKeyword({ limit, filter });
    const semantic = mode === "semantic";
    const candidates = mergeLists(
      semantic ? [] : bestByWords(question, ftsTopn, filter),
      question.vector === undefined || !semantic && !question.legs.has("vector")
        ? []
        : nearestChunks(question, semantic ? limit : vecTopn, filter),
    );
    const values = indexLegs(question, candidates);
    const all = {
      ...values,
      ...wordLegs(question, candidates),
      ...this.#feedbackLeg(candidates, values),
    };
    const shares = semantic
      ? new Map([["vector", values.vector ?? new Float64Array(candidates.length)] as const])
      : fusion === "rrf"
      ? rankShares(question, candidates)
      : meaning === undefined
      ? vectorShares(question, all, this.#scales)
      : weightedShares(question, candidates, all, this.#scales);
    return this.#ranked(candidates, all, shares, limit);
  }

  /** What each leg counts at most. */
  get weights(): LegWeights {
    return this.#question.weights;
  }

  /** What MaxSim sees in a chunk: the word most like each of the question's. Empty without the built-in table. */
  pairs(reader: IndexReader, chunk: number): WordPair[] {
    return wordPairs(this.#question, reader, chunk);
  }

  #byKeyword({ limit, filter }: Wanted): RankedChunk[] {
    const { lists, request: { collection, searcher = collection } } = this.#question;
    return searcher.searchLists(lists, limit, filter)
      .map((hit, i) => ({ ...hit, legs: { keyword: { raw: hit.score, share: hit.score, rank: i + 1 } } }));
  }

  #feedbackLeg(candidates: Candidates, { keyword, translation }: LegValues): LegValues {
    const scores = Float64Array.from(
      candidates.chunks,
      (_, i) => ((keyword?.[i] ?? 0) + (translation?.[i] ?? 0)) * liftOf(this.#question, candidates, i),
    );
    const { values, terms } = feedbackLeg(this.#question, candidates, scores, this.#feedback);
    this.#feedback = terms;
    return values;
  }

  #ranked(candidates: Candidates, values: LegValues, shares: Shares, limit: number): RankedChunk[] {
    const { request: { collection } } = this.#question;
    const { readers, chunks, keywordRanks, vectorRanks } = candidates;
    const scores = new Float64Array(candidates.length);
    for (const share of shares.values()) for (let i = 0; i < scores.length; i++) scores[i]! += share[i]!;
    const coverage = coverageOf(this.#question, candidates, values);
    // candidates are in the order of the collection: a stable sort keeps equals in it
    return Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!).slice(0, limit).map((i) => ({
      reader: collection.readers[readers[i]!]!,
      chunk: chunks[i]!,
      id: collection.idOf(readers[i]!, chunks[i]!),
      score: scores[i]!,
      coverage: coverage[i]!,
      legs: Object.fromEntries(
        Object.entries(values).map(([leg, raw]): [string, LegShare] => {
          const rank = leg === "keyword" ? keywordRanks[i]! : leg === "vector" ? vectorRanks[i]! : 0;
          const share = shares.get(leg as LegName)?.[i] ?? 0;
          return [leg, { raw: raw[i]!, share, ...(rank > 0 ? { rank } : {}) }];
        }),
      ),
    }));
  }
}
