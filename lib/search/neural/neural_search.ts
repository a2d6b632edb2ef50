import type { NeuralLanguage, NeuralModels } from "../../embedding/mod.ts";
import { UserError } from "../../errors.ts";
import { type IndexKey, LANGUAGE_CODES } from "../../index/mod.ts";
import type { IndexDirs, OpenIndex, VectorModel } from "../../store/mod.ts";
import type { NeuralScores } from "../rank/mod.ts";
import type { SearchedFolder } from "../searched_folders.ts";
import type { ChunkRows } from "./chunk_rows.ts";
import { FolderVectors } from "./folder_vectors.ts";
import { QuestionVectors } from "./question_vectors.ts";

/** What local models say about a question. */
export interface NeuralAnswer {
  /** By each model that the question was given to and that some chunk has a vector of. */
  readonly scores: readonly NeuralScores[];
  /**
   * Share of the chunks in the question's languages that have a vector, from 0 to 1; absent if no local model is for the
   * question.
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
}

/** Compares questions with the vectors that local models have made so far of the chunks of folders. */
export class NeuralSearch implements Disposable {
  readonly #options: NeuralSearchOptions;
  readonly #questions = new Map<NeuralLanguage, QuestionVectors>();
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
    const { providers, routesOf } = this.#options.models;
    const routes = routesOf(question).filter((language) => providers.has(language));
    if (routes.length === 0) return { scores: [] };
    const scores: NeuralScores[] = [];
    let done = 0, total = 0;
    let problem: UserError | undefined;
    for (const language of routes) {
      total += wantedBy(language, providers, folders);
      try {
        const found = await this.#byModel(language, question, folders, signal);
        if (found === undefined) continue;
        scores.push(found.scores);
        done += found.chunks;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UserError)) throw error;
        problem ??= error;
      }
    }
    return {
      scores,
      ...(total === 0 ? {} : { share: Math.min(1, done / total) }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /** Returns the cosines by one model, and the number of chunks that have one; `undefined` if no chunk has a vector. */
  async #byModel(
    language: NeuralLanguage,
    question: string,
    folders: readonly SearchedFolder[],
    signal: AbortSignal | undefined,
  ): Promise<{ readonly scores: NeuralScores; readonly chunks: number } | undefined> {
    const provider = this.#options.models.providers.get(language)!;
    const questions = this.#questions.get(language) ?? new QuestionVectors(provider);
    this.#questions.set(language, questions);
    // Without vectors to compare it with, the question need not wait for the model to be loaded.
    let { dimensions } = provider;
    if (dimensions === undefined) dimensions = (await questions.vectorOf(question, signal)).length;
    const model = { id: provider.id, dimensions };
    const vectors = folders.map(({ folder }) => this.#vectorsOf(folder.root, model));
    if (!vectors.map((ofFolder) => ofFolder.refresh()).includes(true)) return undefined;
    const query = await questions.vectorOf(question, signal);
    const cosines = new Map<OpenIndex, Float64Array>();
    for (const [i, { index }] of folders.entries()) {
      const rows: ChunkRows = await vectors[i]!.rowsOf(index);
      cosines.set(index, vectors[i]!.cosines(query, rows));
    }
    const { chunks, ...spread } = spreadOf(cosines.values());
    if (chunks === 0) return undefined;
    return { scores: { cosinesOf: (index) => cosines.get(index), ...spread }, chunks };
  }

  #vectorsOf(root: string, model: VectorModel): FolderVectors {
    const { key, indexDirs } = this.#options;
    const name = `${model.id}\0${root}`;
    let vectors = this.#folders.get(name);
    if (vectors === undefined) {
      this.#folders.set(name, vectors = new FolderVectors(root, model, key, indexDirs?.[root]));
    }
    return vectors;
  }

  /** Frees the vectors. */
  [Symbol.dispose](): void {
    for (const vectors of this.#folders.values()) vectors[Symbol.dispose]();
    this.#folders.clear();
  }
}

/** Returns the number of chunks in the languages of a model: Chinese for `zh`, all others for `en`. */
function wantedBy(
  language: NeuralLanguage,
  providers: NeuralModels["providers"],
  folders: readonly SearchedFolder[],
): number {
  const isWanted = (code: number) => {
    if (code === LANGUAGE_CODES.other) return false;
    return (code === LANGUAGE_CODES.zh ? "zh" : "en") === language && providers.has(language);
  };
  return folders.flatMap(({ index }) => index.statistics.languages)
    .reduce((sum, { language, chunks }) => isWanted(language) ? sum + chunks : sum, 0);
}

/** Returns how many cosines are not 0, with their mean and standard deviation. */
function spreadOf(
  all: Iterable<Float64Array>,
): { readonly chunks: number; readonly mean: number; readonly deviation: number } {
  let chunks = 0, sum = 0, squares = 0;
  for (const cosines of all) {
    for (const cosine of cosines) {
      if (cosine === 0) continue;
      chunks++;
      sum += cosine;
      squares += cosine * cosine;
    }
  }
  const mean = chunks === 0 ? 0 : sum / chunks;
  return { chunks, mean, deviation: Math.sqrt(Math.max(0, squares / Math.max(1, chunks) - mean * mean)) };
}
