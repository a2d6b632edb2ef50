/**
 * Vectors of local models in a search: those of the question, those that exist for chunks, and a few
 * that are made while the search waits.
 */
import {
  type EmbeddingProvider,
  embedQuery,
  type NeuralLanguage,
  type NeuralModels,
} from "#models/embedding/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { DamagedIndexError, HASH_BYTES } from "#engine/index/mod.ts";
import {
  neuralLanguageOf,
  type OpenIndex,
  type Store,
  type VectorReader,
  type VectorStore,
} from "#library/store/mod.ts";
import type { NeuralScores } from "#engine/rank/mod.ts";
import { present } from "#foundation/present.ts";
import type { SearchTrace } from "./search_trace.ts";
import type { SearchedFolder } from "./served_folders.ts";
import type { FoundChunk } from "#engine/segments.ts";

/** The scores of chunks for a question by neural models. */
export interface NeuralAnswer {
  /** By each model that the question was given to and that some chunk has a vector of. */
  readonly scores: readonly NeuralScores[];
  /**
   * Share of the chunks in the question's languages that have a vector, from 0 to 1; absent if no model is for the question, or
   * hardly a chunk in its languages.
   */
  readonly share?: number;
  /** Why a model could not be used. */
  readonly problem?: UserError;
}

/** A question and what it was compared with. */
interface Compared {
  readonly folders: readonly SearchedFolder[];
  readonly query: Float32Array;
  readonly cosines: ReadonlyMap<OpenIndex, Float64Array>;
  readonly rows: ReadonlyMap<OpenIndex, ChunkRows>;
  readonly budget: LazyBudget;
  readonly signal: AbortSignal | undefined;
}

/**
 * Share of all chunks up to which those in the question's languages are few: a question in English about Chinese notes is
 * answered by the built-in table, whatever the vectors.
 */
const FEW = 0.1;

/** Bytes of a text that are read. Every model cuts texts off long before. */
const MOST_TEXT_BYTES = 16_384;

/** Compares questions with the vectors that neural models have made so far of the chunks of folders. */
export class NeuralSearch implements Disposable {
  readonly #models: NeuralModels;
  readonly #wanted: WantedTexts | undefined;
  readonly #questions = new Map<NeuralLanguage, QuestionVectors>();
  readonly #late = new Map<NeuralLanguage, LazyVectors>();
  readonly #folders = new Map<string, FolderVectors>();

  /** `wanted`: is told of the texts that have no vector. */
  constructor(models: NeuralModels, wanted?: WantedTexts) {
    this.#models = models;
    this.#wanted = wanted;
  }

  /** Compares a question with the chunks of folders. Only an aborted search throws, with the reason of the signal. */
  async scoresOf(
    question: string,
    folders: readonly SearchedFolder[],
    signal?: AbortSignal,
    trace?: SearchTrace,
  ): Promise<NeuralAnswer> {
    const { providers } = this.#models;
    const routes = this.#models.routesOf(question).filter((language) => providers.has(language));
    if (routes.length === 0) return { scores: [] };
    trace?.leave();
    const provider = routes.map((language) => providers.get(language)!.id).join(", ");
    const span = trace?.span.child("neural", { method: "embedding", provider });
    const answer = await this.#scoresOf(question, folders, routes, signal);
    const { scores, share, problem } = answer;
    span?.add({
      counts: { models: routes.length, compared: scores.length },
      ...(share !== undefined && { share }),
      ...(problem !== undefined && { fallback: "without_model", reason: problem.key }),
    });
    span?.end();
    return answer;
  }

  async #scoresOf(
    question: string,
    folders: readonly SearchedFolder[],
    routes: readonly NeuralLanguage[],
    signal: AbortSignal | undefined,
  ): Promise<NeuralAnswer> {
    const { providers } = this.#models;
    const scores: NeuralScores[] = [];
    const budget = new LazyBudget();
    // An index may be found to be damaged while it is read.
    const sound = () => folders.filter(({ index }) => index.damage === undefined);
    let done = 0, total = 0;
    let problem: UserError | undefined;
    for (const language of routes) {
      try {
        const found = await this.#byModel(language, question, folders, budget, signal);
        if (found.scores !== undefined) scores.push(found.scores);
        done += found.chunks;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UserError)) throw error;
        problem ??= error;
      }
      total += wantedBy(language, providers, sound());
    }
    const all = sum(sound().map(({ index }) => index.statistics.chunks));
    return present({ scores, share: total <= all * FEW ? undefined : done / total, problem });
  }

  /**
   * Returns the cosines by one model, absent if no chunk has one, and the number of chunks in its language that the model is
   * done with.
   */
  async #byModel(
    language: NeuralLanguage,
    question: string,
    folders: readonly SearchedFolder[],
    budget: LazyBudget,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly scores?: NeuralScores; readonly chunks: number }> {
    const { providers, server } = this.#models;
    const provider = providers.get(language)!;
    const isServer = server !== undefined;
    const questions = this.#questions.get(language) ?? new QuestionVectors(provider, isServer);
    this.#questions.set(language, questions);
    // Without vectors to compare it with, the question need not wait for the model to be loaded, and is sent to nobody.
    const vectors = folders.map(({ folder }) => this.#vectorsOf(folder.store, provider));
    const replaced = sum(vectors.map((ofFolder) => ofFolder.replaced));
    const refreshed = await Promise.all(vectors.map((ofFolder) => ofFolder.refresh()));
    if (!refreshed.includes(true)) return { chunks: 0 };
    if (isServer && sum(vectors.map((ofFolder) => ofFolder.replaced)) > replaced) questions.forget();
    const query = await questions.vectorOf(question, signal);
    const expected = vectors.map(({ dimensions }) => dimensions)
      .find((dimensions) => dimensions !== undefined && dimensions !== query.length);
    if (expected !== undefined) {
      questions.forget();
      const { name: model = provider.id } = provider;
      throw new UserError("embedding_wrong_dimensions", { model, expected, found: query.length });
    }
    const cosines = new Map<OpenIndex, Float64Array>(), rows = new Map<OpenIndex, ChunkRows>();
    for (const [i, { index }] of folders.entries()) {
      const ofIndex = await vectors[i]!.compare(query, index).catch((error) => {
        // The index has noted the damage and is given up.
        if (!(error instanceof DamagedIndexError)) throw error;
      });
      if (ofIndex === undefined) continue;
      rows.set(index, ofIndex.rows);
      cosines.set(index, ofIndex.cosines);
    }
    const chunks = rows.values().reduce(
      (sum, ofIndex) => sum + ofIndex.countOf(language, providers),
      0,
    );
    const spread = spreadOf(cosines.values());
    if (spread === undefined) return { chunks };
    const complete = (candidates: readonly FoundChunk[]) =>
      this.#complete(language, { folders, query, cosines, rows, budget, signal }, candidates);
    // A server would be sent a passage while the question waits.
    const completes = isServer ? {} : { complete };
    const cosinesOf = (index: OpenIndex) => cosines.get(index);
    return { scores: { cosinesOf, ...completes, ...spread, model: provider.id }, chunks };
  }

  /** Fills in the cosines of candidates that have no vector, as far as there is time. */
  async #complete(
    language: NeuralLanguage,
    { folders, query, cosines, rows, budget, signal }: Compared,
    candidates: readonly FoundChunk[],
  ): Promise<void> {
    const { providers } = this.#models;
    const without = candidates.filter((found) =>
      // A text that the model has refused has a row.
      rows.get(found.index)?.rows[found.chunk] === -1 && cosines.get(found.index)![found.chunk] === 0 &&
      neuralLanguageOf(found.language, providers) === language
    );
    if (without.length === 0) return;
    const late = this.#late.get(language) ?? new LazyVectors(providers.get(language)!);
    this.#late.set(language, late);
    const texts = without.map(({ index, chunk }) => ({
      root: folders.find((folder) => folder.index === index)!.folder.root,
      hash: rows.get(index)!.hash(chunk),
      text: async () => (await index.texts(Int32Array.of(chunk), MOST_TEXT_BYTES))[0]!,
    }));
    for (const { root, hash } of texts.toReversed()) this.#wanted?.add(root, hash);
    for (const [i, vector] of (await late.of(texts, budget, signal)).entries()) {
      if (vector === undefined) continue;
      const { index, chunk } = without[i]!;
      cosines.get(index)![chunk] = vector.reduce((sum, value, at) => sum + value * query[at]!, 0);
    }
  }

  #vectorsOf({ root, vectors }: Store, provider: EmbeddingProvider): FolderVectors {
    const name = `${provider.id}\0${root}`;
    let ofFolder = this.#folders.get(name);
    if (ofFolder === undefined) {
      ofFolder = new FolderVectors(vectors, provider, this.#models.server !== undefined);
      this.#folders.set(name, ofFolder);
    }
    return ofFolder;
  }

  /** Frees the vectors. */
  [Symbol.dispose](): void {
    for (const vectors of this.#folders.values()) vectors[Symbol.dispose]();
    this.#folders.clear();
  }
}

/** Returns the number of chunks in the languages of a model. */
function wantedBy(
  language: NeuralLanguage,
  providers: NeuralModels["providers"],
  folders: readonly SearchedFolder[],
): number {
  const languages = folders.flatMap(({ index }) => index.statistics.languages)
    .filter(({ language: code }) => neuralLanguageOf(code, providers) === language);
  return sum(languages.map(({ chunks }) => chunks));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns the mean and standard deviation of the cosines that are not 0; `undefined` if there are none. */
function spreadOf(
  all: Iterable<Float64Array>,
): { readonly mean: number; readonly deviation: number } | undefined {
  let count = 0, sum = 0, squares = 0;
  for (const cosines of all) {
    for (const cosine of cosines) {
      if (cosine === 0) continue;
      count++;
      sum += cosine;
      squares += cosine * cosine;
    }
  }
  if (count === 0) return undefined;
  const mean = sum / count;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}

/** Remembers the values of the latest keys, `most` of them. */
class Remembered<Value> extends Map<string, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    if (this.size === this.#most) this.delete(this.keys().next().value!);
    return super.set(key, value);
  }
}

/** Most texts of a folder that are remembered. */
const MOST = 256;

/**
 * The texts of folders that searches have met without a vector, which the background work takes first: the latest before
 * earlier ones.
 */
export class WantedTexts {
  readonly #hashes = new Map<string, Remembered<Uint8Array>>();

  /** Notes a text of a folder by its content hash. */
  add(root: string, hash: Uint8Array): void {
    const hashes = this.#hashes.get(root) ?? new Remembered<Uint8Array>(MOST);
    this.#hashes.set(root, hashes.set(hash.toHex(), hash.slice()));
  }

  /** Whether there are texts of a folder. */
  has(root: string): boolean {
    return this.#hashes.has(root);
  }

  /** Returns the content hashes of a folder's texts and forgets them. */
  take(root: string): Uint8Array[] {
    const hashes = [...this.#hashes.get(root)?.values() ?? []].reverse();
    this.#hashes.delete(root);
    return hashes;
  }
}

/** Milliseconds that a question waits for its vector, and that the first question of a process waits for the model as well. */
const PATIENCE_MS = 5000, LOADING_MS = 20_000;
/** Milliseconds that a question waits for a server. */
const SERVER_PATIENCE_MS = 2000;
/** Questions whose vectors are remembered: people and assistants repeat their questions. */
const MAX_REMEMBERED = 100;

/** Makes the vectors of questions by one model. */
class QuestionVectors {
  readonly #provider: EmbeddingProvider;
  readonly #isServer: boolean;
  readonly #remembered = new Remembered<Float32Array>(MAX_REMEMBERED);

  constructor(provider: EmbeddingProvider, isServer: boolean) {
    this.#provider = provider;
    this.#isServer = isServer;
  }

  /** Forgets the vectors of earlier questions. */
  forget(): void {
    this.#remembered.clear();
  }

  /**
   * Returns the vector of a question. Throws `UserError` `neural_slow` after {@linkcode PATIENCE_MS} or {@linkcode LOADING_MS},
   * `embedding_slow` after {@linkcode SERVER_PATIENCE_MS}, the error of the provider, or the reason of the signal.
   */
  async vectorOf(question: string, signal?: AbortSignal): Promise<Float32Array> {
    const known = this.#remembered.get(question);
    if (known !== undefined) return known;
    const ms = this.#isServer ? SERVER_PATIENCE_MS : this.#remembered.size === 0 ? LOADING_MS : PATIENCE_MS;
    const patience = AbortSignal.timeout(ms);
    try {
      const vector = await embedQuery(this.#provider, question, anyOf(signal, patience));
      this.#remembered.set(question, vector);
      return vector;
    } catch (error) {
      signal?.throwIfAborted();
      if (patience.aborted) {
        throw new UserError(this.#isServer ? "embedding_slow" : "neural_slow", { seconds: ms / 1000 });
      }
      throw error;
    }
  }
}

function anyOf(signal: AbortSignal | undefined, time: AbortSignal): AbortSignal {
  return signal === undefined ? time : AbortSignal.any([signal, time]);
}

/** The milliseconds and texts that a search may still spend on candidates without a vector. A search asks several times, and two models. */
export class LazyBudget {
  ms = 300;
  texts = 8;
}

/** Vectors that are remembered until the background work has made them too. */
const MAX_REMEMBERED_TEXTS = 1000;

/** Makes vectors of texts while a question waits, as many as the time allows, and remembers them. */
export class LazyVectors {
  readonly #provider: EmbeddingProvider;
  readonly #remembered = new Remembered<Float32Array>(MAX_REMEMBERED_TEXTS);

  constructor(provider: EmbeddingProvider) {
    this.#provider = provider;
  }

  /**
   * Returns the vectors of texts, `undefined` for each for which there was no time. A text is given to the model alone, so
   * that the time is not exceeded by more than one. Throws the reason of the signal.
   */
  async of(
    texts: readonly { readonly hash: Uint8Array; readonly text: () => Promise<string> }[],
    budget: LazyBudget,
    signal?: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    const vectors = texts.map(({ hash }) => this.#remembered.get(hash.toHex()));
    const began = performance.now();
    const either = anyOf(signal, AbortSignal.timeout(budget.ms));
    for (const [i, { hash, text }] of texts.entries()) {
      if (budget.texts === 0 || budget.ms === 0 || either.aborted) break;
      if (vectors[i] !== undefined) continue;
      try {
        const [vector] = await this.#provider.embed([await text()], "document", either);
        vectors[i] = vector!;
        this.#remembered.set(hash.toHex(), vector!);
        budget.texts--;
      } catch (error) {
        signal?.throwIfAborted();
        if (!either.aborted && !(error instanceof UserError)) throw error;
      }
    }
    budget.ms = Math.max(0, Math.floor(budget.ms - (performance.now() - began)));
    return vectors;
  }
}

/** The vectors of one folder by one model, and the rows that the chunks of its index have in them. Calls run one after another. */
class FolderVectors implements Disposable {
  readonly #store: VectorStore;
  readonly #provider: EmbeddingProvider;
  readonly #isServer: boolean;
  #open: { readonly dimensions: number; readonly reader: VectorReader } | undefined;
  #rows = new WeakMap<OpenIndex, ChunkRows>();
  #turn: Promise<unknown> = Promise.resolve();
  /** How often the vectors were replaced: they may then be those of a model that has changed behind its name. */
  replaced = 0;

  constructor(store: VectorStore, provider: EmbeddingProvider, isServer: boolean) {
    this.#store = store;
    this.#provider = provider;
    this.#isServer = isServer;
  }

  /** Numbers in a vector, as of the last refresh; `undefined` if they are unknown, because there are no vectors. */
  get dimensions(): number | undefined {
    return this.#open?.dimensions;
  }

  /** Reads new vectors. Returns whether there are any. Throws `data_folder_unsafe`, and the errors of the system. */
  refresh(): Promise<boolean> {
    return this.#next(async () => {
      const dimensions = await this.#dimensions();
      if (this.#open !== undefined && this.#open.dimensions !== dimensions) {
        this.#open.reader[Symbol.dispose]();
        this.#open = undefined;
        this.#rows = new WeakMap();
        this.replaced++;
      }
      if (dimensions === undefined) return false;
      this.#open ??= { dimensions, reader: this.#store.read({ id: this.#provider.id, dimensions }) };
      const { reader } = this.#open;
      if (!await reader.refresh()) {
        this.#rows = new WeakMap();
        this.replaced++;
      }
      return reader.size > 0;
    });
  }

  /**
   * Returns the cosine of a question's vector with each chunk of an index, 0 for a chunk without a vector, and the rows of the
   * chunks. `undefined` without vectors of as many numbers.
   */
  compare(
    query: Float32Array,
    index: OpenIndex,
  ): Promise<{ readonly rows: ChunkRows; readonly cosines: Float64Array } | undefined> {
    return this.#next(async () => {
      if (this.#open?.dimensions !== query.length) return undefined;
      const { reader } = this.#open;
      let found = this.#rows.get(index);
      if (found === undefined) this.#rows.set(index, found = await ChunkRows.of(index));
      await found.lookUp(reader);
      const ofRows = await reader.cosines(query);
      const { rows } = found;
      const cosines = new Float64Array(rows.length);
      for (let chunk = 0; chunk < rows.length; chunk++) {
        const row = rows[chunk]!;
        if (row >= 0) cosines[chunk] = ofRows[row]!;
      }
      return { rows: found, cosines };
    });
  }

  [Symbol.dispose](): void {
    this.#open?.reader[Symbol.dispose]();
  }

  /** The model on a server can change behind its name, and its vectors are then made again. */
  async #dimensions(): Promise<number | undefined> {
    const { id, dimensions: ofModel } = this.#provider;
    if (this.#isServer) return await this.#store.dimensions(id);
    return this.#open?.dimensions ?? ofModel ?? await this.#store.dimensions(id);
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

/** Chunks whose hashes are read at once. */
const PIECE = 1 << 14;

/** The row that each chunk of an index has in the vectors of one model. */
class ChunkRows {
  /** Row of each chunk; -1 for a chunk without a vector. */
  readonly rows: Int32Array;
  readonly #hashes: Uint8Array;
  readonly #languages: Uint8Array;
  /** Number of vectors when the rows were looked up last. */
  #known = 0;

  private constructor(hashes: Uint8Array, languages: Uint8Array) {
    this.#hashes = hashes;
    this.#languages = languages;
    this.rows = new Int32Array(hashes.length / HASH_BYTES).fill(-1);
  }

  /** Reads the hashes of all chunks. */
  static async of(index: OpenIndex): Promise<ChunkRows> {
    const count = index.statistics.chunks;
    const hashes = new Uint8Array(count * HASH_BYTES), languages = new Uint8Array(count);
    for (let from = 0; from < count; from += PIECE) {
      const chunks = Int32Array.from({ length: Math.min(PIECE, count - from) }, (_, i) => from + i);
      for (const [i, hash] of (await index.contentHashes(chunks)).entries()) {
        hashes.set(hash.subarray(0, HASH_BYTES), (from + i) * HASH_BYTES);
      }
      languages.set(await index.languages(chunks), from);
    }
    return new ChunkRows(hashes, languages);
  }

  /** Looks up the chunks that had no vector, if there are new vectors. */
  async lookUp(vectors: VectorReader): Promise<void> {
    const { size } = vectors;
    if (size === this.#known) return;
    for (let from = 0; from < this.rows.length; from += PIECE) {
      const without: number[] = [];
      for (let chunk = from; chunk < Math.min(from + PIECE, this.rows.length); chunk++) {
        if (this.rows[chunk] === -1) without.push(chunk);
      }
      if (without.length === 0) continue;
      const rows = await vectors.rowsOf(without.map((chunk) => this.hash(chunk)));
      for (const [i, chunk] of without.entries()) this.rows[chunk] = rows[i]!;
    }
    this.#known = size;
  }

  /** Returns the number of chunks in the language of one of `models` that have a vector or were refused by the model. */
  countOf(language: NeuralLanguage, models: NeuralModels["providers"]): number {
    let count = 0;
    for (const [chunk, row] of this.rows.entries()) {
      if (row >= 0 && neuralLanguageOf(this.#languages[chunk]!, models) === language) count++;
    }
    return count;
  }

  /** The content hash of a chunk. */
  hash(chunk: number): Uint8Array {
    return this.#hashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES);
  }
}
