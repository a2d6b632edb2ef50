import type { Config } from "../config/mod.ts";
import { BUILTIN_ID, type LazyTable } from "../embedding/mod.ts";
import { UserError } from "../errors.ts";
import { Extractor } from "../extract/mod.ts";
import { type IndexKey, Tokenizer } from "../index/mod.ts";
import { walkOptions } from "../corpus/mod.ts";
import { isReal } from "../sandbox/mod.ts";
import { message, type MessageKey, type MessageParams } from "../messages.ts";
import { answer, type Found } from "./answer.ts";
import { Collection } from "./collection.ts";
import { damageOf } from "./damage.ts";
import { type NewerFiles, NewerFilesCheck } from "./newer_files.ts";
import { OramaLegs } from "./orama/orama_legs.ts";
import { outdatedFiles } from "./outdated_files.ts";
import { type ParsedQuery, parseQuery, Synonyms } from "./query/mod.ts";
import { type QueryVector, QueryVectors } from "./query_vectors.ts";
import { scopeOf } from "./scope.ts";
import { type SearchedFolder, SearchedFolders } from "./searched_folders.ts";
import { ServedFiles } from "./served_files.ts";
import { ServedFolder } from "./served_folder.ts";
import { folderStore, type IndexDirs, type IndexStore, type OpenIndex } from "../store/mod.ts";
import { UnreadNotices } from "./unread_notices.ts";
import {
  type Library,
  MAX_QUERY_CHARS,
  type OriginalFile,
  type RawFile,
  type SearchAnswer,
  type SearchMode,
  type SearchRequest,
  type ServedDocument,
} from "./types.ts";

/** Options of a library. */
export interface LibraryOptions {
  /** Returns folders that were indexed since the start. They are not served before a restart, and answers say so. */
  readonly added?: () => Promise<readonly string[]>;
  /** The key with which the indexes must be sealed. */
  readonly key: IndexKey;
  /** Data folders that are not `DIR/.muxue_rag`. */
  readonly indexDirs?: IndexDirs | undefined;
  /** The built-in table, if it is already loaded. */
  readonly table?: LazyTable;
  /** Real paths of the program's own files and folders. Clients cannot read them, even inside a served folder. */
  readonly ownPlaces?: readonly string[] | undefined;
  /** Reads documents. Without it, documents cannot be read. The library does not close it. */
  readonly extractor?: Extractor;
  /** Whether something keeps the index of a folder current. If not, its files are compared with it before a search. Default: yes. */
  readonly isKept?: (root: string) => boolean;
  /** Opens the store of a folder. Default: {@linkcode folderStore}. */
  readonly storeOf?: (root: string) => IndexStore;
}

/** A parsed search request. */
interface Asked {
  readonly request: SearchRequest;
  readonly query: ParsedQuery;
  /** The requested mode. */
  readonly mode: SearchMode;
  /** Search only files below this path of the only folder. */
  readonly below: string | undefined;
  readonly vector: QueryVector;
}

/** The result of a search with its notices and the folders searched. */
interface Answered {
  readonly found: Found;
  readonly notices: readonly string[];
  readonly folders: readonly SearchedFolder[];
}

/** The keys of errors for paths outside of the served folders. */
const REFUSALS: ReadonlySet<MessageKey> = new Set(["no_permission", "dir_not_served", "index_not_ready"]);

/** Opens folders by their real paths. The first search that needs an index loads it. */
export function openLibrary(roots: readonly string[], config: Config, options: LibraryOptions): Library {
  return new FolderLibrary(roots, config, options);
}

/** The text of a query that is looked at. Throws `UserError` `empty_query`. */
function queryOf({ query }: SearchRequest): string {
  const text = query.trim().slice(0, MAX_QUERY_CHARS);
  if (text === "") throw new UserError("empty_query");
  return text;
}

class FolderLibrary implements Library {
  readonly #folders: readonly ServedFolder[];
  readonly #config: Config;
  readonly #files: ServedFiles;
  readonly #added: () => Promise<readonly string[]>;
  readonly #tokenizer = new Tokenizer();
  readonly #legs = new OramaLegs();
  readonly #synonyms: Synonyms;
  readonly #vectors: QueryVectors;
  readonly #unread: UnreadNotices;
  readonly #isKept: (root: string) => boolean;
  readonly #newer: NewerFilesCheck;
  /** Indexes that were searched before. */
  readonly #known = new WeakSet<OpenIndex>();

  constructor(
    roots: readonly string[],
    config: Config,
    {
      added,
      key,
      table,
      ownPlaces = [],
      extractor = Extractor.none(),
      indexDirs,
      isKept = () => true,
      storeOf = (root) => folderStore(root, key, indexDirs),
    }: LibraryOptions,
  ) {
    this.#config = config;
    this.#files = new ServedFiles({ roots, config, ownPlaces, extractor });
    this.#added = added ?? (() => Promise.resolve([]));
    this.#synonyms = new Synonyms(this.#tokenizer, config.search.synonyms);
    this.#vectors = new QueryVectors(config.embedding, table);
    this.#unread = new UnreadNotices(config.language);
    this.#isKept = isKept;
    this.#newer = new NewerFilesCheck(walkOptions(config, ownPlaces));
    this.#folders = [...new Set(roots)].map((root) => new ServedFolder(storeOf(root)));
  }

  get roots(): readonly string[] {
    return this.#folders.map(({ root }) => root);
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    try {
      return await this.#search(request, signal);
    } catch (error) {
      throw await this.#withRestart(error);
    }
  }

  async #search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    const began = performance.now();
    const query = parseQuery(queryOf(request));
    const mode = request.mode ?? this.#config.search.mode;
    const { folders, below } = await scopeOf(request.dirPath, this.#folders);
    const vector = mode === "keyword" ? {} : await this.#vectorOf(query.text, folders, signal);
    using searched = await SearchedFolders.open(folders);
    signal?.throwIfAborted();
    const answered = await this.#answer({ request, query, mode, below, vector }, searched);
    const outdated = await outdatedFiles(answered.found.selected);
    const unkept = answered.folders.filter(({ folder }) => !this.#isKept(folder.root));
    const newer = await this.#newer.of(unkept, below);
    const notices = [
      ...answered.notices,
      ...await this.#unusable(folders, answered.folders),
      ...this.#remarks(answered, below),
      ...await this.#changes(outdated),
      ...this.#newerNotice(newer),
    ];
    const { hits, explanation } = answered.found;
    return {
      hits: outdated.length === 0
        ? hits
        : hits.map((hit) => outdated.includes(hit.filePath) ? { ...hit, outdated: true } : hit),
      seconds: (performance.now() - began) / 1000,
      notices,
      roots: folders.map(({ root }) => root),
      freshness: {
        indexedAt: new Date(
          Math.min(...answered.folders.map(({ index }) => Date.parse(index.meta.indexedAt))),
        ),
        state: outdated.length + newer.count > 0 ? "outdated" : "unknown",
        ...(unkept.length > 0 && (newer.isAll || newer.count > 0) ? { newerFiles: newer.count } : {}),
      },
      ...(explanation === undefined ? {} : { explanation }),
    };
  }

  /**
   * Answers from the folders that have an index. An index that turns out to be damaged is given up, and the others answer.
   * Throws `UserError` `index_not_ready` if no index is left, and the errors of {@linkcode #possibleMode}.
   */
  async #answer(asked: Asked, { all, indexed }: SearchedFolders): Promise<Answered> {
    let folders = indexed;
    for (;;) {
      if (folders.length === 0) {
        const [first] = all;
        const params = { path: first?.root ?? "", problem: first?.problem ?? "" };
        const isGone = first !== undefined && !await isReal(first.root);
        throw new UserError("index_not_ready", isGone ? { ...params, gone: first.root } : params);
      }
      const { mode, notices } = this.#possibleMode(asked, folders);
      const indexes = folders.map(({ index }) => index);
      try {
        return { found: await this.#answerFrom(folders, asked, mode), notices, folders };
      } catch (error) {
        const damages = await damageOf(error, indexes, {
          table: mode === "keyword" ? undefined : this.#vectors.meaning?.table,
          alone: (index) => this.#answerFrom(folders.filter((folder) => folder.index === index), asked, mode),
        });
        if (damages.size === 0) throw error;
        for (const { folder, index } of folders) {
          const problem = damages.get(index);
          if (problem !== undefined) folder.giveUp(index, problem);
        }
        folders = folders.filter(({ index }) => !damages.has(index));
      }
    }
  }

  #answerFrom(folders: readonly SearchedFolder[], asked: Asked, mode: SearchMode): Promise<Found> {
    const folderOf = new Map(folders.map(({ folder, index }) => [index, folder]));
    const collection = new Collection(
      folders.map(({ index }) => index),
      (index, relative) => folderOf.get(index)!.pathOf(relative),
    );
    return answer({
      request: asked.request,
      query: asked.query,
      config: this.#config.search,
      collection,
      searcher: this.#legs.of(collection),
      tokenizer: this.#tokenizer,
      mode,
      model: this.#vectors.model,
      meaning: mode === "keyword" ? undefined : this.#vectors.meaning,
      queryVector: asked.vector.vector,
      synonyms: this.#synonyms,
      below: asked.below,
    });
  }

  /** Notices about folders that were not searched. */
  async #unusable(
    folders: readonly ServedFolder[],
    searched: readonly SearchedFolder[],
  ): Promise<string[]> {
    const left = folders.filter((folder) => searched.every((one) => one.folder !== folder));
    return await Promise.all(left.map(async ({ problem, isElsewhere, root }) => {
      if (!await isReal(root)) return this.#say("folder_gone", { path: root });
      const unusable = isElsewhere ? "folder_index_elsewhere" : "folder_index_unusable";
      return this.#say(problem === undefined ? "folder_without_index" : unusable, { path: root });
    }));
  }

  /** Notices about what was found. */
  #remarks({ found, folders }: Answered, below: string | undefined): string[] {
    const { hits, capped, filteredOut, lostPhrases } = found;
    const isWeak = !filteredOut && hits.every(({ degree }) => degree === "low");
    const phrases = lostPhrases.map((phrase) => `“${phrase}”`).join(" ");
    return [
      ...(filteredOut ? [this.#say("filters_pass_nothing")] : []),
      ...(lostPhrases.length > 0 ? [this.#say("phrase_not_found", { phrases })] : []),
      ...(capped ? [this.#say("answer_capped")] : []),
      ...(isWeak ? this.#unread.of(folders, below) : []),
    ];
  }

  /** Notices about what has changed since the folders were indexed. */
  async #changes(outdated: readonly string[]): Promise<string[]> {
    const added = await this.#added();
    return [
      ...(added.length > 0 ? [this.#say("folders_added", { path: added.join(", ") })] : []),
      ...(outdated.length > 0 ? [this.#say("hits_outdated", { path: outdated.join(", ") })] : []),
    ];
  }

  #newerNotice({ count, roots, isAll }: NewerFiles): string[] {
    if (count === 0) return [];
    return [this.#say(isAll ? "files_newer" : "files_newer_at_least", { count, path: roots.join(", ") })];
  }

  /** A question's vector by an outside model. The question is sent to nobody if no index has vectors to compare it with. */
  async #vectorOf(
    text: string,
    folders: readonly ServedFolder[],
    signal: AbortSignal | undefined,
  ): Promise<QueryVector> {
    using searched = await SearchedFolders.open(folders);
    for (const { index } of searched.indexed) {
      if (this.#known.has(index)) continue;
      this.#known.add(index);
      // the model may have changed behind its name, and be the reason why the index was made
      this.#vectors.forget();
    }
    return searched.indexed.some((folder) => this.#isOurs(folder))
      ? await this.#vectors.vectorOf(text, signal)
      : {};
  }

  /** Whether a folder's vectors are of the model that is set. */
  #isOurs({ index }: SearchedFolder): boolean {
    const { model } = this.#vectors;
    return model !== undefined && index.vectors?.model === model;
  }

  /**
   * The mode that the folders can answer in, with notices about it. Throws `UserError` `mode_without_vectors`, or why the
   * question has no vector, where `semantic` is not possible.
   */
  #possibleMode(
    { request, mode, vector: { vector, problem: unanswered } }: Asked,
    folders: readonly SearchedFolder[],
  ): { mode: SearchMode; notices: string[] } {
    if (mode === "keyword") return { mode, notices: [] };
    // vectors of an outside model that came after the question was sent to nobody have nothing to be compared with
    const comparable = vector !== undefined || this.#vectors.model === BUILTIN_ID;
    const ours = comparable ? folders.filter((folder) => this.#isOurs(folder)) : [];
    const problem = unanswered ?? this.#otherDimensions(ours, vector);
    if (problem !== undefined) {
      if (mode === "semantic") throw problem;
      const text = message(this.#config.language, problem.key, problem.params);
      return { mode: "keyword", notices: [this.#say("hybrid_by_keywords", { problem: text })] };
    }
    if (ours.length > 0) {
      const others = folders.filter((folder) => !ours.includes(folder));
      return {
        mode,
        notices: others.map(({ folder: { root } }) => this.#say("folder_of_other_model", { path: root })),
      };
    }
    if (mode === "semantic") throw new UserError("mode_without_vectors");
    // a user who has switched the vectors off is not told
    const surprising = request.mode === "hybrid" || this.#vectors.model !== undefined;
    return { mode: "keyword", notices: surprising ? [this.#say("hybrid_without_vectors")] : [] };
  }

  /** The error if the server now gives vectors of another length than those of the indexes. */
  #otherDimensions(
    ours: readonly SearchedFolder[],
    vector: Float32Array | undefined,
  ): UserError | undefined {
    const dimensions = ours.map(({ index }) => index.vectors!.dimensions);
    const [expected] = dimensions;
    if (vector === undefined || expected === undefined || dimensions.includes(vector.length)) {
      return undefined;
    }
    const model = this.#config.embedding.model ?? "";
    return new UserError("embedding_wrong_dimensions", { model, expected, found: vector.length });
  }

  async readRawFile(path: string, range: { startLine?: number; endLine?: number } = {}): Promise<RawFile> {
    return await this.#orRestart(this.#files.readRaw(path, range));
  }

  async readDocument(path: string, signal?: AbortSignal): Promise<ServedDocument> {
    return await this.#orRestart(this.#files.readDocument(path, signal));
  }

  async readOriginal(path: string, maxBytes: number): Promise<OriginalFile> {
    return await this.#orRestart(this.#files.readOriginal(path, maxBytes));
  }

  async #orRestart<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw await this.#withRestart(error);
    }
  }

  /** A path that is refused may lie in a folder that is served after a restart: the error then names those, as `added`. */
  async #withRestart(error: unknown): Promise<unknown> {
    if (!(error instanceof UserError) || !REFUSALS.has(error.key)) return error;
    const added = await this.#added();
    if (added.length === 0) return error;
    return new UserError(error.key, { ...error.params, added: added.join(", ") }, { cause: error });
  }

  close(): void {
    for (const folder of this.#folders) folder.close();
  }

  #say(key: MessageKey, params: MessageParams = {}): string {
    return message(this.#config.language, key, params);
  }
}
