import type { Config } from "../config/mod.ts";
import { createRemoteProvider, EmbeddingFailure, type EmbeddingProvider } from "../embedding/mod.ts";
import { StoredVectors, type VectorMeta } from "../index/mod.ts";
import { indexPath, VectorCache } from "../store/mod.ts";
import type { ChunkEmbedder, EmbeddedIndex } from "./chunk_embedder.ts";
import { EmbeddingPump } from "./embed_remote.ts";

/** What {@linkcode openRemoteEmbedder} needs. */
export interface RemoteEmbedderInput {
  readonly root: string;
  readonly config: Config["embedding"];
  /** What the index before says of its vectors, if it was read and found sound. */
  readonly previous: VectorMeta | undefined;
  /** Ask the server for every vector, whatever is known. */
  readonly fresh: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Embeds chunks by a server. Vectors of contents that the index before or an unfinished run has are taken from there.
 * Throws the provider's errors where it must be asked how many numbers its vectors have.
 */
export async function openRemoteEmbedder(input: RemoteEmbedderInput): Promise<ChunkEmbedder> {
  const { root, config, previous, fresh, signal } = input;
  const provider = createRemoteProvider(config);
  const { id: model } = provider;
  const cache = await VectorCache.open(root, model);
  let stored: StoredVectors | undefined;
  try {
    if (fresh) await cache.clear();
    else stored = StoredVectors.open(indexPath(root), model, previous?.model === model);
    const dimensions = stored?.meta.dimensions ?? cache.dimensions ?? provider.dimensions ??
      await dimensionsOf(provider, signal);
    return new RemoteEmbedder({ model, dimensions, exact: true }, provider, cache, stored, input);
  } catch (error) {
    cache.close();
    stored?.[Symbol.dispose]();
    throw error;
  }
}

/** Asks the server: if it is not there, that is known before any file is read. */
async function dimensionsOf(provider: EmbeddingProvider, signal: AbortSignal | undefined): Promise<number> {
  const [vector] = await provider.embed(["muxue_rag"], "document", signal);
  return vector!.length;
}

class RemoteEmbedder implements ChunkEmbedder {
  readonly #pump: EmbeddingPump;
  #index: EmbeddedIndex | undefined;

  constructor(
    readonly meta: VectorMeta,
    provider: EmbeddingProvider,
    readonly cache: VectorCache,
    readonly stored: StoredVectors | undefined,
    { config, signal }: RemoteEmbedderInput,
  ) {
    this.#pump = new EmbeddingPump({
      provider: inDimensions(provider, meta.dimensions, config.model ?? ""),
      cache,
      batchSize: config.batch_size,
      concurrency: config.concurrency,
      signal,
    });
  }

  get embedded(): number {
    return this.#pump.progress.embedded;
  }

  begin(index: EmbeddedIndex): void {
    this.#index = index;
  }

  async add(chunk: number, text: string): Promise<void> {
    const hash = this.#index!.contentHash(chunk).slice();
    if (!this.stored?.has(hash)) await this.#pump.add({ hash, text });
  }

  async finish(): Promise<void> {
    await this.#pump.finish();
  }

  readonly exact = (chunk: number): Float32Array | undefined => {
    const hash = this.#index!.contentHash(chunk);
    return this.stored?.get(hash) ?? this.cache.get(hash);
  };

  commit(): Promise<void> {
    return this.cache.remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pump[Symbol.asyncDispose]();
    this.cache.close();
    this.stored?.[Symbol.dispose]();
  }
}

/** The provider, refusing vectors that do not go with those there are: the model has changed behind its name. */
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
