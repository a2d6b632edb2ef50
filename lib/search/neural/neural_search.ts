import type { EmbeddingProvider, NeuralLanguage, NeuralModels } from "../../embedding/mod.ts";
import { UserError } from "../../errors.ts";
import { DamagedIndexError, type IndexKey } from "../../index/mod.ts";
import { type IndexDirs, neuralLanguageOf, type OpenIndex, storedDimensions } from "../../store/mod.ts";
import type { NeuralScores } from "../rank/mod.ts";
import type { SearchedFolder } from "../searched_folders.ts";
import type { FoundChunk } from "../collection_types.ts";
import type { ChunkRows } from "./chunk_rows.ts";
import { FolderVectors } from "./folder_vectors.ts";
import { LateBudget, LateVectors } from "./late_vectors.ts";
import { QuestionVectors } from "./question_vectors.ts";
import type { WantedTexts } from "./wanted_texts.ts";

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

/** Options of a {@linkcode NeuralSearch}. */
export interface NeuralSearchOptions {
  readonly models: NeuralModels;
  /** The key that the vectors must be sealed with. */
  readonly key: IndexKey;
  readonly indexDirs?: IndexDirs | undefined;
  /** Is told of the texts that have no vector. */
  readonly wanted?: WantedTexts | undefined;
}

/** A question and what it was compared with. */
interface Compared {
  readonly folders: readonly SearchedFolder[];
  readonly query: Float32Array;
  readonly cosines: ReadonlyMap<OpenIndex, Float64Array>;
  readonly rows: ReadonlyMap<OpenIndex, ChunkRows>;
  readonly budget: LateBudget;
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
  readonly #options: NeuralSearchOptions;
  readonly #questions = new Map<NeuralLanguage, QuestionVectors>();
  readonly #late = new Map<NeuralLanguage, LateVectors>();
  readonly #folders = new Map<string, FolderVectors>();

  constructor(options: NeuralSearchOptions) {
    this.#options = options;
  }

  /** Compares a question with the chunks of folders. Only an aborted search throws, with the reason of the signal. */
  async scoresOf(
    question: string,
    folders: readonly SearchedFolder[],
    signal?: AbortSignal,
  ): Promise<NeuralAnswer> {
    const { models, models: { providers } } = this.#options;
    const routes = models.routesOf(question).filter((language) => providers.has(language));
    if (routes.length === 0) return { scores: [] };
    const scores: NeuralScores[] = [];
    const budget = new LateBudget();
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
    return {
      scores,
      ...(total <= all * FEW ? {} : { share: done / total }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /**
   * Returns the cosines by one model, absent if no chunk has one, and the number of chunks in its language that the model is
   * done with.
   */
  async #byModel(
    language: NeuralLanguage,
    question: string,
    folders: readonly SearchedFolder[],
    budget: LateBudget,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly scores?: NeuralScores; readonly chunks: number }> {
    const provider = this.#options.models.providers.get(language)!;
    const isServer = this.#options.models.server !== undefined;
    const questions = this.#questions.get(language) ?? new QuestionVectors(provider, isServer);
    this.#questions.set(language, questions);
    // Without vectors to compare it with, the question need not wait for the model to be loaded, and is sent to nobody.
    const vectors = folders.map(({ folder }) => this.#vectorsOf(folder.root, provider));
    const replaced = sum(vectors.map((ofFolder) => ofFolder?.replaced ?? 0));
    if (!vectors.map((ofFolder) => ofFolder?.refresh()).includes(true)) return { chunks: 0 };
    if (isServer && sum(vectors.map((ofFolder) => ofFolder?.replaced ?? 0)) > replaced) questions.forget();
    const query = await questions.vectorOf(question, signal);
    const other = vectors.find((ofFolder) =>
      ofFolder !== undefined && ofFolder.model.dimensions !== query.length
    );
    if (other !== undefined) {
      questions.forget();
      const { name: model = provider.id } = provider;
      const { dimensions: expected } = other.model;
      throw new UserError("embedding_wrong_dimensions", { model, expected, found: query.length });
    }
    const cosines = new Map<OpenIndex, Float64Array>(), rows = new Map<OpenIndex, ChunkRows>();
    for (const [i, { index }] of folders.entries()) {
      const ofIndex = await vectors[i]?.rowsOf(index).catch((error) => {
        // The index has noted the damage and is given up.
        if (!(error instanceof DamagedIndexError)) throw error;
      });
      if (ofIndex === undefined) continue;
      rows.set(index, ofIndex);
      cosines.set(index, vectors[i]!.cosines(query, ofIndex));
    }
    const chunks = rows.values().reduce(
      (sum, ofIndex) => sum + ofIndex.countOf(language, this.#options.models.providers),
      0,
    );
    const spread = spreadOf(cosines.values());
    if (spread === undefined) return { chunks };
    const complete = (candidates: readonly FoundChunk[]) =>
      this.#complete(language, { folders, query, cosines, rows, budget, signal }, candidates);
    // A server would be sent a passage while the question waits.
    const completes = isServer ? {} : { complete };
    return { scores: { cosinesOf: (index) => cosines.get(index), ...completes, ...spread }, chunks };
  }

  /** Fills in the cosines of candidates that have no vector, as far as there is time. */
  async #complete(
    language: NeuralLanguage,
    { folders, query, cosines, rows, budget, signal }: Compared,
    candidates: readonly FoundChunk[],
  ): Promise<void> {
    const { wanted, models: { providers } } = this.#options;
    const without = candidates.filter((found) =>
      // A text that the model has refused has a row.
      rows.get(found.index)?.rows[found.chunk] === -1 && cosines.get(found.index)![found.chunk] === 0 &&
      neuralLanguageOf(found.language, providers) === language
    );
    if (without.length === 0) return;
    const late = this.#late.get(language) ?? new LateVectors(providers.get(language)!);
    this.#late.set(language, late);
    const texts = without.map(({ index, chunk }) => ({
      root: folders.find((folder) => folder.index === index)!.folder.root,
      hash: rows.get(index)!.hash(chunk),
      text: async () => (await index.texts(Int32Array.of(chunk), MOST_TEXT_BYTES))[0]!,
    }));
    for (const { root, hash } of texts.toReversed()) wanted?.add(root, hash);
    for (const [i, vector] of (await late.of(texts, budget, signal)).entries()) {
      if (vector === undefined) continue;
      const { index, chunk } = without[i]!;
      cosines.get(index)![chunk] = vector.reduce((sum, value, at) => sum + value * query[at]!, 0);
    }
  }

  /** Returns the vectors of a folder by a model; `undefined` if their dimensions are unknown, because there are none. */
  #vectorsOf(root: string, { id, dimensions: known }: EmbeddingProvider): FolderVectors | undefined {
    const { key, indexDirs, models: { server } } = this.#options;
    const name = `${id}\0${root}`;
    let vectors = this.#folders.get(name);
    if (vectors !== undefined && server === undefined) return vectors;
    const stored = () => storedDimensions(root, id, key, indexDirs?.[root]);
    // The model on a server can change behind its name, and its vectors are then made again.
    const dimensions = server === undefined ? known ?? stored() : stored();
    if (dimensions === undefined) return undefined;
    if (vectors?.model.dimensions === dimensions) return vectors;
    const replaced = vectors === undefined ? 0 : vectors.replaced + 1;
    vectors?.[Symbol.dispose]();
    vectors = new FolderVectors(root, { id, dimensions }, key, indexDirs?.[root]);
    vectors.replaced = replaced;
    this.#folders.set(name, vectors);
    return vectors;
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
  if (!providers.has(language)) return 0;
  return folders.flatMap(({ index }) => index.statistics.languages)
    .reduce(
      (sum, { language: code, chunks }) =>
        neuralLanguageOf(code, providers) === language ? sum + chunks : sum,
      0,
    );
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
