import { setImmediate } from "node:timers";
import { type Config, folderConfig } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import { LazyTable, providerId } from "../embedding/mod.ts";
import { Extractor } from "../extract/mod.ts";
import { Tokenizer } from "../index/mod.ts";
import { walkOptions } from "../corpus/mod.ts";
import { isReal } from "../sandbox/mod.ts";
import { answer, type Found } from "./answer.ts";
import type { Answered, Asked } from "./asked.ts";
import type { Catalog } from "./catalog/types.ts";
import { ChunkPlaces } from "./chunk_places.ts";
import { Collection } from "./collection.ts";
import { askedScope } from "./collection_scope.ts";
import { type ServedCollection, servedCollections } from "./served_collections.ts";
import { damageOf } from "./damage.ts";
import { freshnessOf } from "./freshness.ts";
import { HiddenFiles } from "./hidden_files.ts";
import type { LibraryOptions } from "./library_options.ts";
import { NeuralSearch } from "./neural/neural_search.ts";
import { NewerFilesCheck } from "./newer_files.ts";
import { OramaLegs } from "./orama/orama_legs.ts";
import { outdatedFiles, withOutdated } from "./outdated_files.ts";
import { possibleMode } from "./possible_mode.ts";
import { parseQuery, Synonyms } from "./query/mod.ts";
import { queryText } from "./query_text.ts";
import { Meaning } from "./rank/mod.ts";
import { pathTests, servedFolders } from "./inner_rules.ts";
import type { Below } from "./scope.ts";
import { RerankerChoice } from "./reranker_choice.ts";
import { SearchNotices } from "./search_notices.ts";
import { type SearchedFolder, SearchedFolders, withoutDamaged } from "./searched_folders.ts";
import { withNearestFiles, withNearestFolders } from "./with_nearest_files.ts";
import { withServedFolders } from "./with_served_folders.ts";
import { withRestart } from "./with_restart.ts";
import { ServedFiles } from "./served_files.ts";
import type { ServedFolder } from "./served_folder.ts";
import { type Suggestion, suggestWords } from "./suggest_words.ts";
import { folderStore, type OpenIndex } from "../store/mod.ts";
import type {
  Library,
  LineRange,
  OriginalFile,
  RawFile,
  SearchAnswer,
  SearchMode,
  SearchRequest,
  ServedDocument,
} from "./types.ts";

/** Opens folders by their real paths. The first search that needs an index loads it. */
export function openLibrary(roots: readonly string[], config: Config, options: LibraryOptions): Library {
  return new FolderLibrary(roots, config, options);
}

class FolderLibrary implements Library {
  readonly #folders: readonly ServedFolder[];
  readonly #config: Config;
  readonly #files: ServedFiles;
  readonly #added: () => Promise<readonly string[]>;
  readonly #tokenizer = new Tokenizer();
  readonly #legs = new OramaLegs();
  readonly #synonyms: Synonyms;
  /** Id of the model whose vectors the indexes should have; `undefined` without vectors. */
  readonly #model: string | undefined;
  readonly #table: LazyTable;
  #meaning: Meaning | undefined;
  readonly #neural: NeuralSearch | undefined;
  /** Whether the neural model is on a server. */
  readonly #isServer: boolean;
  readonly #rerankers: RerankerChoice;
  readonly #notices: SearchNotices;
  readonly #isKept: (root: string) => boolean;
  readonly #below: Below;
  readonly collections: readonly ServedCollection[];
  readonly #newer: NewerFilesCheck;
  readonly #hidden: HiddenFiles;
  readonly #chunks = new ChunkPlaces();

  constructor(
    roots: readonly string[],
    config: Config,
    {
      added,
      key,
      table = new LazyTable(),
      ownPlaces = [],
      extractor = Extractor.none(),
      indexDirs,
      isKept = () => true,
      below = new Map(),
      models,
      wanted,
      storeOf = (root) => folderStore(root, key, indexDirs),
    }: LibraryOptions,
  ) {
    this.#config = config;
    this.#added = added ?? (() => Promise.resolve([]));
    this.#synonyms = new Synonyms(this.#tokenizer, config.search.synonyms);
    this.#model = providerId(config.embedding);
    this.#table = table;
    this.#neural = models && new NeuralSearch({ models, key, indexDirs, wanted });
    this.#isServer = models?.server !== undefined;
    this.#rerankers = new RerankerChoice(config);
    this.#notices = new SearchNotices(config.language, {
      isServer: this.#isServer,
      makesVectors: wanted !== undefined,
    });
    this.#isKept = isKept;
    this.#below = below;
    this.collections = servedCollections([...new Set(roots)], config);
    const optionsOf = (root: string) => walkOptions(folderConfig(config, root), ownPlaces);
    this.#files = new ServedFiles({
      ...{ roots, config, optionsOf, extractor, key, indexDirs },
      collections: this.collections,
    });
    this.#newer = new NewerFilesCheck(optionsOf);
    this.#hidden = new HiddenFiles(optionsOf);
    this.#folders = servedFolders({ roots, optionsOf, storeOf });
  }

  get roots(): readonly string[] {
    return this.#folders.map(({ root }) => root);
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    // A search waits for nothing else. Without this, thousands of them would delay the end of the input and cancellations.
    await new Promise<void>((resolve) => setImmediate(resolve));
    try {
      return await this.#search(request, signal);
    } catch (error) {
      throw await withRestart(error, this.#added);
    }
  }

  async #search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    const began = performance.now();
    const query = parseQuery(queryText(request));
    const mode = request.mode ?? this.#config.search.mode;
    const { folders, below } = await askedScope(request, this.#places).catch(async (error) => {
      throw await withNearestFolders(error, request.dirPath, this.#folders, this.#files);
    });
    using searched = await SearchedFolders.open(folders);
    signal?.throwIfAborted();
    const neural = mode === "keyword"
      ? undefined
      : await this.#neural?.scoresOf(query.text, searched.indexed, signal);
    const rerank = await this.#rerankers.options(signal);
    const answered = await this.#answer({ request, query, mode, below, neural, rerank, signal }, searched);
    const outdated = await outdatedFiles(answered.found.selected);
    const unkept = answered.folders.filter(({ folder }) => !this.#isKept(folder.root));
    const newer = await this.#newer.of(unkept, below);
    const suggestions = await this.#suggestions({ query, mode }, answered);
    const notices = await this.#notices.of({
      found: answered.found,
      suggestions,
      asked: folders,
      searched: answered.folders,
      below,
      outdated,
      newer,
      added: await this.#added(),
      neural,
    });
    const { hits, explanation, leftOut, more, lowerDegree } = answered.found;
    this.#chunks.noteAll(hits);
    return {
      hits: withOutdated(hits, outdated),
      seconds: (performance.now() - began) / 1000,
      notices: [...answered.notices, ...notices],
      roots: folders.map(({ root }) => root),
      freshness: freshnessOf(answered.folders, {
        isOutdated: outdated.length > 0,
        newer: unkept.length > 0 ? newer : undefined,
      }),
      ...(leftOut.length > 0 && { leftOut }),
      ...(suggestions.length === 0 ? {} : { suggestions }),
      ...(more && { more }),
      ...(lowerDegree > 0 && { lowerDegree }),
      ...(explanation === undefined ? {} : { explanation }),
    };
  }

  get #places() {
    return { folders: this.#folders, below: this.#below, collections: this.collections };
  }

  /** Suggestions for words that may be misspelt. Where something was found, a word of the built-in table is correct. */
  #suggestions(
    { query, mode }: Pick<Asked, "query" | "mode">,
    { found, folders }: Answered,
  ): Promise<Suggestion[]> {
    const meaning = found.hits.length === 0 ? undefined : this.#meaningOf(mode);
    return suggestWords({
      text: query.text,
      indexes: folders.map(({ index }) => index),
      tokenizer: this.#tokenizer,
      isKnown: (word) => {
        const [id = -1, more] = meaning?.wordsOf(word) ?? [];
        return id >= 0 && more === undefined;
      },
    });
  }

  /**
   * Answers from the folders that have an index. An index that turns out to be damaged is given up, and the others answer.
   * Throws `UserError` `index_not_ready` if no index is left, and the errors of {@linkcode possibleMode}.
   */
  async #answer(asked: Asked, { all, indexed }: SearchedFolders): Promise<Answered> {
    // The local models have read the indexes before.
    let folders = withoutDamaged(indexed, ({ damage }) => damage);
    for (;;) {
      if (folders.length === 0) {
        const [first] = all;
        const params = { path: first?.root ?? "", problem: first?.problem ?? "" };
        const isGone = first !== undefined && !await isReal(first.root);
        throw new UserError("index_not_ready", isGone ? { ...params, gone: first.root } : params);
      }
      const { mode, notices } = possibleMode({
        mode: asked.mode,
        isNamed: asked.request.mode === "hybrid",
        model: this.#model,
        language: this.#config.language,
      }, folders);
      const unranked = { ...asked, rerank: undefined };
      try {
        return { found: await this.#answerFrom(folders, asked, mode), notices, folders };
      } catch (error) {
        const damages = await damageOf(error, folders.map(({ index }) => index), {
          table: this.#meaningOf(mode)?.table,
          alone: (index) => this.#answerFrom(folders.filter((each) => each.index === index), unranked, mode),
        });
        if (damages.size === 0) throw error;
        folders = withoutDamaged(folders, (index) => damages.get(index));
      }
    }
  }

  /** Answers from files that the rules of their folders do not leave out by now. */
  async #answerFrom(folders: readonly SearchedFolder[], asked: Asked, mode: SearchMode): Promise<Found> {
    const hidden = new Map(folders.map((one) => [one.index, this.#hidden.known(one)]));
    for (;;) {
      const found = await this.#answerWithout(hidden, folders, asked, mode);
      const others = await this.#hidden.among(found.selected, folders);
      if (others.size === 0) return found;
      for (const [one, paths] of others) {
        // It grows each time, even if the rules change meanwhile.
        hidden.set(one.index, hidden.get(one.index)!.union(paths).union(await this.#hidden.all(one, true)));
      }
    }
  }

  #answerWithout(
    hidden: ReadonlyMap<OpenIndex, ReadonlySet<string>>,
    folders: readonly SearchedFolder[],
    asked: Asked,
    mode: SearchMode,
  ): Promise<Found> {
    const folderOf = new Map(folders.map(({ folder, index }) => [index, folder]));
    const collection = new Collection(
      folders.map(({ index }) => index),
      (index, relative) => folderOf.get(index)!.pathOf(relative),
    );
    return answer({
      request: asked.request,
      query: asked.query,
      config: { ...this.#rerankers.search, ...asked.request.ranking },
      collection,
      searcher: this.#legs.of(collection),
      tokenizer: this.#tokenizer,
      mode,
      model: this.#model,
      meaning: this.#meaningOf(mode),
      isServer: this.#isServer,
      neural: mode === "keyword" ? [] : asked.neural?.scores ?? [],
      synonyms: this.#synonyms,
      rerank: asked.rerank,
      signal: asked.signal,
      below: pathTests(folderOf, asked.below, hidden),
    });
  }

  /** The built-in table, for a search in the mode; `undefined` where nothing has vectors of it. */
  #meaningOf(mode: SearchMode): Meaning | undefined {
    if (mode === "keyword" || this.#model === undefined) return undefined;
    return this.#meaning ??= new Meaning(this.#table.get());
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

  async #orHelp<T>(path: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const told = withServedFolders(error, this.roots);
      throw await withRestart(await withNearestFiles(told, path, this.#folders, this.#files), this.#added);
    }
  }

  async catalog(): Promise<Catalog> {
    const { FolderCatalog } = await import("./catalog/folder_catalog.ts");
    const parts = { ...this.#places, newer: this.#newer, tokenizer: this.#tokenizer, chunks: this.#chunks };
    return new FolderCatalog({
      ...parts,
      hidden: this.#hidden,
      isKept: this.#isKept,
      language: this.#config.language,
    });
  }

  close(): void {
    this.#neural?.[Symbol.dispose]();
    for (const each of [this.#rerankers, ...this.#folders]) each.close();
  }
}
