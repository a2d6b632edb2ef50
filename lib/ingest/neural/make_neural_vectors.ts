import type { EmbeddingProvider, NeuralLanguage, NeuralModels } from "../../embedding/mod.ts";
import { UserError } from "../../errors.ts";
import type { IndexKey } from "../../index/mod.ts";
import {
  ContentVectorWriter,
  HashSlots,
  type IndexStore,
  type OpenIndex,
  removeOtherVectors,
} from "../../store/mod.ts";
import { EmbeddingQueue } from "./embedding_queue.ts";
import { type LockOptions, OfferedLock } from "./offered_lock.ts";
import { type KnownRoutes, type MissingVector, MOST_TEXT_BYTES, neededVectors } from "./missing_vectors.ts";

/** How many of the vectors that a folder needs exist. */
export interface NeuralProgress {
  readonly done: number;
  readonly total: number;
}

/** Result of {@linkcode makeNeuralVectors}. */
export interface NeuralSummary extends NeuralProgress {
  /** Vectors made in this run. */
  readonly embedded: number;
  /** Texts that a model refused. They are ranked without it. */
  readonly refused: number;
  /**
   * Whether another run is necessary, because the index was replaced, another process made vectors meanwhile, or `turnMs` have
   * passed.
   */
  readonly isStale: boolean;
}

/** Options of {@linkcode makeNeuralVectors}. */
export interface NeuralOptions extends LockOptions {
  /** The key that the vectors are sealed with. */
  readonly key: IndexKey;
  readonly onProgress?: (progress: NeuralProgress) => void;
  /** Hashes of texts that searches have met without a vector. They come first. */
  readonly wanted?: () => Iterable<Uint8Array>;
  /** Awaited before each batch. */
  readonly pause?: () => Promise<void>;
  /**
   * Makes every vector again, and removes those of models that are not given. That is done at the end, so a run that is stopped
   * changes nothing.
   */
  readonly fresh?: boolean;
  /** Milliseconds after which the run ends although texts are left, so that other folders get a turn. Default: never. */
  readonly turnMs?: number;
  /** The models of texts, as earlier runs on the folder found them. */
  readonly routes?: KnownRoutes;
}

/** Batches between two looks whether the index was replaced. */
const LOOK_BATCHES = 32;
/** A text that every model that works can embed. */
const PLAIN_TEXT = "one";
/** A file is written anew when so many of its vectors, and at least half of them, are not needed any more. */
const LEAST_WASTE = 1000;

/**
 * Makes the vectors of local models that the index of a folder lacks: once for each text and model, shortest first. What was
 * made stays when the run is stopped. Throws `vectors_busy` if another process makes them or has taken over, `disk_full`,
 * `data_folder_unwritable`, `EmbeddingFailure` if a model does not work, or the reason of the signal.
 */
export async function makeNeuralVectors(
  store: IndexStore,
  models: NeuralModels,
  options: NeuralOptions,
): Promise<NeuralSummary> {
  const nothing = { done: 0, total: 0, embedded: 0, refused: 0, isStale: false };
  if (await store.version() === undefined) return nothing;
  using lock = new OfferedLock(store, options);
  await lock.take();
  const version = await store.version();
  const loaded = await store.open();
  if (loaded.state !== "ready") return nothing;
  using index = loaded.index;
  using run = new NeuralRun(store, index, models, lock, options);
  return await run.run(version);
}

class NeuralRun implements Disposable {
  readonly #store: IndexStore;
  readonly #index: OpenIndex;
  readonly #models: NeuralModels;
  readonly #lock: OfferedLock;
  readonly #options: NeuralOptions;
  readonly #writers = new Map<NeuralLanguage, ContentVectorWriter>();
  #embedded = 0;
  #refused = 0;

  constructor(
    store: IndexStore,
    index: OpenIndex,
    models: NeuralModels,
    lock: OfferedLock,
    options: NeuralOptions,
  ) {
    this.#store = store;
    this.#index = index;
    this.#models = models;
    this.#lock = lock;
    this.#options = options;
  }

  async run(version: string | undefined): Promise<NeuralSummary> {
    for (const [language, provider] of this.#models.providers) await this.#open(language, provider);
    const end = performance.now() + (this.#options.turnMs ?? Infinity);
    const { wanted, fresh = false, onProgress = () => {}, routes = new HashSlots() } = this.#options;
    const needed = await neededVectors(this.#index, this.#models, this.#writers, routes, () => this.#pause());
    const { total, missing } = needed;
    const before = total - missing.length;
    const queue = new EmbeddingQueue(missing);
    let isStale = false;
    onProgress({ done: before, total });
    for (let batches = 1;; batches++) {
      const batch = queue.take(wanted?.());
      if (batch.length === 0) break;
      await this.#embed(batch);
      onProgress({ done: before + this.#embedded + this.#refused, total });
      await this.#pause();
      isStale = performance.now() >= end ||
        await this.#lock.offer() && this.#writers.values().some((writer) => writer.hasChanged());
      if (isStale) break;
      if (fresh || batches % LOOK_BATCHES !== 0) continue;
      for (const writer of this.#writers.values()) writer.flush();
      isStale = await this.#store.version() !== version;
      if (isStale) break;
    }
    if (fresh) {
      for (const writer of this.#writers.values()) writer.finish();
      const { root, elsewhere } = this.#store;
      removeOtherVectors(root, Array.from(this.#models.providers.values(), ({ id }) => id), elsewhere);
      isStale = await this.#store.version() !== version;
    }
    for (const [language, writer] of this.#writers) {
      writer.flush();
      const waste = writer.size - needed.ofLanguage.get(language)!;
      if (isStale || waste < LEAST_WASTE || waste < writer.size / 2) continue;
      await writer.compact((hash) => needed.needs(language, hash));
    }
    const made = { embedded: this.#embedded, refused: this.#refused };
    return { done: before + made.embedded + made.refused, total, ...made, isStale };
  }

  async #open(language: NeuralLanguage, provider: EmbeddingProvider): Promise<void> {
    const { root, elsewhere } = this.#store;
    const { key, fresh, signal } = this.#options;
    const dimensions = provider.dimensions ??
      (await provider.embed([PLAIN_TEXT], "document", signal))[0]!.length;
    const model = { id: provider.id, dimensions };
    const open = fresh ? ContentVectorWriter.fresh : ContentVectorWriter.open;
    this.#writers.set(language, open(root, model, key, elsewhere));
  }

  async #pause(): Promise<void> {
    await (this.#options.pause?.() ?? new Promise((resolve) => setTimeout(resolve, 0)));
    this.#options.signal?.throwIfAborted();
  }

  async #embed(batch: readonly MissingVector[]): Promise<void> {
    const { language } = batch[0]!;
    const provider = this.#models.providers.get(language)!;
    // The texts are read in the order of the chunks.
    const ordered = batch.toSorted((a, b) => a.chunk - b.chunk);
    const chunks = Int32Array.from(ordered, ({ chunk }) => chunk);
    const texts = await this.#index.texts(chunks, MOST_TEXT_BYTES);
    const vectors = await this.#vectorsOf(provider, texts);
    const writer = this.#writers.get(language)!;
    // A vector of zeros stands for a refused text, which is not tried again.
    writer.append(ordered.map(({ hash }, i) => ({
      hash,
      vector: vectors[i] ?? new Float32Array(writer.dimensions),
    })));
  }

  /**
   * Returns the vectors of texts; `undefined` for each that the model refuses. Throws its error if it refuses a plain word too:
   * then the model is broken, and the texts are tried again another time.
   */
  async #vectorsOf(
    provider: EmbeddingProvider,
    texts: readonly string[],
  ): Promise<(Float32Array | undefined)[]> {
    const { signal } = this.#options;
    try {
      const vectors = await provider.embed(texts, "document", signal);
      this.#embedded += vectors.length;
      return vectors;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof UserError)) throw error;
    }
    const vectors: (Float32Array | undefined)[] = [];
    for (const text of texts) {
      try {
        vectors.push((await provider.embed([text], "document", signal))[0]!);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UserError)) throw error;
        await provider.embed([PLAIN_TEXT], "document", signal);
        vectors.push(undefined);
      }
    }
    const made = vectors.filter((vector) => vector !== undefined).length;
    this.#embedded += made;
    this.#refused += vectors.length - made;
    return vectors;
  }

  [Symbol.dispose](): void {
    for (const writer of this.#writers.values()) writer[Symbol.dispose]();
  }
}
