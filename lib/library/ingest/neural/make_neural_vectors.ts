/** Makes the vectors of local models in the background, shortest and recently used texts first. */
import {
  EmbeddingFailure,
  type EmbeddingProvider,
  type NeuralLanguage,
  type NeuralModels,
} from "#models/embedding/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { HashSlots, type OpenIndex, type Store, type VectorWriter } from "#library/store/mod.ts";
import {
  EmbeddingQueue,
  type KnownRoutes,
  type MissingVector,
  neededVectors,
  textBytes,
  tokensOf,
} from "./missing_vectors.ts";

/** Progress of {@linkcode makeNeuralVectors}: how many of the vectors that a folder needs exist. */
export interface NeuralProgress {
  readonly done: number;
  readonly total: number;
  /** Estimated number of tokens in the texts without a vector. */
  readonly tokensLeft: number;
}

/** Result of {@linkcode makeNeuralVectors}. */
export interface NeuralSummary extends Omit<NeuralProgress, "tokensLeft"> {
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
  readonly onProgress?: (progress: NeuralProgress) => void;
  /** Hashes of texts that searches have met without a vector. They come first. */
  readonly wanted?: () => Iterable<Uint8Array>;
  /** Awaited before each batch. */
  readonly pause?: () => Promise<void>;
  /**
   * Makes every vector again, and removes those of local models that are not given. That is done at the end, so a run that is
   * stopped changes nothing.
   */
  readonly fresh?: boolean;
  /** Milliseconds after which the run ends although texts are left, so that other folders get a turn. Default: never. */
  readonly turnMs?: number;
  /** The models of texts, as earlier runs on the folder found them. */
  readonly routes?: KnownRoutes;
}

/** Batches between two looks whether the index was replaced. */
const LOOK_BATCHES = 32;
/** Batches for models in this program that are under way at once in a run without pauses: no thread waits for a batch's last text. */
const LOCAL_AT_ONCE = 2;
/** A text that every model that works can embed. */
const PLAIN_TEXT = "one";
/** Time that requests under way have left to finish after another one has failed, in milliseconds: they are paid for. */
const GRACE_MS = 5000;
/** A file is written anew when so many of its vectors, and at least half of them, are not needed any more. */
const LEAST_WASTE = 1000;

/**
 * Makes the vectors of neural models that the index of a folder lacks: once for each text and model, shortest first. Vectors that were
 * made stay when the run is stopped or a server fails. Throws `vectors_busy` if another process makes them or has taken over, `disk_full`,
 * `data_folder_unwritable`, `EmbeddingFailure` if a model does not work, or the reason of the signal.
 */
export async function makeNeuralVectors(
  store: Store,
  models: NeuralModels,
  options: NeuralOptions = {},
): Promise<NeuralSummary> {
  const nothing = { done: 0, total: 0, embedded: 0, refused: 0, isStale: false };
  if (await store.version() === undefined) return nothing;
  await using lock = new OfferedLock(store, options);
  await lock.take();
  const version = await store.version();
  const loaded = await store.open();
  if (loaded.state !== "ready") return nothing;
  using index = loaded.index;
  if (index.statistics.chunks === 0) return nothing;
  await using run = new NeuralRun(store, index, models, lock, options);
  return await run.run(version);
}

class NeuralRun implements AsyncDisposable {
  readonly #store: Store;
  readonly #index: OpenIndex;
  readonly #models: NeuralModels;
  readonly #lock: OfferedLock;
  readonly #options: NeuralOptions;
  readonly #writers = new Map<NeuralLanguage, VectorWriter>();
  /** Ends the requests under way. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #underWay = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;
  #embedded = 0;
  #refused = 0;
  #tokensLeft = 0;

  constructor(
    store: Store,
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
    const { signal } = options;
    this.#signal = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
  }

  async run(version: string | undefined): Promise<NeuralSummary> {
    for (const [language, provider] of this.#models.providers) await this.#open(language, provider);
    const end = performance.now() + (this.#options.turnMs ?? Infinity);
    const { wanted, fresh = false, onProgress = () => {}, routes = new HashSlots() } = this.#options;
    const needed = await neededVectors(this.#index, this.#models, this.#writers, routes, () => this.#pause());
    const { total, missing } = needed;
    const before = total - missing.length;
    this.#tokensLeft = tokensOf(missing);
    const { server } = this.#models;
    const atOnce = server?.atOnce ?? (this.#options.pause === undefined ? LOCAL_AT_ONCE : 1);
    const queue = new EmbeddingQueue(missing, server && { texts: server.texts, chars: Infinity });
    let isStale = false;
    const report = () => {
      const done = before + this.#embedded + this.#refused;
      onProgress({ done, total, tokensLeft: this.#tokensLeft });
    };
    report();
    for (let batches = 1;; batches++) {
      const batch = queue.take(wanted?.());
      if (batch.length === 0) break;
      this.#send(batch, report);
      await this.#waitFor(atOnce - 1);
      await this.#pause();
      if (this.#lock.isDue) await this.#waitFor(0);
      isStale = performance.now() >= end || await this.#lock.offer() && await this.#haveChanged();
      if (isStale) break;
      if (fresh || batches % LOOK_BATCHES !== 0) continue;
      for (const writer of this.#writers.values()) await writer.flush();
      isStale = await this.#store.version() !== version;
      if (isStale) break;
    }
    await this.#waitFor(0);
    if (fresh) {
      for (const writer of this.#writers.values()) await writer.finish();
      await this.#store.vectors.keepOnly(Array.from(this.#models.providers.values(), ({ id }) => id));
      isStale = await this.#store.version() !== version;
    }
    for (const [language, writer] of this.#writers) {
      await writer.flush();
      const waste = writer.size - needed.ofLanguage.get(language)!;
      if (isStale || waste < LEAST_WASTE || waste < writer.size / 2) continue;
      await writer.compact((hash) => needed.needs(language, hash));
    }
    const made = { embedded: this.#embedded, refused: this.#refused };
    return { done: before + made.embedded + made.refused, total, ...made, isStale };
  }

  async #open(language: NeuralLanguage, provider: EmbeddingProvider): Promise<void> {
    const { vectors } = this.#store;
    const { fresh = false, signal } = this.#options;
    // The model on a server may change behind its name, so the vectors that are there count.
    const known = this.#models.server === undefined ? provider.dimensions : undefined;
    const stored = fresh ? undefined : await vectors.dimensions(provider.id);
    const dimensions = known ?? stored ??
      (await provider.embed([PLAIN_TEXT], "document", signal))[0]!.length;
    this.#writers.set(language, await vectors.write({ id: provider.id, dimensions }, { fresh }));
  }

  async #haveChanged(): Promise<boolean> {
    const changed = await Promise.all(this.#writers.values().map((writer) => writer.hasChanged()));
    return changed.includes(true);
  }

  async #pause(): Promise<void> {
    await (this.#options.pause?.() ?? new Promise((resolve) => setTimeout(resolve, 0)));
    this.#options.signal?.throwIfAborted();
  }

  /** Begins to embed a batch. `report` is called with each part that is on the disk. */
  #send(batch: readonly MissingVector[], report: () => void): void {
    const work = this.#embed(batch, report)
      .catch((error) => void (this.#failure ??= { error }))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /** Waits until at most `count` batches are under way. Throws the first failure after {@linkcode GRACE_MS} at most. */
  async #waitFor(count: number): Promise<void> {
    while (this.#underWay.size > count && this.#failure === undefined) await Promise.race(this.#underWay);
    if (this.#failure === undefined) return;
    const timer = setTimeout(() => this.#stop.abort(), GRACE_MS);
    await Promise.all(this.#underWay);
    clearTimeout(timer);
    this.#options.signal?.throwIfAborted();
    throw this.#failure.error;
  }

  async #embed(batch: readonly MissingVector[], report: () => void): Promise<void> {
    const { language } = batch[0]!;
    const provider = this.#models.providers.get(language)!;
    // The texts are read in the order of the chunks.
    const ordered = batch.toSorted((a, b) => a.chunk - b.chunk);
    const chunks = Int32Array.from(ordered, ({ chunk }) => chunk);
    const texts = await this.#index.texts(chunks, textBytes(this.#models));
    const writer = this.#writers.get(language)!;
    const stored = new Set<number>();
    const writes: Promise<void>[] = [];
    const store = (first: number, vectors: readonly (Float32Array | undefined)[]) => {
      const fresh = [...ordered.slice(first, first + vectors.length).entries()]
        .filter(([i]) => !stored.has(first + i));
      for (const [i] of fresh) stored.add(first + i);
      const entries = fresh.map(([i, { hash }]) => {
        // A vector of zeros stands for a refused text, which is not tried again.
        const vector = vectors[i] ?? new Float32Array(writer.dimensions);
        checkDimensions(provider, vector, writer.dimensions);
        return { hash, vector };
      });
      if (entries.length === 0) return;
      const write = writer.append(entries).then(() => {
        const refused = entries.filter(({ vector }) => vector.every((value) => value === 0)).length;
        this.#refused += refused;
        this.#embedded += entries.length - refused;
        this.#tokensLeft -= tokensOf(fresh.map(([, text]) => text));
        report();
      });
      // It is awaited at the end, and a failure until then is not lost.
      write.catch(() => {});
      writes.push(write);
    };
    try {
      const vectors = this.#models.server === undefined
        ? await this.#vectorsOf(provider, texts)
        // The vectors that a server has sent are paid for, and stay if the rest of the batch fails.
        : await provider.embed(texts, "document", this.#signal, store);
      store(0, vectors);
    } finally {
      await Promise.all(writes);
    }
  }

  /** Throws the model's error if it refuses a plain word too: then it is broken, and the texts are tried again another time. */
  async #vectorsOf(provider: EmbeddingProvider, texts: readonly string[]) {
    const { signal } = this.#options;
    return await vectorsOf(provider, texts, signal, async () => {
      await provider.embed([PLAIN_TEXT], "document", signal);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#underWay);
    for (const writer of this.#writers.values()) await writer[Symbol.asyncDispose]();
  }
}

/** Returns the vectors of texts; `undefined` for each that the model refuses, of whose error `onRefused` is told. */
export async function vectorsOf(
  provider: EmbeddingProvider,
  texts: readonly string[],
  signal: AbortSignal | undefined,
  onRefused: (error: UserError) => Promise<void> | void,
): Promise<(Float32Array | undefined)[]> {
  const refusalOf = (error: unknown) => {
    signal?.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    return error;
  };
  try {
    return await provider.embed(texts, "document", signal);
  } catch (error) {
    refusalOf(error);
  }
  const vectors: (Float32Array | undefined)[] = [];
  for (const text of texts) {
    try {
      vectors.push((await provider.embed([text], "document", signal))[0]!);
    } catch (error) {
      await onRefused(refusalOf(error));
      vectors.push(undefined);
    }
  }
  return vectors;
}

/** Throws `embedding_wrong_dimensions` if a vector does not fit those that are stored: the model has changed under its name. */
export function checkDimensions(
  { id, name = id }: EmbeddingProvider,
  { length: found }: Float32Array,
  expected: number,
): void {
  if (found !== expected) throw new EmbeddingFailure("wrong_dimensions", { model: name, expected, found });
}

/** Time for another process to take over, in milliseconds. One that waits tries every 20. */
const OFFERED_MS = 60;

/** Options of an {@linkcode OfferedLock}. */
interface LockOptions {
  readonly signal?: AbortSignal;
  /** Called with the error while another process has the lock, which is then waited for. Default: `vectors_busy` is thrown. */
  readonly onBusy?: (error: UserError) => void;
  /** Milliseconds after which a process that waits may take the lock, again and again. Default: never. */
  readonly offerMs?: number;
}

/** The lock of a folder's vectors, which a process that waits for it can take over. */
class OfferedLock implements AsyncDisposable {
  readonly #store: Store;
  readonly #options: LockOptions;
  #lock: AsyncDisposable | undefined;
  #takenAt = 0;

  constructor(store: Store, options: LockOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Takes the lock. Throws `vectors_busy` unless `onBusy` is given, and the reason of the signal. */
  async take(): Promise<void> {
    const { onBusy, signal } = this.#options;
    while (this.#lock === undefined) {
      try {
        this.#lock = await this.#store.lock("vectors");
      } catch (error) {
        signal?.throwIfAborted();
        if (onBusy === undefined || !(error instanceof UserError) || error.key !== "vectors_busy") {
          throw error;
        }
        onBusy(error);
      }
    }
    this.#takenAt = performance.now();
  }

  /** Whether it is time for {@linkcode offer} to release the lock. */
  get isDue(): boolean {
    return performance.now() - this.#takenAt >= (this.#options.offerMs ?? Infinity);
  }

  /** Releases the lock for a moment if it is time. Returns whether it was released. Throws `vectors_busy` if it was taken. */
  async offer(): Promise<boolean> {
    if (!this.isDue) return false;
    await this[Symbol.asyncDispose]();
    await new Promise((resolve) => setTimeout(resolve, OFFERED_MS));
    await this.take();
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.[Symbol.asyncDispose]();
  }
}
