/**
 * The served folders as one library: opens their indexes, answers searches and requests for documents,
 * and turns damage of an index into an error that names the folder.
 */
import { MAX_QUERY_CHARS } from "#foundation/constants.ts";
import { setImmediate, setTimeout } from "node:timers";
import { type Config, folderConfig } from "#foundation/configuration/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import {
  BUILTIN_ID,
  DamagedWordsError,
  decodeWords,
  LazyTable,
  type NeuralModels,
  providerId,
  type Table,
  TextAnalyzer,
  WordFinder,
} from "#models/embedding/mod.ts";
import { Extractor } from "#library/extract/mod.ts";
import { DamagedIndexError, type IndexKey, Tokenizer } from "#engine/index/mod.ts";
import { walkOptions } from "#library/corpus/mod.ts";
import { isReal, isRefused } from "#foundation/boundary/mod.ts";
import { type AccessLimit, accessMask } from "./access.ts";
import { answer, type Answered, type Found, type Inspect } from "./answer.ts";
import type { Catalog } from "./catalog/types.ts";
import { MarkFinder } from "./find_marks.ts";
import { ChunkLocations, Segments } from "#engine/segments.ts";
import {
  type Below,
  hiddenAmong,
  innerRules,
  isOfStore,
  pathsInside,
  pathTests,
  type RemovedFrom,
  removedFrom,
  type SearchedFolder,
  SearchedFolders,
  ServedFolder,
  withoutDamaged,
} from "./served_folders.ts";
import {
  askedScope,
  type ServedCollection,
  servedCollections,
  type ServedLocations,
} from "./served_collections.ts";
import {
  freshnessOf,
  NewerFilesCheck,
  outdatedFiles,
  SearchNotices,
  withOutdated,
} from "./search_notices.ts";
import type { PictureRequest } from "#documents/mod.ts";
import { ServedFiles, withNearestFiles, withNearestFolders } from "./served_files.ts";
import { type NeuralAnswer, NeuralSearch, type WantedTexts } from "./neural_search.ts";
import { OramaLegs } from "#engine/orama/mod.ts";
import { type ParsedQuery, parseQuery, Synonyms } from "#engine/query/mod.ts";
import { Meaning } from "#engine/rank/mod.ts";
import type { SupportChecker } from "#engine/support/mod.ts";
import type { Added, Rewriter } from "./added_words.ts";
import type { SearchTrace } from "./search_trace.ts";
import type { Facts } from "#foundation/span.ts";
import type { Tracer } from "#traces/types.ts";
import {
  type OpenLanguageModel,
  RerankerChoice,
  type RerankOptions,
  type RerankRefusal,
} from "./reranking.ts";
import { type Suggestion, suggestWords } from "./suggest_words.ts";
import { type IndexDirs, type OpenIndex, openStore, type Store } from "#library/store/mod.ts";
import {
  type CheckedSupport,
  type Library,
  type LineRange,
  type OriginalFile,
  type RawFile,
  type SearchAnswer,
  type SearchMode,
  type SearchRequest,
  type ServedDocument,
  type ServedPictures,
  type SupportOptions,
} from "./types.ts";
import { message, type MessageKey } from "#foundation/messages/mod.ts";
import type { WhyNot, WhyNotRequest } from "./why_not/types.ts";

/** Opens folders by their real paths. The first search that needs an index loads it. */
export function openLibrary(roots: readonly string[], config: Config, options: LibraryOptions): Library {
  return new FolderLibrary(roots, config, options);
}

/** Time that a check of an answer computes at a stretch. The longest check takes one to two seconds. */
const SLICE_MS = 8;

class FolderLibrary implements Library {
  readonly #folders: readonly ServedFolder[];
  readonly #config: Config;
  readonly #options: LibraryOptions;
  readonly #files: ServedFiles;
  readonly #tokenizer = new Tokenizer();
  readonly #finder = new MarkFinder(this.#tokenizer);
  readonly #legs = new OramaLegs();
  readonly #synonyms: Synonyms;
  /** Id of the model whose vectors the indexes should have; `undefined` without vectors. */
  readonly #model: string | undefined;
  readonly #table: LazyTable;
  #meaning: Meaning | undefined;
  #checker: SupportChecker | undefined;
  readonly #neural: NeuralSearch | undefined;
  /** Whether the neural model is on a server. */
  readonly #isServer: boolean;
  readonly #rerankers: RerankerChoice;
  readonly #notices: SearchNotices;
  readonly #newer = new NewerFilesCheck();
  /** Whether some documents must not be known. Then nothing is said about files that no index has. */
  readonly #isLimited: boolean;
  readonly #chunks = new ChunkLocations();
  #tracing: typeof import("./search_trace.ts") | undefined;
  readonly collections: readonly ServedCollection[];

  constructor(roots: readonly string[], config: Config, options: LibraryOptions) {
    const { key, ownPlaces = [], extractor = Extractor.none(), indexDirs, models, wanted, storeOf } = options;
    this.#config = config;
    this.#options = options;
    this.#synonyms = new Synonyms(this.#tokenizer, config.search.synonyms);
    this.#model = providerId(config.embedding);
    this.#table = options.table ?? new LazyTable();
    this.#rerankers = new RerankerChoice(config, options);
    this.#isServer = models?.server !== undefined;
    this.#notices = new SearchNotices(config.language, this.#isServer, wanted !== undefined);
    const unique = [...new Set(roots)];
    const optionsOf = (root: string) => walkOptions(folderConfig(config, root), ownPlaces);
    const { access: limits = [], others } = options;
    this.#folders = unique.map((root) => {
      const store = openStore(config, root, {
        indexKey: key,
        indexDirs,
        storeOf,
        isLimited: others !== undefined,
      });
      const access = accessMask(limits, pathsInside(root, others ?? []));
      return new ServedFolder(store, optionsOf(root), innerRules(root, unique, optionsOf), access);
    });
    this.#isLimited = this.#folders.some(({ access }) => access !== undefined);
    this.#neural = models && new NeuralSearch(models, wanted);
    this.collections = servedCollections(unique, config);
    this.#files = new ServedFiles(this.#folders, this.collections, config, extractor);
  }

  get roots(): readonly string[] {
    return this.#folders.map(({ root }) => root);
  }

  /** The folders that were indexed since the start. */
  async #added(): Promise<readonly string[]> {
    return this.#isLimited ? [] : await this.#options.added?.() ?? [];
  }

  /** Whether something keeps the index of a folder current. */
  readonly #isKept = (root: string): boolean => this.#options.isKept?.(root) ?? true;

  /** Whether the files of a folder are compared with its index, to say how many are newer. */
  readonly #isCompared = (root: string): boolean => !this.#isLimited && !this.#isKept(root);

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    // A search waits for nothing else. Without this, thousands of them would delay the end of the input and cancellations.
    await new Promise<void>((resolve) => setImmediate(resolve));
    try {
      return await this.#search(request, signal).catch(async (error) => {
        if (!await this.#hasLost(error)) throw error;
        return await this.#search(request, signal);
      });
    } catch (error) {
      throw await this.#withRestart(error);
    }
  }

  /**
   * Whether a search failed because an index was replaced while it was read, or because a part of one does not answer any more. The others
   * answer without it.
   */
  async #hasLost(error: unknown): Promise<boolean> {
    if (!isOfStore(error)) return false;
    if (error.key === "store_index_replaced") return true;
    const before = this.#folders.map(({ version }) => version);
    await Promise.all(this.#folders.map((folder) => folder.refresh()));
    return this.#folders.some(({ version, lacking }, i) => version !== before[i] && lacking.length > 0);
  }

  /** A search, traced if the request has a span or there is a tracer. */
  async #search(request: SearchRequest, signal: AbortSignal | undefined): Promise<SearchAnswer> {
    const tracer = request.span === undefined ? await this.#options.traces?.() : undefined;
    if (request.span === undefined && tracer === undefined) return await this.#run(request, signal);
    // An import that is done takes as long as three stages.
    const { answerFacts, requestFacts, SearchTrace } = this.#tracing ??= await import("./search_trace.ts");
    const facts = {
      method: request.mode ?? this.#config.search.mode,
      ...(request.principal !== undefined && { principal: request.principal }),
    };
    const span = request.span?.child("query", facts) ??
      tracer!.begin("query", facts, { parent: request.traceParent });
    span.after(() => {
      const { facts, texts } = requestFacts(request);
      span.add(facts, texts);
    });
    try {
      const answer = await this.#run(request, signal, new SearchTrace(span));
      span.after(() => span.add(answerFacts(answer)));
      span.end();
      return { ...answer, trace: span.trace };
    } catch (error) {
      span.end(error);
      throw error;
    }
  }

  /** `inspect`: called with the result of the search while the indexes are open. */
  async #run(
    request: SearchRequest,
    signal?: AbortSignal,
    trace?: SearchTrace,
    inspect?: Inspect,
  ): Promise<SearchAnswer> {
    const began = performance.now();
    trace?.enter("query_processing");
    const query = parseQuery(queryText(request));
    const mode = request.mode ?? this.#config.search.mode;
    const { folders, below } = await askedScope(request, this.#locations).catch(async (error) => {
      throw await withNearestFolders(error, request.dirPath, this.#folders, this.#files);
    });
    const removed = removedFrom(folders);
    const searched = await SearchedFolders.open(folders);
    using _leases = trace?.keeping(searched) ?? searched;
    signal?.throwIfAborted();
    const roots = folders.map(({ root }) => root);
    trace?.enter("query_processing", this.#placeFacts(roots, searched));
    const asked = performance.now();
    let spent = 0;
    const [neural, added] = await Promise.all([
      mode === "keyword" ? undefined : this.#neural?.scoresOf(query.text, searched.indexed, signal, trace),
      this.#addedTo(query, request, roots, signal, trace)
        .finally(() => spent = (performance.now() - asked) / 1000),
    ]);
    trace?.enter("query_processing");
    const rerank = await this.#rerankers.options(roots, signal, spent);
    const answered = await this.#answer(
      {
        ...{ request, query, mode, below, neural, added, rerank, removed, signal, trace },
        inspects: inspect !== undefined,
      },
      searched,
    );
    await inspect?.(answered);
    trace?.enter("freshness");
    // the files of a part that is missing are not newer
    const unkept = answered.folders.filter(({ folder }) =>
      this.#isCompared(folder.root) && folder.lacking.length === 0
    );
    const [suggestions, outdated] = await Promise.all([
      this.#suggestions({ query, mode }, answered),
      outdatedFiles(answered.found.selected, answered.folders),
    ]);
    const newer = await this.#newer.of(unkept, below);
    const unsearched = folders.filter((folder) => answered.folders.every((one) => one.folder !== folder));
    const notices = await this.#notices.of({
      found: answered.found,
      suggestions,
      unsearched,
      searched: answered.folders,
      below,
      outdated,
      newer,
      added: await this.#added(),
      neural,
      unwritten: added?.problem,
    });
    trace?.leave();
    const { hits, explanation, filterCounts, leftOut, more, lowerDegree } = answered.found;
    const damaged = unsearched.filter(({ isDamaged }) => isDamaged).map(({ root }) => root);
    this.#chunks.noteAll(hits);
    return present({
      hits: withOutdated(hits, outdated),
      seconds: (performance.now() - began) / 1000,
      notices: [...answered.notices, ...notices],
      roots,
      damaged: damaged.length > 0 ? damaged : undefined,
      freshness: this.#isLimited
        ? undefined
        : freshnessOf(answered.folders, outdated.length > 0, unkept.length > 0 ? newer : undefined),
      leftOut: leftOut.length > 0 ? leftOut : undefined,
      filterCounts,
      suggestions: suggestions.length > 0 ? suggestions : undefined,
      more: more || undefined,
      lowerDegree: lowerDegree > 0 ? lowerDegree : undefined,
      explanation,
    });
  }

  /** Returns the facts about the searched folders for a trace. */
  #placeFacts(roots: readonly string[], { indexed }: SearchedFolders): Facts {
    const names = this.collections.filter(({ root }) => roots.includes(root)).map(({ name }) => name);
    const chunks = indexed.reduce((sum, { index }) => sum + index.statistics.chunks, 0);
    return { collections: names, counts: { folders: roots.length, indexed: indexed.length, chunks } };
  }

  /** The words that are added to a question. The code for them is loaded when there may be some. */
  async #addedTo(
    query: ParsedQuery,
    { history = [], rewriteShare }: SearchRequest,
    roots: readonly string[],
    signal: AbortSignal | undefined,
    trace: SearchTrace | undefined,
  ): Promise<Added | undefined> {
    const rewriter = await this.#options.rewriter?.(roots);
    if (rewriter === undefined && history.length === 0) return undefined;
    trace?.leave();
    const span = trace?.span.child("rewrite", { method: rewriter === undefined ? "history" : "llm" });
    const { addedWords } = await import("./added_words.ts");
    const added = await addedWords(query, history, rewriter, signal, rewriteShare);
    const { words = [], model, hasFailed, problem } = added ?? {};
    span?.add({
      ...(model !== undefined && { provider: model }),
      counts: { words: words.length },
      ...(hasFailed && { fallback: "question_alone", reason: problem?.key ?? "no_answer" }),
    }, { words });
    span?.end();
    return added;
  }

  get #locations(): ServedLocations {
    const { below = new Map() } = this.#options;
    return { folders: this.#folders, below, collections: this.collections };
  }

  /** Suggestions for words that may be misspelt. Where something was found, a word of the built-in table is correct. */
  #suggestions(
    { query, mode }: Pick<Query, "query" | "mode">,
    { found }: Answered,
  ): Promise<Suggestion[]> {
    const meaning = found.hits.length === 0 ? undefined : this.#meaningOf(mode);
    return suggestWords(query.text, found.segments, this.#tokenizer, (word) => {
      const [id = -1, more] = meaning?.wordsOf(word) ?? [];
      return id >= 0 && more === undefined;
    });
  }

  /**
   * Answers from the folders that have an index. An index that turns out to be damaged is given up, and the others answer.
   * Throws `UserError` `index_not_ready` if no index is left, and the errors of {@linkcode possibleMode}.
   */
  async #answer(asked: Query, { all, indexed }: SearchedFolders): Promise<Answered> {
    // The local models have read the indexes before.
    let folders = withoutDamaged(indexed, ({ damage }) => damage);
    for (;;) {
      if (folders.length === 0) {
        const unavailable = all.find(({ unavailable }) => unavailable !== undefined);
        if (unavailable !== undefined) throw unavailable.unavailable;
        const [first] = all;
        const place = first === undefined || first.isHere ? {} : { elsewhere: first.store.location };
        const params = { path: first?.root ?? "", problem: first?.problem ?? "", ...place };
        const isGone = first !== undefined && first.isHere && !await isReal(first.root);
        throw new UserError("index_not_ready", isGone ? { ...params, gone: first.root } : params);
      }
      const isNamed = asked.request.mode === "hybrid";
      const { mode, notices } = possibleMode(
        asked.mode,
        isNamed,
        this.#model,
        this.#config.language,
        folders,
      );
      if (mode !== asked.mode) {
        asked.trace?.span.add({ method: mode, fallback: mode, reason: "hybrid_without_vectors" });
      }
      const unranked = { ...asked, rerank: undefined, trace: undefined };
      try {
        return { found: await this.#answerFrom(folders, asked, mode), notices, folders };
      } catch (error) {
        asked.signal?.throwIfAborted();
        asked.trace?.enter("query_processing");
        const alone = (index: OpenIndex) =>
          this.#answerFrom(folders.filter((each) => each.index === index), unranked, mode);
        const indexes = folders.map(({ index }) => index);
        const damages = await damageOf(error, indexes, this.#meaningOf(mode)?.table, alone);
        if (damages.size === 0) throw error;
        asked.trace?.enter("query_processing", {
          fallback: "other_indexes",
          reason: "index_damaged",
          counts: { givenUp: damages.size },
        });
        folders = withoutDamaged(folders, (index) => damages.get(index));
      }
    }
  }

  /** Answers from files that the rules of their folders do not leave out by now. */
  async #answerFrom(folders: readonly SearchedFolder[], asked: Query, mode: SearchMode): Promise<Found> {
    const hidden = new Map(folders.map(({ folder, index }) => [index, folder.knownHidden(index)]));
    for (;;) {
      const found = await this.#answerWithout(hidden, folders, asked, mode);
      asked.trace?.enter("freshness", { method: "rules" });
      const others = await hiddenAmong(
        [...found.selected, ...found.considered ?? []],
        folders,
        asked.removed,
      );
      if (others.size === 0) return found;
      asked.trace?.enter("query_processing", { reason: "files_left_out" });
      for (const [{ folder, index }, paths] of others) {
        // It grows each time, even if the rules change meanwhile.
        hidden.set(index, hidden.get(index)!.union(paths).union(await folder.hiddenFiles(index, true)));
      }
    }
  }

  #answerWithout(
    hidden: ReadonlyMap<OpenIndex, ReadonlySet<string>>,
    folders: readonly SearchedFolder[],
    asked: Query,
    mode: SearchMode,
  ): Promise<Found> {
    const folderOf = new Map(folders.map(({ folder, index }) => [index, folder]));
    const segments = new Segments(
      folders.map(({ index }) => index),
      (index, relative) => folderOf.get(index)!.pathOf(relative),
      asked.signal,
    );
    return answer({
      request: asked.request,
      query: asked.query,
      config: { ...this.#rerankers.search, ...asked.request.ranking },
      segments,
      searcher: this.#legs.of(segments),
      tokenizer: this.#tokenizer,
      finder: this.#finder,
      mode,
      model: this.#model,
      meaning: this.#meaningOf(mode),
      isServer: this.#isServer,
      neural: mode === "keyword" ? [] : asked.neural?.scores ?? [],
      synonyms: this.#synonyms,
      added: asked.added,
      rerank: asked.rerank,
      signal: asked.signal,
      trace: asked.trace,
      inspects: asked.inspects,
      below: pathTests(folderOf, asked.below, hidden),
    });
  }

  /** The built-in table, for a search in the mode; `undefined` where nothing has vectors of it. */
  #meaningOf(mode: SearchMode): Meaning | undefined {
    if (mode === "keyword" || this.#model === undefined) return undefined;
    return this.#meaning ??= new Meaning(new TextAnalyzer(this.#table.get()));
  }

  async readRawFile(path: string, range: LineRange = {}, signal?: AbortSignal): Promise<RawFile> {
    return await this.#orHelp(path, this.#files.readRaw(path, range, signal));
  }

  async readDocument(path: string, signal?: AbortSignal): Promise<ServedDocument> {
    return await this.#orHelp(path, this.#files.readDocument(path, signal));
  }

  async readOriginal(path: string, maxBytes: number, signal?: AbortSignal): Promise<OriginalFile> {
    return await this.#orHelp(path, this.#files.readOriginal(path, maxBytes, signal));
  }

  async readPictures(path: string, request: PictureRequest, signal?: AbortSignal): Promise<ServedPictures> {
    return await this.#orHelp(path, this.#files.readPictures(path, request, signal));
  }

  async #orHelp<T>(path: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const told = withServedFolders(error, this.roots);
      throw await this.#withRestart(await withNearestFiles(told, path, this.#folders, this.#files));
    }
  }

  /** An error, or one that also names the folders that are served after a restart, as `added`: a path that is refused may lie there. */
  async #withRestart(error: unknown): Promise<unknown> {
    if (!(error instanceof UserError) || !REFUSALS.has(error.key)) return error;
    const folders = await this.#added();
    if (folders.length === 0) return error;
    return new UserError(error.key, { ...error.params, added: folders.join(", ") }, { cause: error });
  }

  async catalog(): Promise<Catalog> {
    const { FolderCatalog } = await import("./catalog/folder_catalog.ts");
    return new FolderCatalog({
      ...this.#locations,
      newer: this.#newer,
      tokenizer: this.#tokenizer,
      chunks: this.#chunks,
      isKept: this.#isKept,
      isLimited: this.#isLimited,
      language: this.#config.language,
    });
  }

  async whyNot(request: WhyNotRequest, signal?: AbortSignal): Promise<WhyNot> {
    const { whyNot } = await import("./why_not/why_not.ts");
    const parts = {
      ...this.#locations,
      files: this.#files,
      config: this.#config,
      tokenizer: this.#tokenizer,
      isLimited: this.#isLimited,
      ownPlaces: this.#options.ownPlaces ?? [],
      catalog: () => this.catalog(),
      search: async (request: SearchRequest, inspect: Inspect) =>
        await this.#run(request, signal, undefined, inspect),
    };
    return await whyNot(request, parts, signal);
  }

  async checkSupport(
    answer: string,
    passages: readonly string[],
    { signal, roots }: SupportOptions = {},
  ): Promise<CheckedSupport> {
    const { SupportChecker } = await import("#engine/support/mod.ts");
    const table = this.#table.get();
    const checker = this.#checker ??= new SupportChecker(table, new WordFinder(table));
    const sentences = await inSlices(checker.steps(answer, passages), signal);
    const { llm, language } = this.#config;
    if (roots === undefined || passages.length === 0 || !llm.tasks.includes("verify")) {
      return { sentences, notices: [] };
    }
    const model = await this.#options.languageModel?.("verify", roots);
    if (model === undefined) return { sentences, notices: [] };
    const { ModelCheck } = await import("./model_check.ts");
    const { Grounding } = await import("#library/generate/mod.ts");
    const modelCheck = new ModelCheck(model, llm.prompts);
    const grounding = new Grounding(table, new WordFinder(table));
    const judged = await modelCheck.judged(sentences, passages, { checker, grounding }, signal);
    return { sentences: judged, model: model.id, notices: modelCheck.notices(language) };
  }

  close(): void {
    this.#neural?.[Symbol.dispose]();
    for (const each of [this.#rerankers, ...this.#folders]) each.close();
  }
}

/** Finishes a computation in slices, between which other work goes on. */
async function inSlices<Result>(steps: Generator<undefined, Result>, signal?: AbortSignal): Promise<Result> {
  for (let began = performance.now();;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < SLICE_MS) continue;
    // An immediate would come before the reads of files that a search waits for.
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
    signal?.throwIfAborted();
    began = performance.now();
  }
}

/** Options of a library. */
export interface LibraryOptions {
  /** Returns folders that were indexed since the start. They are not served before a restart, and answers say so. */
  readonly added?: () => Promise<readonly string[]>;
  /** The key with which the indexes must be sealed. */
  readonly key: IndexKey;
  /** The documents that may be known of: those that all of these allow. Default: all. */
  readonly access?: readonly AccessLimit[] | undefined;
  /**
   * Real paths of folders that are served to others and that the clients of this library may not know of, also where they lie inside one of
   * its folders. Default: none.
   */
  readonly others?: readonly string[] | undefined;
  /** Data folders that are not `DIR/.muxue_rag`. */
  readonly indexDirs?: IndexDirs | undefined;
  /** The local models that questions are given to. The library does not close them. Default: none. */
  readonly models?: NeuralModels | undefined;
  /** Returns the model that rewrites questions to folders with these real paths. Default: none. */
  readonly rewriter?: ((roots: readonly string[]) => Promise<Rewriter | undefined>) | undefined;
  /** Opens the language model that orders hits, by its task `rerank`. Default: none. */
  readonly languageModel?: OpenLanguageModel | undefined;
  /** Returns why the configured reranker must not get texts of folders with these real paths. Default: it may get them. */
  readonly rerankRefusal?: RerankRefusal | undefined;
  /** Traces searches whose requests have no span. Default: they are not traced. */
  readonly traces?: (() => Promise<Tracer | undefined>) | undefined;
  /** Is told of the texts that have no vector of a local model. */
  readonly wanted?: WantedTexts | undefined;
  /** The built-in table, if it is already loaded. */
  readonly table?: LazyTable;
  /** Real paths of the program's own files and folders. Clients cannot read them, even inside a served folder. */
  readonly ownPlaces?: readonly string[] | undefined;
  /** Only files below these paths are searched, unless a request names a folder. */
  readonly below?: Below | undefined;
  /** Reads documents. Without it, documents cannot be read. The library does not close it. */
  readonly extractor?: Extractor;
  /**
   * Whether something keeps the index of a folder current. If not, its files are compared with it before a search. Default:
   * yes.
   */
  readonly isKept?: (root: string) => boolean;
  /** Opens the store of a folder. Default: as the configuration says. */
  readonly storeOf?: (root: string) => Store;
}

/** A parsed search request. */
interface Query {
  readonly request: SearchRequest;
  readonly query: ParsedQuery;
  /** The requested mode. */
  readonly mode: SearchMode;
  readonly below: Below;
  readonly neural: NeuralAnswer | undefined;
  readonly added: Added | undefined;
  readonly rerank: RerankOptions | undefined;
  readonly removed: RemovedFrom;
  readonly signal: AbortSignal | undefined;
  readonly trace: SearchTrace | undefined;
  readonly inspects: boolean;
}

/** Chunks whose words are read at once. */
const BATCH = 4096;

/**
 * Returns the damaged indexes that made a search fail, with the problem in English. `error` is the error of the search. If
 * no index has noted damage, each is searched `alone`, because an error from a wrong number does not name the index. Empty if
 * no index is at fault. `table`: the one with which words were compared.
 */
async function damageOf(
  error: unknown,
  indexes: readonly OpenIndex[],
  table: Table | undefined,
  alone: (index: OpenIndex) => Promise<unknown>,
): Promise<Map<OpenIndex, string>> {
  const damages = new Map<OpenIndex, string>();
  if (error instanceof UserError) return damages;
  const wrongWords = error instanceof DamagedWordsError && table !== undefined;
  for (const index of indexes) {
    const problem = index.damage ??
      (wrongWords && !await hasSoundWords(index, table) ? error.message : undefined);
    if (problem !== undefined) damages.set(index, problem);
  }
  if (damages.size > 0) return damages;
  for (const index of indexes) {
    try {
      await alone(index);
    } catch (error) {
      damages.set(index, index.damage ?? reasonOf(error));
    }
  }
  // An error with every index, or with the only one, is a fault of this program.
  const isOurs = damages.size === indexes.length && !(error instanceof DamagedIndexError);
  return isOurs ? new Map() : damages;
}

/** Returns whether the words of every chunk can be decoded. A decoding error does not name the index. */
async function hasSoundWords(index: OpenIndex, { englishCount, wordCount }: Table): Promise<boolean> {
  // Words of another model are never decoded.
  if (index.vectors?.model !== BUILTIN_ID) return true;
  const count = index.statistics.chunks;
  try {
    for (let from = 0; from < count; from += BATCH) {
      const chunks = Int32Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => from + i);
      for (const words of await index.words(chunks)) {
        if (words !== undefined) decodeWords(words, englishCount, wordCount);
      }
    }
    return true;
  } catch (error) {
    if (error instanceof DamagedWordsError || error instanceof DamagedIndexError) return false;
    throw error;
  }
}

/** The keys of errors for paths outside of the served folders. */
const REFUSALS: ReadonlySet<MessageKey> = new Set(["no_permission", "dir_not_served", "index_not_ready"]);

/**
 * Returns an error, or, for the path of a file outside of the served folders, one that also has these folders as `served`: the
 * message that the contract fixes speaks of permissions. It is the same whether the file exists or not.
 */
function withServedFolders(error: unknown, roots: readonly string[]): unknown {
  if (!(error instanceof UserError) || error.key !== "no_permission") return error;
  // A file that the settings leave out has a reason, and one that the system refuses has a cause.
  if (error.params.reason !== undefined || isRefused(error.cause)) return error;
  return new UserError(error.key, { ...error.params, served: roots.join(", ") }, { cause: error });
}

/** The text of a query that is looked at. Throws `UserError` `empty_query`. */
function queryText({ query }: SearchRequest): string {
  const text = query.trim().slice(0, MAX_QUERY_CHARS);
  if (text === "") throw new UserError("empty_query");
  return text;
}

/**
 * Returns the mode that the folders can answer in, with notices about it. `isNamed`: whether the request itself names `hybrid`. `model`: the
 * embedding model that is set, if any. Throws `UserError` `mode_without_vectors` where `semantic` is not possible.
 */
function possibleMode(
  mode: SearchMode,
  isNamed: boolean,
  model: string | undefined,
  language: Config["language"],
  folders: readonly SearchedFolder[],
): { mode: SearchMode; notices: string[] } {
  if (mode === "keyword") return { mode, notices: [] };
  const ours = folders.filter(({ index }) => model !== undefined && index.vectors?.model === model);
  if (ours.length > 0) {
    const others = folders.filter((folder) => !ours.includes(folder));
    const say = (path: string) => message(language, "folder_of_other_model", { path });
    return { mode, notices: others.map(({ folder: { root } }) => say(root)) };
  }
  if (mode === "semantic") throw new UserError("mode_without_vectors");
  // a user who has switched the vectors off is not told
  const isSurprising = isNamed || model !== undefined;
  return { mode: "keyword", notices: isSurprising ? [message(language, "hybrid_without_vectors")] : [] };
}
