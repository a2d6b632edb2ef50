import { createHash } from "node:crypto";
import type { Config } from "../config/mod.ts";
import { createRemoteProvider, EmbeddingFailure, type EmbeddingProvider } from "../embedding/mod.ts";
import type { IndexKey, VectorMeta } from "../index/mod.ts";
import { HashSlots, type IndexStore, type StoredVectors, VectorCache } from "../store/mod.ts";
import type { ChunkEmbedder, EmbeddedIndex } from "./chunk_embedder.ts";
import { EmbeddingPump } from "./embedding_pump.ts";

/**
 * Text of the first request, before any file is read: it shows whether the server answers, and the dimensions of its
 * vectors.
 */
const PROBE = "muxue_rag";
/**
 * Prefix of the cache's model in a fresh run, whose vectors are kept apart: the model may have changed under the same name.
 */
const ANEW = "anew ";
/** Least cosine of two answers of one model to one text. A change of quantisation makes a greater difference. */
const SAME_MODEL = 0.999;

/** Input of {@linkcode openRemoteEmbedder}. */
export interface RemoteEmbedderInput {
  readonly store: IndexStore;
  /** The key that the index and the vectors of earlier runs must be sealed with. */
  readonly key: IndexKey;
  readonly config: Config["embedding"];
  /** Metadata of the vectors in the previous index, if that was read and verified. */
  readonly previous: VectorMeta | undefined;
  /** Whether to ask the server for every vector again. */
  readonly fresh: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called after each answer of the server, with the number of texts that have their vectors. */
  readonly onEmbedded?: (embedded: number) => void;
}

/**
 * Opens an embedder that asks a server. It takes known vectors from the previous index and from an unfinished run; with
 * `fresh` only from an unfinished run that was fresh, too. Throws the provider's errors if the dimensions must be asked for.
 */
export async function openRemoteEmbedder(input: RemoteEmbedderInput): Promise<ChunkEmbedder> {
  const { store, key, config, previous, fresh, signal } = input;
  const provider = createRemoteProvider(config);
  const { id: model } = provider;
  const cache = VectorCache.open(store.root, fresh ? ANEW + model : model, key, store.elsewhere);
  let stored: StoredVectors | undefined;
  try {
    if (fresh) keepIfSame(cache, await probe(provider, signal));
    else stored = await store.paidVectors({ model }, previous?.model === model);
    const dimensions = stored?.meta.dimensions ?? cache.dimensions ?? provider.dimensions ??
      (await probe(provider, signal)).length;
    return new RemoteEmbedder({ model, dimensions, exact: true }, provider, cache, stored, input);
  } catch (error) {
    cache.close();
    stored?.[Symbol.dispose]();
    throw error;
  }
}

async function probe(provider: EmbeddingProvider, signal: AbortSignal | undefined): Promise<Float32Array> {
  const [vector] = await provider.embed([PROBE], "document", signal);
  return vector!;
}

/**
 * Empties the cache if the model has changed since it was filled. The cache recognises the model by its vector of the probe.
 */
function keepIfSame(cache: VectorCache, vector: Float32Array): void {
  const hash = createHash("sha256").update(PROBE).digest();
  const before = cache.get(hash);
  if (before?.length === vector.length && cosine(before, vector) >= SAME_MODEL) return;
  cache.clear();
  cache.append([{ hash, vector }]);
}

/** Returns the cosine of two vectors of length 1. */
function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

class RemoteEmbedder implements ChunkEmbedder {
  readonly #pump: EmbeddingPump;
  readonly #input: RemoteEmbedderInput;
  #index: EmbeddedIndex | undefined;
  /** Content hashes of which the stored vectors are not used. */
  readonly #renewed = new HashSlots();

  constructor(
    readonly meta: VectorMeta,
    provider: EmbeddingProvider,
    readonly cache: VectorCache,
    readonly stored: StoredVectors | undefined,
    input: RemoteEmbedderInput,
  ) {
    const { config, signal, onEmbedded } = input;
    this.#input = input;
    this.#pump = new EmbeddingPump({
      provider: inDimensions(provider, meta.dimensions, config.model ?? ""),
      cache,
      batchSize: config.batch_size,
      concurrency: config.concurrency,
      signal,
      onProgress: ({ embedded }) => onEmbedded?.(embedded),
    });
  }

  get embedded(): number {
    return this.#pump.progress.embedded;
  }

  get toEmbed(): number {
    return this.embedded + this.#pump.waiting;
  }

  get refused(): number {
    return this.#pump.progress.refused;
  }

  begin(index: EmbeddedIndex): void {
    this.#index = index;
  }

  async add(chunk: number, text: string, isFresh = false): Promise<void> {
    const hash = this.#index!.contentHash(chunk).slice();
    if (isFresh) this.#renewed.set(hash, 1);
    if (isFresh || !this.stored?.has(hash)) await this.#pump.add({ hash, text });
  }

  async finish(): Promise<void> {
    await this.#pump.finish();
  }

  readonly exact = (chunk: number): Float32Array | undefined => {
    const hash = this.#index!.contentHash(chunk);
    const known = this.#renewed.get(hash) === undefined ? this.stored?.get(hash) : undefined;
    const vector = known ?? this.cache.get(hash);
    // without this check, zeros would take its place unnoticed
    if (vector === undefined && !this.#pump.isRefused(hash)) throw new Error(`chunk ${chunk} has no vector`);
    return vector;
  };

  commit(): void {
    const { store, key, fresh } = this.#input;
    this.cache.remove();
    if (fresh) VectorCache.remove(store.root, this.meta.model, key, store.elsewhere);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pump[Symbol.asyncDispose]();
    this.cache.close();
    this.stored?.[Symbol.dispose]();
  }
}

/** Wraps a provider so that vectors with other dimensions throw: the model has changed under the same name. */
function inDimensions(provider: EmbeddingProvider, dimensions: number, model: string): EmbeddingProvider {
  const checked = (vectors: readonly Float32Array[]) => {
    const other = vectors.find((vector) => vector.length !== dimensions);
    if (other === undefined) return;
    throw new EmbeddingFailure("wrong_dimensions", { model, expected: dimensions, found: other.length });
  };
  return {
    id: provider.id,
    dimensions,
    async embed(texts, kind, signal, onVectors) {
      const vectors = await provider.embed(texts, kind, signal, (first, part) => {
        checked(part);
        onVectors?.(first, part);
      });
      checked(vectors);
      return vectors;
    },
  };
}
