import type { Config } from "../config/mod.ts";
import { BUILTIN_ID, type LazyTable } from "../embedding/mod.ts";
import { UserError } from "../errors.ts";
import { Extractor } from "../extract/mod.ts";
import { type IndexKey, type IndexReader, Tokenizer } from "../index/mod.ts";
import { message, type MessageKey, type MessageParams } from "../messages.ts";
import { answer, type Found } from "./answer.ts";
import { damageOf } from "./damage.ts";
import { Databases } from "./databases.ts";
import { outdatedFiles } from "./outdated_files.ts";
import { type ParsedQuery, parseQuery, Synonyms } from "./query/mod.ts";
import { Questions, type QuestionVector } from "./questions.ts";
import { filterBelow, scopeOf } from "./scope.ts";
import { ServedFiles } from "./served_files.ts";
import { ServedFolder } from "./served_folder.ts";
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

/** Options of a library beside its folders. */
export interface LibraryOptions {
  /** Asked for folders that were processed since: they are not served before a restart, which answers then say. */
  readonly added?: () => Promise<readonly string[]>;
  /** The key that the indexes must be sealed with. */
  readonly key: IndexKey;
  /** The built-in table, where it is loaded already. */
  readonly table?: LazyTable;
  /** Real paths of the program's own files and folders: they are not read to anybody, wherever they lie. */
  readonly ownPlaces?: readonly string[] | undefined;
  /** Reads documents; without it none are read. The library does not close it. */
  readonly extractor?: Extractor;
}

/** The keys of errors that say that something is outside of the folders served. */
const REFUSALS: ReadonlySet<MessageKey> = new Set(["no_permission", "dir_not_served", "index_not_ready"]);

/** Opens the folders given (real paths); their indexes are loaded by the first search that needs them. */
export function openLibrary(roots: readonly string[], config: Config, options: LibraryOptions): Library {
  return new FolderLibrary(roots, config, options);
}

class FolderLibrary implements Library {
  readonly #folders: readonly ServedFolder[];
  readonly #config: Config;
  readonly #files: ServedFiles;
  readonly #added: () => Promise<readonly string[]>;
  readonly #databases: Databases;
  readonly #synonyms: Synonyms;
  readonly #questions: Questions;
  readonly #unread: UnreadNotices;
  /** Indexes that were searched before. */
  readonly #known = new WeakSet<IndexReader>();

  constructor(
    roots: readonly string[],
    config: Config,
    { added, key, table, ownPlaces = [], extractor = Extractor.none() }: LibraryOptions,
  ) {
    this.#config = config;
    this.#files = new ServedFiles({ roots, config, ownPlaces, extractor });
    this.#added = added ?? (() => Promise.resolve([]));
    const tokenizer = new Tokenizer();
    this.#databases = new Databases(tokenizer);
    this.#synonyms = new Synonyms(tokenizer, config.search.synonyms);
    this.#questions = new Questions(config.embedding, table);
    this.#unread = new UnreadNotices(config.language);
    this.#folders = [...new Set(roots)].map((root) => new ServedFolder(root, key));
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
    const query = request.query.trim().slice(0, MAX_QUERY_CHARS);
    if (query === "") throw new UserError("empty_query");
    const parsed = parseQuery(query);
    const asked = request.mode ?? this.#config.search.mode;

    const { folders, below } = await scopeOf(request.dirPath, this.#folders);
    const question = asked === "keyword" ? {} : await this.#vectorOf(parsed.text, folders, signal);
    await Promise.all(folders.map((folder) => folder.refresh()));
    signal?.throwIfAborted();
    // from here on nothing is awaited: another search's refresh would close the readers
    const { found, notices } = this.#answer(request, parsed, asked, folders, below, question);
    const { hits, capped, selected, filteredOut, lostPhrases, explanation } = found;
    notices.push(
      ...folders.filter((folder) => folder.reader === undefined).map(({ problem, isElsewhere, root }) => {
        const unusable = isElsewhere ? "folder_index_elsewhere" : "folder_index_unusable";
        return this.#say(problem === undefined ? "folder_without_index" : unusable, { path: root });
      }),
      ...(filteredOut ? [this.#say("filters_pass_nothing")] : []),
      ...(lostPhrases.length > 0
        ? [this.#say("phrase_not_found", { phrases: lostPhrases.map((phrase) => `“${phrase}”`).join(" ") })]
        : []),
      ...(capped ? [this.#say("answer_capped")] : []),
      ...(filteredOut || hits.some(({ degree }) => degree !== "low") ? [] : this.#unread.of(folders, below)),
    );
    const added = await this.#added();
    if (added.length > 0) notices.push(this.#say("folders_added", { path: added.join(", ") }));
    const outdated = await outdatedFiles(selected);
    if (outdated.length > 0) notices.push(this.#say("hits_outdated", { path: outdated.join(", ") }));
    return {
      hits,
      seconds: (performance.now() - began) / 1000,
      notices,
      ...(explanation === undefined ? {} : { explanation }),
    };
  }

  /**
   * Answers from the folders that have an index. One that turns out to be damaged is given up, and the others answer. Throws
   * `UserError` `index_not_ready` where none is left, and what {@linkcode #possibleMode} throws.
   */
  #answer(
    request: SearchRequest,
    query: ParsedQuery,
    asked: SearchMode,
    folders: readonly ServedFolder[],
    below: string | undefined,
    question: QuestionVector,
  ): { found: Found; notices: string[] } {
    for (;;) {
      const readers = new Map<IndexReader, ServedFolder>();
      for (const folder of folders) if (folder.reader !== undefined) readers.set(folder.reader, folder);
      if (readers.size === 0) {
        const [first] = folders;
        throw new UserError("index_not_ready", { path: first?.root ?? "", problem: first?.problem ?? "" });
      }
      this.#databases.retain(new Set(this.#folders.flatMap(({ reader }) => reader ?? [])));
      const { mode, notices } = this.#possibleMode(asked, request.mode, [...readers.values()], question);
      const meaning = mode === "keyword" ? undefined : this.#questions.meaning;
      const answerFrom = (asked: readonly IndexReader[]) =>
        answer({
          request,
          query,
          config: this.#config.search,
          database: this.#databases.over(asked),
          mode,
          model: this.#questions.model,
          meaning,
          queryVector: question.vector,
          synonyms: this.#synonyms,
          within: below === undefined ? undefined : filterBelow(below),
          pathOf: ({ reader, chunk }) =>
            readers.get(reader)!.pathOf(reader.files[reader.chunks.files[chunk]!]!.path),
        });
      try {
        return { found: answerFrom([...readers.keys()]), notices };
      } catch (error) {
        const damages = damageOf(error, [...readers.keys()], {
          table: meaning?.table,
          alone: (reader) => answerFrom([reader]),
        });
        if (damages.size === 0) throw error;
        for (const [reader, problem] of damages) readers.get(reader)!.giveUp(problem);
      }
    }
  }

  /** A question's vector by an outside model. Who has nothing to compare it with sends it nowhere. */
  async #vectorOf(
    text: string,
    folders: readonly ServedFolder[],
    signal: AbortSignal | undefined,
  ): Promise<QuestionVector> {
    await Promise.all(folders.map((folder) => folder.refresh()));
    for (const { reader } of folders) {
      if (reader === undefined || this.#known.has(reader)) continue;
      this.#known.add(reader);
      // the model may have changed behind its name, and be the reason why the index was made
      this.#questions.forget();
    }
    return folders.some((folder) => this.#isOurs(folder)) ? await this.#questions.vectorOf(text, signal) : {};
  }

  /** Whether a folder's vectors are of the model that is set. */
  #isOurs({ reader }: ServedFolder): boolean {
    const { model } = this.#questions;
    return model !== undefined && reader?.vectors?.meta.model === model;
  }

  /**
   * The mode that the folders can answer in, and what there is to say about it. `named`: the mode, if the request itself
   * asked for it. Throws `UserError` `mode_without_vectors`, or why the question has no vector, where `semantic` is not
   * possible.
   */
  #possibleMode(
    asked: SearchMode,
    named: SearchMode | undefined,
    folders: readonly ServedFolder[],
    { vector, problem: unanswered }: QuestionVector,
  ): { mode: SearchMode; notices: string[] } {
    if (asked === "keyword") return { mode: asked, notices: [] };
    // vectors of an outside model that came after the question had been sent nowhere have nothing to be compared with
    const comparable = vector !== undefined || this.#questions.model === BUILTIN_ID;
    const ours = comparable ? folders.filter((folder) => this.#isOurs(folder)) : [];
    const problem = unanswered ?? this.#otherDimensions(ours, vector);
    if (problem !== undefined) {
      if (asked === "semantic") throw problem;
      const text = message(this.#config.language, problem.key, problem.params);
      return { mode: "keyword", notices: [this.#say("hybrid_by_keywords", { problem: text })] };
    }
    if (ours.length > 0) {
      const others = folders.filter((folder) => !ours.includes(folder));
      const notices = others.map(({ root }) => this.#say("folder_of_other_model", { path: root }));
      return { mode: asked, notices };
    }
    if (asked === "semantic") throw new UserError("mode_without_vectors");
    // who has switched the vectors off knows it
    const surprising = named === "hybrid" || this.#questions.model !== undefined;
    return { mode: "keyword", notices: surprising ? [this.#say("hybrid_without_vectors")] : [] };
  }

  /** The error if the server gives vectors now that none of the model's before can be compared with. */
  #otherDimensions(ours: readonly ServedFolder[], vector: Float32Array | undefined): UserError | undefined {
    const dimensions = ours.map(({ reader }) => reader!.vectors!.meta.dimensions);
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
    this.#databases.retain(new Set());
  }

  #say(key: MessageKey, params: MessageParams = {}): string {
    return message(this.#config.language, key, params);
  }
}
