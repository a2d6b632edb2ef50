import type { Config } from "../config/mod.ts";
import type { Filter, IndexReader } from "../index/mod.ts";
import type { OramaDatabase } from "../index/mod.ts";
import { explainChunks, type Explanation } from "./explain.ts";
import { Gathering } from "./gather.ts";
import { type Passage, toPassages } from "./passages.ts";
import { contentOf, filterFor, filtersOf, type ParsedQuery, queryTerms, type Synonyms } from "./query/mod.ts";
import { LEG_NAMES, type LegName, type Meaning, type RankedChunk, Ranking } from "./rank/mod.ts";
import type { SelectedChunk } from "./select.ts";
import { showHits } from "./show.ts";
import type { Hit, SearchMode, SearchRequest } from "./types.ts";

/** Candidates for each hit wanted, so that the limit per file seldom asks for a second look. */
const CANDIDATES_PER_HIT = 10;

/** Input of one answer. */
export interface AnswerInput {
  readonly request: SearchRequest;
  /** The request's query, taken apart. */
  readonly query: ParsedQuery;
  readonly config: Config["search"];
  readonly database: OramaDatabase;
  /** The mode that was possible: without vectors it is `keyword`. */
  readonly mode: SearchMode;
  /** Id of what the vectors are of, the built-in table, or the question's vector by an outside model. */
  readonly model: string | undefined;
  readonly meaning: Meaning | undefined;
  readonly queryVector: Float32Array | undefined;
  readonly synonyms: Synonyms;
  /** The folder searched, if it is not all of them. */
  readonly within: Filter | undefined;
  readonly pathOf: (hit: { readonly reader: IndexReader; readonly chunk: number }) => string;
}

/** The hits, before they are told. */
export interface Found {
  readonly hits: readonly Hit[];
  readonly capped: boolean;
  readonly selected: readonly SelectedChunk[];
  /** There are filters, and they let no chunk through. That the folder searched holds none is not meant. */
  readonly filteredOut: boolean;
  /** Phrases that nothing holds: the answer was found without asking for them. */
  readonly lostPhrases: readonly string[];
  readonly explanation?: Explanation;
}

/**
 * Answers one question, without awaiting anything: the readers may be closed by another search's refresh. Quotation marks
 * are part of many a question, so phrases that nothing holds are not insisted on. Throws the errors of
 * {@linkcode filtersOf}, `DamagedIndexError` and `DamagedWordsError`.
 */
export function answer(input: AnswerInput): Found {
  const { phrases } = input.query;
  const found = search(input);
  if (found.selected.length > 0 || phrases.length === 0) return found;
  return { ...search({ ...input, query: { ...input.query, phrases: [] } }), lostPhrases: phrases };
}

function search(input: AnswerInput): Found {
  const { request, query, config, database, mode, meaning, queryVector, synonyms, pathOf } = input;
  const { tokenizer } = database;
  const content = contentOf(query.text);
  const terms = queryTerms(tokenizer, content, synonyms);
  const conditions = { ...query, filters: [query.filters, filtersOf(request.filters ?? {})] };
  const filter = filterFor(tokenizer, { ...conditions, within: input.within });

  const limit = request.topK ?? config.top_k;
  const fusion = config.fusion === "auto" ? (meaning === undefined ? "rrf" : "weighted") : config.fusion;
  const ranking = new Ranking({
    collection: database.collection,
    searcher: database,
    terms,
    text: content.text,
    mode,
    fusion,
    alpha: config.alpha,
    legs: legsOf(config),
    ftsTopn: Math.max(config.fts_topn, limit * 2),
    vecTopn: Math.max(config.vec_topn, limit),
    ...(queryVector === undefined ? {} : { queryVector }),
    ...(input.model === undefined ? {} : { model: input.model }),
    ...(meaning === undefined ? {} : { meaning }),
  });
  // the nearest vectors are there whatever is asked; with no word in common or alike they say nothing
  const isLike = ({ coverage }: RankedChunk) => coverage > 0 || mode === "semantic" || meaning === undefined;
  const gathering = new Gathering(ranking, {
    perFile: config.per_doc_limit,
    candidates: Math.max(config.fts_topn, limit * CANDIDATES_PER_HIT),
    filter,
    isLike,
    pathOf,
  });
  const { selected, passages } = selectPassages(gathering, limit);
  const { hits, capped } = showHits(
    passages,
    database.wordsOf(content.text),
    config.max_chars,
    content.isEmpty,
  );
  const filteredOut = hits.length === 0 && filter !== undefined && passesNothing(filter, database) &&
    filterFor(tokenizer, { ...conditions, within: undefined }) !== undefined;
  if (!request.explain) return { hits, capped, selected, filteredOut, lostPhrases: [] };
  const chunks = explainChunks({
    considered: gathering.considered,
    selected,
    perFile: config.per_doc_limit,
    isLike,
    passages,
    shown: hits.length,
    pairsOf: ({ reader, chunk }) => ranking.pairs(reader, chunk),
  });
  const explanation: Explanation = {
    mode,
    fusion,
    ...(input.model === undefined || mode === "keyword" ? {} : { model: input.model }),
    terms,
    phrases: query.phrases,
    excluded: [...query.excluded, ...query.excludedPhrases],
    weights: ranking.weights,
    chunks,
  };
  return { hits, capped, selected, filteredOut, lostPhrases: [], explanation };
}

/** Touching chunks are shown as one: what they leave free is filled, up to twice as many chunks. */
function selectPassages(
  gathering: Gathering,
  limit: number,
): { selected: readonly SelectedChunk[]; passages: readonly Passage[] } {
  for (let wanted = limit;;) {
    const selected = gathering.select(wanted);
    const passages = toPassages(selected);
    if (passages.length === limit || selected.length < wanted || wanted >= 2 * limit) {
      return { selected, passages };
    }
    wanted += limit - passages.length;
  }
}

function passesNothing(filter: Filter, { collection }: OramaDatabase): boolean {
  return collection.readers.every((reader) => filter(reader)?.includes(1) === false);
}

/** The legs that are on. */
function legsOf({ legs, rerank }: Config["search"]): ReadonlySet<LegName> {
  const on = new Set<string>(rerank ? legs : legs.filter((leg) => leg === "translation" || leg === "vector"));
  return new Set(LEG_NAMES.filter((leg) => leg === "keyword" || on.has(leg)));
}
