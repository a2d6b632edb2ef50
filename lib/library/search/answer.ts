/**
 * From a parsed question to ranked and selected passages: gathers candidates, ranks them page by page
 * and keeps what the caller asked for.
 */
import { setImmediate } from "node:timers";
import type { Config } from "#foundation/configuration/mod.ts";
import { present } from "#foundation/present.ts";
import type { UserError } from "#foundation/errors.ts";
import type { Facts } from "#foundation/span.ts";
import { inverseDocumentFrequency, type QueryTerm, type Tokenizer } from "#engine/index/mod.ts";
import type { Filter, Segments } from "#engine/segments.ts";
import { CompleteRanking, emptyPart, prefixTermsOf } from "./boolean_answer.ts";
import { type FilterCount, filterCounts } from "./filter_counts.ts";
import type { MarkFinder } from "./find_marks.ts";
import { leastChance, placedHits, showHits } from "./show.ts";
import { explainChunks, type Explanation } from "./explain.ts";
import {
  addedTerms,
  checkFields,
  type ChunkConditions,
  type Content,
  contentOf,
  crossingPairs,
  expressionText,
  filterFor,
  givenFilters,
  otherFieldsOf,
  type ParsedQuery,
  queryTerms,
  type Synonyms,
  typedFilters,
} from "#engine/query/mod.ts";
import {
  LEG_NAMES,
  type LegName,
  type Meaning,
  type NeuralScores,
  type RankedChunk,
  Ranking,
  type RankRequest,
  type RankTrace,
  type Searcher,
} from "#engine/rank/mod.ts";
import { type Passage, type Selected, type SelectedChunk, toPassages } from "./passages.ts";
import { givenDate, newestFirst, Recency } from "./recency.ts";
import type { Added } from "./added_words.ts";
import { Reranking, type RerankOptions } from "./reranking.ts";
import type { SearchTrace } from "./search_trace.ts";
import type { SearchedFolder } from "./served_folders.ts";
import type { Hit, LeftOut, SearchMode, SearchRequest } from "./types.ts";
import { Gathering } from "./gathering.ts";

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
interface AnswerInput {
  readonly request: SearchRequest;
  /** The parsed query of the request. */
  readonly query: ParsedQuery;
  readonly config: Config["search"];
  readonly segments: Segments;
  /** Fetches the candidates of the collection. */
  readonly searcher: Searcher;
  readonly tokenizer: Tokenizer;
  /** Finds the marks of the hits. */
  readonly finder: MarkFinder;
  /** The mode that is used. It is `keyword` if there are no vectors. */
  readonly mode: SearchMode;
  /** Id of the model that made the vectors of the indexes, and the built-in table, which made them. */
  readonly model: string | undefined;
  readonly meaning: Meaning | undefined;
  /** The cosines by neural models, and whether they are by a model on a server. */
  readonly neural: readonly NeuralScores[];
  readonly isServer: boolean;
  readonly synonyms: Synonyms;
  /** See {@linkcode ChunkConditions}. */
  readonly below: ChunkConditions["below"];
  /** Words beside those of the question. */
  readonly added: Added | undefined;
  /** Orders the best candidates once more. */
  readonly rerank: RerankOptions | undefined;
  /** Ends the search, which throws its reason. */
  readonly signal?: AbortSignal | undefined;
  readonly trace?: SearchTrace | undefined;
  /** Whether the result has the state of the search. */
  readonly inspects?: boolean | undefined;
}

/** The state in which a search decided, for questions about chunks that are not in its answer. */
export interface SearchState extends Pick<AnswerInput, "query" | "config" | "mode" | "tokenizer" | "below"> {
  readonly segments: Segments;
  readonly asked: RankRequest;
  readonly ranking: Ranking;
  readonly conditions: ChunkConditions;
  readonly filter: Filter | undefined;
  readonly gathering: Gathering;
  /** Number of hits that were asked for, and of candidates that the ranking was asked for at once. */
  readonly limit: number;
  readonly candidates: number;
  readonly isLike: (chunk: RankedChunk) => boolean;
  /** Least chance of a hit. */
  readonly least: number;
  readonly selected: readonly SelectedChunk[];
  readonly passages: readonly Passage[];
  /** Id of the reranker that judged the best candidates. */
  readonly reranker: string | undefined;
}

/** The hits, before they are rendered. */
export interface Found {
  /** The indexes that were asked. */
  readonly segments: Segments;
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
  /** Then, the documents that meet each condition on files. */
  readonly filterCounts?: readonly FilterCount[];
  /** Then, whether conditions on metadata were typed, such as `status:404`, which may be meant as text. */
  readonly mayBeText?: boolean;
  /** Then, the part of a boolean query that no chunk meets. */
  readonly emptyPart?: string;
  /** Phrases that no chunk contains. The search was repeated without them. */
  readonly lostPhrases: readonly string[];
  /** The reason why the reranker did not order the hits. */
  readonly rerankProblem?: UserError;
  readonly explanation?: Explanation;
  /** All chunks that the explanation names. */
  readonly considered?: readonly RankedChunk[];
  /** Present if it was asked for. */
  readonly state?: SearchState;
}

/** The result of a search with its notices and the folders searched. */
export interface Answered {
  readonly found: Found;
  readonly notices: readonly string[];
  readonly folders: readonly SearchedFolder[];
}

/** Looks at the result of a search. */
export type Inspect = (answered: Answered) => Promise<void>;

/**
 * Answers one question. Many questions contain quotation marks, so if no chunk contains the phrases, the search is repeated
 * without them. Throws the errors of {@linkcode givenFilters}, `DamagedIndexError` and `DamagedWordsError`.
 */
export async function answer(input: AnswerInput): Promise<Found> {
  const { phrases } = input.query;
  const found = await search(input);
  if (found.selected.length > 0 || phrases.length === 0) return found;
  input.trace?.enter("query_processing", { fallback: "without_phrases", reason: "phrases_lost" });
  return { ...await search({ ...input, query: { ...input.query, phrases: [] } }), lostPhrases: phrases };
}

/** The conditions of a part of a boolean query. */
const NO_WORDS: ChunkConditions = { phrases: [], excluded: [], excludedPhrases: [], filters: [] };

async function search(input: AnswerInput): Promise<Found> {
  const { request, query, config, segments, tokenizer, mode, meaning, below, trace } = input;
  trace?.enter("query_processing");
  const candidateTrace = trace?.over(segments);
  const { offset = 0 } = request;
  // Memory is reserved for as many chunks as are asked for.
  const most = Math.max(segments.size, 1);
  const limit = Math.min(request.topK ?? config.top_k, most);
  const first = offset === 0 ? limit : Math.min(request.firstTopK ?? config.top_k, most);
  const perFile = config.per_doc_limit;
  const content = contentOf(query.text);
  const others = otherFieldsOf(segments.indexes);
  checkFields(typedFilters(query).flatMap(({ metadata = [] }) => metadata), others);
  const conditions = { ...query, filters: [query.filters, ...givenFilters(request.filters ?? {}, others)] };
  const filter = filterFor({ ...conditions, below });

  const turn = turnsFor(input.signal);
  const { expression } = query;
  const ofPrefixes = await prefixTermsOf(segments, expression);
  const asked = await rankRequest(input, content, ofPrefixes, candidateTrace);
  const ranking = await Ranking.of(asked);
  trace?.enter("query_processing", queryFacts(input, asked, filter !== undefined), { terms: asked.terms });
  await turn();
  // There are nearest vectors for every question. A chunk without a word of the question or a similar word is not an
  // answer, unless a model on a server tells: it may know languages that the built-in table does not.
  // A boolean query defines which chunks are answers.
  const isKnown = expression !== undefined || mode === "semantic" || meaning === undefined ||
    input.isServer && input.neural.length > 0;
  const isLike = ({ chance }: RankedChunk) => chance > 0 || isKnown;
  const least = leastChance(request.minDegree ?? "low");
  const isHighEnough = ({ chance }: RankedChunk) => (content.isEmpty ? 0 : chance) >= least;
  const candidates = (hits: number) => Math.max(config.fts_topn, hits * CANDIDATES_PER_HIT);
  const reranking = input.rerank === undefined || content.isEmpty ? undefined : new Reranking({
    ...input.rerank,
    segments,
    ranking,
    question: query.text,
    isLike,
    trace: candidateTrace,
  });
  const recency = Recency.of(config.recency, reranking ?? ranking);
  const order = recency ?? reranking ?? ranking;
  const gathering = new Gathering({
    segments,
    ranking: expression === undefined ? order : new CompleteRanking(order, segments),
    perFile,
    candidates,
    hits: first,
    filter,
    isLike,
    isHighEnough,
    trace,
  });
  const dateOf = recency?.dateOf ?? givenDate;
  const shownOf: ShownOf = async (chunks, before) =>
    newestFirst(chunks, { dateOf, shares: await sharesOf(chunks, asked), perFile, before });
  const pages = await passagesUpTo(gathering, { first, offset, limit, shownOf, turn });
  const { selected } = pages;
  const passages = pages.passages.slice(offset, offset + limit);
  if (trace !== undefined) {
    const counts = { considered: gathering.considered.length, selected: selected.length };
    candidateTrace!.list(trace.enter("selection", { counts }), selected);
    trace.enter("passages");
  }
  await turn();
  const words = [
    ...tokenizer.queryTerms(content.text).filter(({ weight }) => weight >= 1),
    ...ofPrefixes,
  ].map(({ term }) => term);
  const [shown] = await Promise.all([
    showHits(segments, passages, words, config.max_chars, content.isEmpty),
    // An explanation names them all.
    request.explain && segments.identities(idsOf(gathering.considered)),
  ]);
  await turn();
  const marking = {
    segments,
    ranking,
    tokenizer,
    finder: input.finder,
    terms: asked.terms,
    meaning,
    passages,
  };
  const hits = await placedHits(shown.hits, shown.pages, request.marks, marking);
  trace?.listHits(hits);

  const isFull = passages.length === limit && gathering.considered.length > selected.length;
  const more = isFull || hits.length < passages.length;
  const { lowerDegree } = gathering;
  const filteredOut = hits.length === 0 && filter !== undefined && filterFor(conditions) !== undefined &&
    !await segments.passesAny(filter);
  const found: Found = present({
    segments,
    hits,
    capped: shown.capped,
    more,
    selected,
    lowerDegree,
    filteredOut,
    filterCounts: filteredOut ? filterCounts(segments.indexes, conditions.filters, below) : undefined,
    mayBeText: filteredOut && query.filters.metadata !== undefined ? true : undefined,
    emptyPart: filteredOut && expression !== undefined
      ? await emptyPart(segments, expression, (expression) => filterFor({ ...NO_WORDS, expression, below })!)
      : undefined,
    lostPhrases: [],
    leftOut: Array.from(pages.leftOut, ([filePath, passages]) => ({ filePath, passages })),
    rerankProblem: reranking?.problem,
  });
  if (!request.explain) return found;
  const considered = {
    segments,
    ranking,
    considered: gathering.considered,
    selected,
    perFile,
    passages,
    shown: hits.length,
    isLike: (chunk: RankedChunk) => isLike(chunk) && isHighEnough(chunk),
  };
  const explanation: Explanation = present({
    mode,
    fusion: asked.fusion,
    model: mode === "keyword" ? undefined : input.model,
    reranker: reranking?.count ? { id: input.rerank!.reranker.id, count: reranking.count } : undefined,
    terms: asked.terms,
    added: input.added,
    phrases: query.phrases,
    excluded: [...query.excluded, ...query.excludedPhrases],
    understood: expression && expressionText(expression),
    weights: ranking.weights,
    chunks: await explainChunks(considered),
  });
  const explained = { ...found, explanation, considered: gathering.considered };
  if (!input.inspects) return explained;
  const state: SearchState = {
    ...{
      query,
      config,
      mode,
      tokenizer,
      below,
      segments,
      asked,
      ranking,
      conditions,
      filter,
      gathering,
      limit,
    },
    ...{
      candidates: candidates(first),
      isLike,
      least,
      selected,
      passages,
      reranker: explanation.reranker?.id,
    },
  };
  return { ...explained, state };
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
async function rankRequest(
  input: AnswerInput,
  content: Content,
  ofPrefixes: readonly QueryTerm[],
  trace: RankTrace | undefined,
): Promise<RankRequest> {
  const { config, segments, searcher, tokenizer, synonyms, mode, model, meaning, neural } = input;
  const terms = queryTerms(tokenizer, content, synonyms);
  const typed = [...terms, ...ofPrefixes.filter(({ term }) => terms.every((other) => other.term !== term))];
  const added = await addedBy(input, typed);
  // With the table, the words themselves are compared.
  const crossing = meaning === undefined ? crossingPairs(tokenizer.fold(content.text)) : undefined;
  return present({
    segments,
    searcher,
    mode,
    model,
    meaning,
    terms: [...typed, ...added],
    text: content.text,
    fusion: config.fusion === "auto" ? "weighted" : config.fusion,
    alpha: alphaOf(input),
    legs: legsOf(config),
    ftsTopn: config.fts_topn,
    vecTopn: config.vec_topn,
    // A text answers a question without the words that were added to it.
    noDemand: added.length === 0 ? crossing : new Set([...crossing ?? [], ...added.map(({ term }) => term)]),
    neural: neural.length > 0 ? neural : undefined,
    trace,
  });
}

function idsOf(chunks: readonly RankedChunk[]): Int32Array {
  return Int32Array.from(chunks, ({ id }) => id).sort();
}

/** Returns the facts about a question for its trace. */
function queryFacts(
  { query: { expression, phrases, excluded }, added }: AnswerInput,
  { mode, terms, legs }: RankRequest,
  isFiltered: boolean,
): Facts {
  return {
    method: expression === undefined ? mode : "boolean",
    legs: [...legs ?? []],
    isFiltered,
    counts: {
      terms: terms.length,
      phrases: phrases.length,
      excluded: excluded.length,
      added: added?.words.length ?? 0,
    },
  };
}

/** Returns the terms that were added to the question. */
async function addedBy(
  { added, segments, tokenizer }: AnswerInput,
  typed: readonly QueryTerm[],
): Promise<QueryTerm[]> {
  if (added === undefined) return [];
  return await addedTerms(tokenizer, typed, added.words, async (terms) => {
    const frequencies = await segments.documentFrequencies(terms);
    return Array.from(
      frequencies,
      (count) => count === 0 ? 0 : inverseDocumentFrequency(segments.size, count),
    );
  });
}

/** Returns the share of the question's words that chunks of which others say the same have, and the others, by their numbers. */
async function sharesOf(
  chunks: readonly SelectedChunk[],
  { segments, terms, noDemand }: RankRequest,
): Promise<Map<number, number>> {
  const alike = chunks.flatMap((chunk) => chunk.also.length === 0 ? [] : [chunk, ...chunk.also]);
  if (alike.length === 0) return new Map();
  const ids = Int32Array.from(alike, ({ id }) => id).sort();
  const { coverage } = await segments.scoreTerms(await segments.lookUp(terms, noDemand), ids);
  return new Map(Array.from(ids, (id, i) => [id, coverage[i]!]));
}

function alphaOf({ config, mode, neural, isServer }: AnswerInput): number {
  // A model on a server is for texts in every language, so a search by meaning alone can rely on it.
  if (mode === "semantic" && isServer) return 1;
  return config.alpha ?? (neural.length === 0 || isServer ? ALPHA : LOCAL_ALPHA);
}

/** Returns the enabled legs. */
function legsOf({ legs, rerank }: Config["search"]): ReadonlySet<LegName> {
  const on = new Set<string>(
    rerank ? legs : legs.filter((leg) => ["translation", "vector", "neural"].includes(leg)),
  );
  return new Set(LEG_NAMES.filter((leg) => leg === "keyword" || on.has(leg)));
}

/** Each step selects this many chunks, and as many more as there are already. */
const STEP = 50;

/** Chunks of all pages together. */
const MAX_CHUNKS = 1000;

/** Returns the chunks that stand for selected ones in the answer. `before`: those of the pages before. */
type ShownOf = (
  chunks: readonly SelectedChunk[],
  before?: readonly SelectedChunk[],
) => Promise<readonly SelectedChunk[]>;

/** The pages to select passages for. */
interface WantedPages {
  /** Number of passages on the first page, on the pages before the wanted one, and on that. */
  readonly first: number;
  readonly offset: number;
  readonly limit: number;
  readonly shownOf: ShownOf;
  readonly turn: () => Promise<void>;
}

/** The passages of some pages. */
interface PagedPassages {
  /** The chunks that stand in the answer. */
  readonly selected: readonly SelectedChunk[];
  readonly leftOut: Selected["leftOut"];
  /** At least the wanted ones, if there are so many. */
  readonly passages: readonly Passage[];
}

/**
 * Returns the passages of the first page and those after it. With more candidates, the ranking would order them otherwise,
 * and more chunks would join. So the passages of the first page stay as they were, and the others follow in steps that
 * do not depend on the page: no passage is repeated or lost.
 */
async function passagesUpTo(
  gathering: Gathering,
  { first, offset, limit, shownOf, turn }: WantedPages,
): Promise<PagedPassages> {
  let { chunks, selected, leftOut, passages } = await selectPassages(gathering, first, shownOf);
  if (offset === 0) return { selected, leftOut, passages };
  while (passages.length < offset + limit && chunks.length < MAX_CHUNKS) {
    await turn();
    const count = Math.min(chunks.length * 2 + STEP, MAX_CHUNKS);
    gathering.deepen(chunks, count);
    const now = await gathering.select(count);
    if (now.chunks.length === chunks.length) break;
    const further = await shownOf(now.chunks.slice(chunks.length), selected);
    passages = [...passages, ...toPassages(further)];
    selected = [...selected, ...further];
    ({ chunks, leftOut } = now);
  }
  return { selected, leftOut, passages };
}

/** Selects chunks for `limit` passages. Chunks that touch become one passage, so up to twice as many are selected. */
async function selectPassages(
  gathering: Gathering,
  limit: number,
  shownOf: ShownOf,
): Promise<PagedPassages & Selected> {
  for (let wanted = limit;;) {
    const { chunks, leftOut } = await gathering.select(wanted);
    const selected = await shownOf(chunks);
    const passages = toPassages(selected);
    if (passages.length === limit || selected.length < wanted || wanted >= 2 * limit) {
      return { chunks, selected, leftOut, passages };
    }
    wanted += limit - passages.length;
  }
}
