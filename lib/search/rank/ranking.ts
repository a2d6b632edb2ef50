import type { IndexReader, QueryTerm } from "../../index/mod.ts";
import { bestByWords, type Candidates, type ChunkScore, mergeLists, nearestChunks } from "./candidates.ts";
import { coverageOf } from "./coverage.ts";
import { feedbackLeg, indexLegs, type LegValues, wordLegs } from "./leg_values.ts";
import { liftOf } from "./foreign.ts";
import { LegList } from "./leg_list.ts";
import type { LegWeights } from "./leg_weights.ts";
import { Question } from "./question.ts";
import { rankShares, type Scales, type Shares, vectorShares, weightedShares } from "./shares.ts";
import type { LegName, LegShare, RankedChunk, RankRequest, Wanted } from "./types.ts";
import { type WordPair, wordPairs } from "./word_pairs.ts";

/**
 * One question to a collection. It can be asked for its best chunks again and again, with filters that let fewer through: what depends
 * on the question alone is worked out once, a chunk that was looked at keeps its score, and scores of all answers compare. It has
 * the collection's scratch memory to itself only while {@linkcode best} runs.
 */
export class Ranking {
  readonly #question: Question;
  readonly #scales: Scales = new Map();
  readonly #lists = { keyword: new LegList(), vector: new LegList() };
  /** What was looked at, by its number in the collection. */
  readonly #ranked = new Map<number, RankedChunk>();
  #feedback: readonly QueryTerm[] | undefined;

  constructor(request: RankRequest) {
    this.#question = new Question(request);
  }

  /** The `limit` best chunks, best first, equals in the order of the collection. */
  best({ limit, filter }: Wanted): RankedChunk[] {
    const question = this.#question;
    const { collection, mode, ftsTopn, vecTopn } = question.request;
    if (mode === "keyword") return this.#byKeyword({ limit, filter });
    const semantic = mode === "semantic";
    const keyword = semantic ? [] : this.#inList("keyword", bestByWords(question, ftsTopn, filter));
    const vector = question.legs.has("vector")
      ? this.#inList("vector", nearestChunks(question, semantic ? limit : vecTopn, filter))
      : [];
    const idOf = ({ reader, chunk }: ChunkScore) => collection.idOf(reader, chunk);
    const isNew = (listed: ChunkScore) => !this.#ranked.has(idOf(listed));
    const candidates = mergeLists(keyword.filter(isNew), vector.filter(isNew));
    for (const hit of this.#lookAt(candidates)) this.#ranked.set(hit.id, hit);
    return Array.from(new Set([...keyword, ...vector].map(idOf)), (id) => this.#ranked.get(id)!)
      .sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
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
    return searcher.searchLists(lists, limit, filter).map((hit) => {
      const rank = this.#lists.keyword.rank(hit.id);
      return { ...hit, legs: { keyword: { raw: hit.score, share: hit.score, rank } } };
    });
  }

  /** The places that chunks (best first) have in the list of a leg. */
  #inList(leg: "keyword" | "vector", scored: readonly ChunkScore[]): ChunkScore[] {
    const { collection } = this.#question.request;
    return scored.map((listed) => ({
      ...listed,
      rank: this.#lists[leg].rank(collection.idOf(listed.reader, listed.chunk)),
    }));
  }

  #lookAt(candidates: Candidates): RankedChunk[] {
    if (candidates.length === 0) return [];
    const question = this.#question;
    const { mode, fusion, meaning } = question.request;
    const values = indexLegs(question, candidates);
    const all = {
      ...values,
      ...wordLegs(question, candidates),
      ...this.#feedbackLeg(candidates, values),
    };
    const shares = mode === "semantic"
      ? new Map([["vector", values.vector ?? new Float64Array(candidates.length)] as const])
      : fusion === "rrf"
      ? rankShares(question, candidates)
      : meaning === undefined
      ? vectorShares(question, all, this.#scales)
      : weightedShares(question, candidates, all, this.#scales);
    return this.#scored(candidates, all, shares);
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

  #scored(candidates: Candidates, values: LegValues, shares: Shares): RankedChunk[] {
    const { request: { collection } } = this.#question;
    const { readers, chunks, keywordRanks, vectorRanks } = candidates;
    const scores = new Float64Array(candidates.length);
    for (const share of shares.values()) for (let i = 0; i < scores.length; i++) scores[i]! += share[i]!;
    const coverage = coverageOf(this.#question, candidates, values);
    return Array.from(scores, (score, i) => ({
      reader: collection.readers[readers[i]!]!,
      chunk: chunks[i]!,
      id: collection.idOf(readers[i]!, chunks[i]!),
      score,
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
