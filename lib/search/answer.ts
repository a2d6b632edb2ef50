import { setImmediate } from "node:timers";
import type { Config } from "../config/mod.ts";
import type { UserError } from "../errors.ts";
import type { Tokenizer } from "../index/mod.ts";
import type { Filter } from "./collection_types.ts";
import type { Collection } from "./collection.ts";
import { leastChance } from "./degree.ts";
import { explainChunks, type Explanation } from "./explain.ts";
import { Gathering } from "./gather.ts";
import { passagesUpTo } from "./pages.ts";
import { placedHits } from "./hit_pages.ts";
import {
  type ChunkConditions,
  type Content,
  contentOf,
  crossingPairs,
  filterFor,
  filtersOf,
  type ParsedQuery,
  queryTerms,
  type Synonyms,
} from "./query/mod.ts";
import {
  LEG_NAMES,
  type LegName,
  type Meaning,
  type NeuralScores,
  type RankedChunk,
  Ranking,
  type RankRequest,
  type Searcher,
} from "./rank/mod.ts";
import type { SelectedChunk } from "./select.ts";
import { Reranking, type RerankOptions } from "./reranking.ts";
import { showHits } from "./show.ts";
import type { Hit, LeftOut, SearchMode, SearchRequest } from "./types.ts";

/** Candidates fetched per requested hit. With fewer, the limit per file would often make a second search necessary. */
const CANDIDATES_PER_HIT = 10;

/** Time that a search computes before other events have their turn, in milliseconds. */
const SPELL_MS = 20;

/**
 * Shares of the vectors unless `search.alpha` sets them, of a model on a server and of local models. With .6, local models find as much in
 * one language, but lose nDCG@10 of up to .03 where Chinese passages hold English words and the question is English (RANKING.md).
 */
const ALPHA = 0.6, LOCAL_ALPHA = 0.5;

/** Input of one answer. */
export interface AnswerInput {
  readonly request: SearchRequest;
  /** The parsed query of the request. */
  readonly query: ParsedQuery;
  readonly config: Config["search"];
  readonly collection: Collection;
  /** Fetches the candidates of the collection. */
  readonly searcher: Searcher;
  readonly tokenizer: Tokenizer;
  /** The mode that is used. It is `keyword` if there are no vectors. */
  readonly mode: SearchMode;
  /** Id of the model that made the vectors of the indexes. */
  readonly model: string | undefined;
  /** The built-in table, which made them. */
  readonly meaning: Meaning | undefined;
  /** The cosines by neural models. */
  readonly neural: readonly NeuralScores[];
  /** Whether they are by a model on a server. */
  readonly isServer: boolean;
  readonly synonyms: Synonyms;
  /** See {@linkcode ChunkConditions}. */
  readonly below: ChunkConditions["below"];
  /** Orders the best candidates once more. */
  readonly rerank: RerankOptions | undefined;
  /** Ends the search, which throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The hits, before they are rendered. */
export interface Found {
  readonly hits: readonly Hit[];
  readonly capped: boolean;
  /** Whether there may be further hits after the last one. */
  readonly more: boolean;
  readonly selected: readonly SelectedChunk[];
  /** Passages that the limit for one file left out. */
  readonly leftOut: readonly LeftOut[];
  /** Number of chunks that were left out for their degree. */
  readonly lowerDegree: number;
  /** Whether there are filters and no chunk passes them. False if the folder searched has no chunks at all. */
  readonly filteredOut: boolean;
  /** Phrases that no chunk contains. The search was repeated without them. */
  readonly lostPhrases: readonly string[];
  /** The reason why the reranker did not order the hits. */
  readonly rerankProblem?: UserError;
  readonly explanation?: Explanation;
}

/**
 * Answers one question. Many questions contain quotation marks, so if no chunk contains the phrases, the search is repeated
 * without them. Throws the errors of {@linkcode filtersOf}, `DamagedIndexError` and `DamagedWordsError`.
 */
export async function answer(input: AnswerInput): Promise<Found> {
  const { phrases } = input.query;
  const found = await search(input);
  if (found.selected.length > 0 || phrases.length === 0) return found;
  return { ...await search({ ...input, query: { ...input.query, phrases: [] } }), lostPhrases: phrases };
}

async function search(input: AnswerInput): Promise<Found> {
  const { request, query, config, collection, tokenizer, mode, meaning, below } = input;
  const { offset = 0 } = request;
  // Memory is reserved for as many chunks as are asked for.
  const most = Math.max(collection.size, 1);
  const limit = Math.min(request.topK ?? config.top_k, most);
  const first = offset === 0 ? limit : Math.min(request.firstTopK ?? config.top_k, most);
  const perFile = config.per_doc_limit;
  const content = contentOf(query.text);
  const conditions = { ...query, filters: [query.filters, filtersOf(request.filters ?? {})] };
  const filter = filterFor({ ...conditions, below });

  const turn = turnsFor(input.signal);
  const asked = rankRequest(input, content);
  const ranking = await Ranking.of(asked);
  await turn();
  // There are nearest vectors for every question. A chunk without a word of the question or a similar word is not an
  // answer, unless a model on a server tells: it may know languages that the built-in table does not.
  const isKnown = mode === "semantic" || meaning === undefined || input.isServer && input.neural.length > 0;
  const isLike = ({ chance }: RankedChunk) => chance > 0 || isKnown;
  const least = leastChance(request.minDegree ?? "low");
  const isHighEnough = ({ chance }: RankedChunk) => (content.isEmpty ? 0 : chance) >= least;
  const candidates = (hits: number) => Math.max(config.fts_topn, hits * CANDIDATES_PER_HIT);
  const reranking = input.rerank === undefined || content.isEmpty
    ? undefined
    : new Reranking({ ...input.rerank, collection, ranking, question: query.text, isLike });
  const order = reranking ?? ranking;
  const gathering = new Gathering({
    ...{ collection, ranking: order, perFile, candidates, hits: first, filter, isLike, isHighEnough },
  });
  const { selected, leftOut: leftOutOf, passages: best } = await passagesUpTo(gathering, {
    ...{ first, offset, limit, turn },
  });
  const passages = best.slice(offset, offset + limit);
  await turn();
  const { hits: unplaced, pages, capped } = await showHits(collection, passages, {
    terms: tokenizer.queryTerms(content.text).filter(({ weight }) => weight === 1).map(({ term }) => term),
    maxChars: config.max_chars,
    saysNothing: content.isEmpty,
  });
  await turn();
  const marking = { collection, ranking, tokenizer, terms: asked.terms, meaning, passages };
  const hits = await placedHits(unplaced, pages, request.marks, marking);

  const isFull = passages.length === limit && gathering.considered.length > selected.length;
  const more = isFull || hits.length < passages.length;
  const { lowerDegree } = gathering;
  const filteredOut = hits.length === 0 && await isFilteredOut(collection, filter, conditions);
  const problem = reranking?.problem;
  const leftOut = Array.from(leftOutOf, ([filePath, passages]) => ({ filePath, passages }));
  const found = {
    ...{ hits, capped, more, selected, leftOut, lowerDegree, filteredOut, lostPhrases: [] },
    ...(problem === undefined ? {} : { rerankProblem: problem }),
  };
  if (!request.explain) return found;
  const { considered } = gathering;
  const explanation: Explanation = {
    mode,
    fusion: asked.fusion,
    ...(input.model === undefined || mode === "keyword" ? {} : { model: input.model }),
    ...(reranking === undefined || reranking.count === 0
      ? {}
      : { reranker: { id: input.rerank!.reranker.id, count: reranking.count } }),
    terms: asked.terms,
    phrases: query.phrases,
    excluded: [...query.excluded, ...query.excludedPhrases],
    weights: ranking.weights,
    chunks: await explainChunks({
      collection,
      ranking,
      considered,
      selected,
      perFile,
      isLike: (chunk) => isLike(chunk) && isHighEnough(chunk),
      passages,
      shown: hits.length,
    }),
  };
  return { ...found, explanation };
}

/**
 * Returns a function that lets other events have their turn if the search has computed for some time since the last one, and
 * throws the reason of the signal: a cancellation cannot arrive before. A search in a small index never waits.
 */
function turnsFor(signal: AbortSignal | undefined): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last >= SPELL_MS) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      last = performance.now();
    }
    signal?.throwIfAborted();
  };
}

/** Returns the request to the ranking. */
function rankRequest(input: AnswerInput, content: Content): RankRequest {
  const { config, collection, searcher, tokenizer, synonyms, mode, model, meaning, neural } = input;
  return {
    collection,
    searcher,
    terms: queryTerms(tokenizer, content, synonyms),
    text: content.text,
    mode,
    fusion: config.fusion === "auto" ? "weighted" : config.fusion,
    alpha: alphaOf(input),
    legs: legsOf(config),
    ftsTopn: config.fts_topn,
    vecTopn: config.vec_topn,
    ...(model === undefined ? {} : { model }),
    // With the table, the words themselves are compared.
    ...(meaning === undefined ? { noDemand: crossingPairs(tokenizer.fold(content.text)) } : { meaning }),
    ...(neural.length === 0 ? {} : { neural }),
  };
}

function alphaOf({ config, mode, neural, isServer }: AnswerInput): number {
  // A model on a server is for texts in every language, so a search by meaning alone can rely on it.
  if (mode === "semantic" && isServer) return 1;
  return config.alpha ?? (neural.length === 0 || isServer ? ALPHA : LOCAL_ALPHA);
}

async function isFilteredOut(
  collection: Collection,
  filter: Filter | undefined,
  conditions: ChunkConditions,
): Promise<boolean> {
  return filter !== undefined && filterFor(conditions) !== undefined && !await collection.passesAny(filter);
}

/** Returns the enabled legs. */
function legsOf({ legs, rerank }: Config["search"]): ReadonlySet<LegName> {
  const on = new Set<string>(
    rerank ? legs : legs.filter((leg) => ["translation", "vector", "neural"].includes(leg)),
  );
  return new Set(LEG_NAMES.filter((leg) => leg === "keyword" || on.has(leg)));
}
