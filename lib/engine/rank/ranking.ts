/**
 * The ranking of one question: candidates in, chunks in order with their shares out.
 */
import type { FoundChunk, SegmentsTerms } from "#engine/segments.ts";
import type { Span } from "#foundation/span.ts";
import {
  byOwnWords,
  byTranslation,
  type LegWeights,
  nearestChunks,
  type PreparedQuery,
  prepareQuery,
  tracedLeg,
} from "./prepared_query.ts";
import { bestByWords, CandidateFacts, type Candidates, candidatesOf, isForeign } from "./candidates.ts";
import { chanceOf, type Evidence, evidenceOf, Precedence, signsOf } from "./evidence.ts";
import { standings } from "./standing.ts";
import { ExactForms } from "./exact_forms.ts";
import { OtherForms } from "./other_forms.ts";
import { indexLegs, type LegValues, wordLegs } from "./legs.ts";
import {
  LegList,
  NeuralFusion,
  type NeuralValues,
  rankShares,
  scaledShares,
  type Scales,
  type Shares,
  totalsOf,
  weightedShares,
} from "./fusion.ts";
import { LEAST_COSINE, MOST_ALIKE, type QueryWord } from "./query_words.ts";
import type { LegName, LegShare, RankedChunk, RankRequest, RankTrace, RankWanted, Signs } from "./types.ts";
import { ChunkWords, COMMON, type Meaning } from "./meaning.ts";
import { present } from "#foundation/present.ts";
import { type Known, wordingsById } from "./translation.ts";

/** A chunk with less than this part of the best score is no copy of the best chunk. */
const COPY = 0.998;

/** A greater lead says no more: in a small folder, a chunk with a single word of the question may be the only one found. */
const MOST_LEAD = 0.5;

/** A chunk before its chance is known. */
type ScoredChunk = Omit<RankedChunk, "chance" | "signs"> & { readonly signs: Signs | undefined };

/**
 * The ranking of the chunks of some indexes for one question. It can be asked repeatedly, with filters that pass fewer and fewer
 * chunks. The data that depends only on the question is computed once, a scored chunk keeps its score, and the scores of
 * all answers are comparable. Calls must not overlap.
 */
export class Ranking {
  /** Absent if keywords alone rank. */
  readonly #query: PreparedQuery | undefined;
  readonly #order: KeywordOrder | LegOrder;
  readonly #otherForms: OtherForms;
  /** Whether scores are sums of evidence. */
  readonly #isSum: boolean;
  readonly #trace: RankTrace | undefined;
  /** The best chunk of the first answer, and the score of the next one. */
  #top: { readonly id: number; readonly score: number; readonly next: number } | undefined;

  private constructor(request: RankRequest, terms: SegmentsTerms, query: PreparedQuery | undefined) {
    this.#query = query;
    this.#trace = request.trace;
    this.#otherForms = new OtherForms(request, query?.words ?? []);
    this.#order = query === undefined ? new KeywordOrder(request, terms) : new LegOrder(query);
    this.#isSum = query === undefined || request.mode === "hybrid" && request.fusion === "weighted";
  }

  /** Prepares the ranking for a question. */
  static async of(request: RankRequest): Promise<Ranking> {
    const { mode, meaning, segments, noDemand } = request;
    const terms = segments.lookUpAll(request.terms, noDemand);
    if (mode === "keyword" || meaning === undefined) return new Ranking(request, await terms, undefined);
    const query = await prepareQuery(request, meaning, terms);
    return new Ranking(request, query.terms, query);
  }

  /** The greatest share of the score that each leg can give. */
  get weights(): LegWeights {
    return this.#query?.weights ?? { keyword: 1 };
  }

  /** The words of the question. Empty without the built-in table. */
  get words(): readonly QueryWord[] {
    return this.#query?.words ?? [];
  }

  /** Returns the `limit` best chunks and those of `also`, best first. Ties are sorted by number. */
  async best(wanted: RankWanted): Promise<RankedChunk[]> {
    let span: Span | undefined;
    const beginFusion = () => span = this.#trace?.span.child("fusion");
    try {
      const ranked = await this.#order.rank(wanted, beginFusion);
      const also = new Set(wanted.also?.map(({ id }) => id));
      const sorted = ranked.sort((a, b) => b.score - a.score || a.id - b.id);
      const best = await this.#withChances(
        also.size === 0
          ? sorted.slice(0, wanted.limit)
          : sorted.filter(({ id }, i) => i < wanted.limit || also.has(id)),
      );
      if (span !== undefined) this.#endFusion(span, ranked.length, best);
      return best;
    } catch (error) {
      span?.end(error);
      throw error;
    }
  }

  #endFusion(span: Span, scored: number, best: readonly RankedChunk[]): void {
    const { mode, fusion } = this.#query?.request ?? { mode: "keyword", fusion: undefined };
    const method = mode === "hybrid" ? fusion : mode;
    span.add({ method, weights: this.weights, counts: { candidates: scored, ranked: best.length } });
    this.#trace?.list(span, best);
    span.end();
  }

  /**
   * Returns the word pairs that MaxSim counts for chunks, which are in ascending order. Empty without the built-in table.
   */
  async pairs(found: readonly FoundChunk[]): Promise<WordPair[][]> {
    return this.#query === undefined ? found.map(() => []) : await wordPairs(this.#query, found);
  }

  /** Adds the chance of each chunk, 0 if it has nothing in common with the question. */
  async #withChances(ranked: readonly ScoredChunk[]): Promise<RankedChunk[]> {
    const [best] = ranked;
    if (best === undefined) return [];
    const { id: first, score: most, next } = this.#top ??= {
      id: best.id,
      score: best.score,
      next: ranked.find(({ score }) => score < best.score * COPY)?.score ?? 0,
    };
    const completed = await this.#otherForms.complete(ranked);
    return ranked.map((chunk, i) => {
      const known = completed[i];
      if (known === undefined) {
        const { signs: _, ...rest } = chunk;
        return { ...rest, chance: 0 };
      }
      const lead = Math.min(MOST_LEAD, (chunk.score - (chunk.id === first ? next : most)) / most);
      const signs = this.#isSum && most > 0 ? { ...known, lead } : known;
      return { ...chunk, signs, chance: chanceOf(signs) };
    });
  }
}

/** Begins the stage of a trace that follows those of the legs. */
type BeginFusion = () => Span | undefined;

/** Scores by BM25 alone. */
class KeywordOrder {
  readonly #request: RankRequest;
  readonly #terms: SegmentsTerms;
  readonly #exactForms: ExactForms;
  readonly #list = new LegList();

  constructor(request: RankRequest, terms: SegmentsTerms) {
    this.#request = request;
    this.#terms = terms;
    this.#exactForms = new ExactForms(request);
  }

  async rank(wanted: RankWanted, beginFusion: BeginFusion): Promise<ScoredChunk[]> {
    const { text, segments, searcher = segments, trace } = this.#request;
    const find = () => searcher.byTerms(this.#terms, wanted);
    const listed = this.#list.add(await tracedLeg(trace, "keyword", { method: "bm25" }, find));
    const found = wanted.also === undefined
      ? listed
      : [...listed, ...await this.#others(wanted.also, listed)];
    beginFusion();
    const shown = shownOf(wanted);
    const [standing, generated] = await Promise.all([
      standings(text, found, segments),
      this.#generatedShares(found),
      this.#exactForms.prepare(Int32Array.from(found, ({ id }) => id).sort()),
      this.#exactForms.read(found.slice(0, shown)),
    ]);
    const scores = standing.map((factor, i) => factor * found[i]!.score);
    const factors = await this.#exactForms.factors(found, { scores, standings: standing }, shown);
    return found.map((chunk, i) => {
      const score = scores[i]! * factors[i]!;
      return {
        ...chunk,
        score,
        signs: { held: chunk.coverage },
        ...(generated?.has(chunk.id) && { generated: generated.get(chunk.id)! }),
        legs: {
          keyword: present({
            raw: chunk.score,
            share: score,
            rank: this.#list.rankOf(chunk.id) || undefined,
          }),
        },
      };
    });
  }

  /** Chunks that are not in the list, with their scores. */
  async #others(also: readonly FoundChunk[], listed: readonly FoundChunk[]): Promise<FoundChunk[]> {
    const known = new Set(listed.map(({ id }) => id));
    const others = also.filter(({ id }) => !known.has(id)).sort((a, b) => a.id - b.id);
    if (others.length === 0) return [];
    const ids = Int32Array.from(others, ({ id }) => id);
    const { scores, coverage } = await this.#request.segments.scoreTerms(this.#terms, ids);
    return others.map((chunk, i) => ({ ...chunk, score: scores[i]!, coverage: coverage[i]! }));
  }

  /** The shares of the question that the generated texts of chunks have, by their numbers; `undefined` without such texts. */
  async #generatedShares(found: readonly FoundChunk[]): Promise<Map<number, number> | undefined> {
    const { generated } = this.#terms;
    if (generated === undefined) return undefined;
    const ids = Int32Array.from(found, ({ id }) => id).sort();
    const { coverage } = await this.#request.segments.scoreTerms(generated, ids);
    return new Map(Array.from(ids, (id, i) => [id, coverage[i]!]));
  }
}

/** Scores candidates by all legs. */
class LegOrder {
  readonly #query: PreparedQuery;
  readonly #scales: Scales = new Map();
  readonly #precedence = new Precedence();
  readonly #exactForms: ExactForms;
  readonly #lists = { keyword: new LegList(), vector: new LegList() };
  readonly #neural: NeuralFusion;
  readonly #facts: CandidateFacts;
  /** The chunks scored so far, by their number over all indexes. */
  readonly #ranked = new Map<number, ScoredChunk>();

  constructor(query: PreparedQuery) {
    this.#query = query;
    this.#exactForms = new ExactForms(query.request);
    this.#neural = new NeuralFusion(query);
    const comparesForms = query.request.mode === "hybrid";
    this.#facts = new CandidateFacts(query, comparesForms ? this.#exactForms : undefined);
  }

  async rank(wanted: RankWanted, beginFusion: BeginFusion): Promise<ScoredChunk[]> {
    const query = this.#query;
    const { keyword, vector } = this.#lists;
    const { mode, ftsTopn, vecTopn } = query.request;
    const { hits = 0, also = [] } = wanted;
    const byWord = { ...wanted, limit: Math.max(ftsTopn, hits * 2) };
    const near = mode === "semantic" ? wanted : { ...wanted, limit: Math.max(vecTopn, hits) };
    const semantic = mode === "semantic";
    const [own, translated, byVector, byModels] = await Promise.all([
      semantic ? [] : byOwnWords(query, byWord),
      semantic ? [] : byTranslation(query, byWord),
      query.legs.has("vector") ? nearestChunks(query, near) : [],
      this.#neural.candidates(near),
    ]);
    const span = beginFusion();
    await this.#facts.ask([...own, ...translated, ...byVector, ...byModels, ...also]);
    const byWords = semantic
      ? []
      : keyword.add(bestByWords(query, own, translated, this.#facts, byWord.limit));
    const found = [...byWords, ...vector.add(byVector), ...byModels, ...also];
    const candidates = candidatesOf(
      found.filter(({ id }) => !this.#ranked.has(id)),
      this.#facts,
      { keyword: keyword.rankOf, vector: vector.rankOf },
    );
    for (const chunk of await this.#score(candidates, span)) this.#ranked.set(chunk.id, chunk);
    return Array.from(new Set(found.map(({ id }) => id)), (id) => this.#ranked.get(id)!);
  }

  async #score(candidates: Candidates, span: Span | undefined): Promise<ScoredChunk[]> {
    if (candidates.length === 0) return [];
    const query = this.#query;
    const { values: ofIndex, coverages } = indexLegs(query, candidates);
    const comparing = span?.child("rerank", { method: "maxsim", provider: query.request.model });
    const { values: ofWords, texts, ...covers } = wordLegs(query, candidates);
    comparing?.add({ counts: { compared: candidates.length } });
    comparing?.end();
    const rest = { ...ofIndex, ...ofWords };
    const evidence = evidenceOf(query, rest, coverages, covers);
    const ofRest = this.#restShares(candidates, rest);
    await this.#neural.complete(candidates, ofRest);
    const neural = this.#neural.valuesOf(candidates);
    const shares = this.#shares(candidates, ofRest, neural);
    const factors = this.#precedence.factors(query, candidates, evidence, rest, shares);
    const standing = Float64Array.from(candidates.facts, ({ standing }) => standing);
    for (let i = 0; i < factors.length; i++) factors[i]! *= standing[i]!;
    if (query.request.mode === "hybrid") {
      const scores = totalsOf(scaledShares(shares, factors), candidates.length);
      const at = this.#firstOf(candidates);
      const exact = await this.#exactForms.factors(at.map((i) => candidates.found[i]!), {
        scores: Float64Array.from(at, (i) => scores[i]!),
        standings: Float64Array.from(at, (i) => standing[i]!),
        ...(texts !== undefined && { texts: at.map((i) => texts[i]) }),
      }, at.length);
      for (const [j, i] of at.entries()) factors[i]! *= exact[j]!;
    }
    const values = neural === undefined ? rest : { ...rest, neural: neural.cosines };
    return this.#ranksOf(candidates, values, { ...evidence, factors, neural }, scaledShares(shares, factors));
  }

  /**
   * Positions of the candidates that every answer to the question has, however long it is: only these are compared by their forms,
   * so a longer answer does not change the order of a shorter one.
   */
  #firstOf({ keywordRanks, vectorRanks, length }: Candidates): number[] {
    const { ftsTopn, vecTopn } = this.#query.request;
    const isFirst = (rank: number, most: number) => rank > 0 && rank <= most;
    return Array.from({ length }, (_, i) => i).filter((i) =>
      isFirst(keywordRanks[i]!, ftsTopn) || isFirst(vectorRanks[i]!, vecTopn)
    );
  }

  #shares(candidates: Candidates, rest: Shares, neural: NeuralValues | undefined): Shares {
    const query = this.#query;
    if (query.request.fusion === "rrf" && query.request.mode !== "semantic") {
      return rankShares(query, candidates, neural?.ranks);
    }
    return neural === undefined ? rest : this.#neural.shares(rest, neural);
  }

  /** The shares of the legs other than that of local models. */
  #restShares(candidates: Candidates, values: LegValues): Shares {
    const query = this.#query;
    return query.request.mode === "semantic"
      ? new Map([["vector", values.vector ?? new Float64Array(candidates.length)]])
      : weightedShares(query, candidates, values, this.#scales);
  }

  #ranksOf(
    candidates: Candidates,
    values: LegValues,
    evidence: Evidence & { readonly factors: Float64Array; readonly neural: NeuralValues | undefined },
    shares: Shares,
  ): ScoredChunk[] {
    const { found, keywordRanks, vectorRanks } = candidates;
    const ranks: Readonly<Record<string, Int32Array | undefined>> = {
      keyword: keywordRanks,
      vector: vectorRanks,
      neural: evidence.neural?.ranks,
    };
    const scores = new Float64Array(candidates.length);
    for (const share of shares.values()) for (let i = 0; i < scores.length; i++) scores[i]! += share[i]!;
    const signs = signsOf(this.#query, candidates, values, evidence, evidence.neural?.outliers);
    // Entries of objects for each of the candidates would be a good part of the garbage of a search.
    const ofLegs = Object.entries(values).map(([leg, raw]) => ({
      leg,
      raw,
      share: shares.get(leg as LegName),
      ranks: ranks[leg],
    }));
    const legsOf = (i: number) => {
      const legs: Record<string, LegShare> = {};
      for (const { leg, raw, share, ranks } of ofLegs) {
        const own = { raw: raw[i]!, share: share?.[i] ?? 0 }, rank = ranks?.[i] ?? 0;
        legs[leg] = rank > 0 ? { ...own, rank } : own;
      }
      return legs;
    };
    return found.map((chunk, i) => ({
      ...chunk,
      score: scores[i]!,
      signs: signs[i],
      ...(evidence.generated && { generated: evidence.generated[i]! }),
      evidence: {
        verbatim: evidence.verbatim[i]!,
        ...(evidence.alike === undefined ? {} : { alike: evidence.alike[i]! }),
        ...(isForeign(this.#query, candidates, i) ? { translated: evidence.near?.[i] ?? 0 } : {}),
        ...(evidence.factors[i] === 1 ? {} : { factor: evidence.factors[i]! }),
      },
      legs: legsOf(i),
    }));
  }
}

/** Returns the number of chunks that can be shown, with room for files that have too many of the best. */
function shownOf({ hits, limit }: RankWanted): number {
  return hits === undefined ? limit : Math.min(limit, 2 * hits);
}

/** A word of the question with the most similar word of a chunk. */
export interface WordPair {
  readonly query: string;
  readonly chunk: string;
  /** Cosine of their vectors; 1 for the same word in any form. */
  readonly cosine: number;
  /** Present if the word of the chunk translates that of the question: how sure the translation is, from 0 to 1. */
  readonly sureness?: number;
}

/**
 * Returns the pairs that count in each chunk, one for each word of the question that is equal or similar to a word of the
 * chunk or, in a chunk of the other language, is translated by it. The chunks are in ascending order. Throws
 * `DamagedWordsError`.
 */
async function wordPairs(query: PreparedQuery, found: readonly FoundChunk[]): Promise<WordPair[][]> {
  const { words, translated, meaning, request: { segments, model } } = query;
  const ids = Int32Array.from(found, ({ id }) => id);
  const [stored, ofChunks] = await Promise.all([segments.chunks(ids), segments.words(ids, model)]);
  const chunkWords = new ChunkWords(meaning);
  const stems = new Set(words.map(({ id }) => meaning.stemClass(id)));
  const nearest = words.map((word) => nearestWord(word, meaning));
  return ofChunks.map((bytes, i) => {
    if (bytes === undefined) return [];
    const { index, file } = found[i]!;
    const text = chunkWords.of(bytes, index.files[file]!.path, stored[i]!.section);
    const distinct = new Set(text.ids);
    const chunk = comparedWords(distinct, stems, meaning);
    const pairs = nearest.flatMap((find) => find(chunk) ?? []);
    if (found[i]!.language !== translated?.language) return pairs;
    return withTranslations(pairs, words, wordingsById([text], translated, meaning), distinct, meaning);
  });
}

/** Returns the pairs with the surest translation in place of a word that is only similar. */
function withTranslations(
  pairs: readonly WordPair[],
  words: readonly QueryWord[],
  known: ReadonlyMap<number, readonly Known[]>,
  distinct: ReadonlySet<number>,
  meaning: Meaning,
): WordPair[] {
  return words.flatMap(({ text, id }, place) => {
    const similar = pairs.find(({ query }) => query === text);
    let best = -1, most = 0;
    for (const other of distinct) {
      for (const { words, sureness } of known.get(other) ?? []) {
        if (words.includes(place) && sureness > most) [best, most] = [other, sureness];
      }
    }
    if (best < 0 || similar?.cosine === 1) return similar ?? [];
    const chunk = meaning.table.words.word(best);
    return [{ query: text, chunk, cosine: Math.max(0, likeness(id, best, meaning)), sureness: most }];
  });
}

/** The distinct words of a chunk that are compared with those of a question. */
interface ComparedWords {
  /** The first word with each stem that a word of the question has. */
  readonly same: ReadonlyMap<number, number>;
  /** The words that may be like another one: those of the table that are not common. */
  readonly like: readonly number[];
}

function comparedWords(
  distinct: ReadonlySet<number>,
  stems: ReadonlySet<number>,
  meaning: Meaning,
): ComparedWords {
  const { p } = meaning.table;
  const same = new Map<number, number>(), like: number[] = [];
  for (const id of distinct) {
    const stem = meaning.stemClass(id);
    if (stems.has(stem) && !same.has(stem)) same.set(stem, id);
    if (id >= 0 && p[id]! <= COMMON) like.push(id);
  }
  return { same, like };
}

/**
 * Returns a function that finds the pair of a word of the question with a word of a chunk. The cosines of words that several chunks have
 * are computed once.
 */
function nearestWord(
  { text, id, exact }: QueryWord,
  meaning: Meaning,
): (chunk: ComparedWords) => WordPair | undefined {
  const { words } = meaning.table;
  const cosines = new Map<number, number>();
  return ({ same, like }) => {
    // The same word is more alike than any other, and needs no cosines.
    const equal = same.get(meaning.stemClass(id));
    if (equal !== undefined) return { query: text, chunk: equal < 0 ? text : words.word(equal), cosine: 1 };
    // A word that the table lacks is like no other.
    if (exact === true || id < 0) return undefined;
    let best = -1, most = LEAST_COSINE;
    for (const other of like) {
      let cosine = cosines.get(other);
      if (cosine === undefined) cosines.set(other, cosine = likeness(id, other, meaning));
      if (best < 0 ? cosine >= most : cosine > most) [best, most] = [other, cosine];
    }
    return best < 0 ? undefined : { query: text, chunk: words.word(best), cosine: most };
  };
}

function likeness(one: number, other: number, meaning: Meaning): number {
  if (meaning.stemClass(one) === meaning.stemClass(other)) return 1;
  return Math.min(MOST_ALIKE, meaning.table.cosine(one, other));
}
