import { EncoderPool, type ModelFiles, type Pooling, type ThreadOptions } from "../../neural/mod.ts";
import { toSimplified } from "../../simplified.ts";
import type { EmbeddingKind, EmbeddingProvider } from "../provider.ts";

/** Raised if the vector of a text changes although the model does not. */
const LOCAL_VERSION = 1;

/** A model and how it is used. */
export interface LocalModel {
  /** For people. */
  readonly name: string;
  readonly files: ModelFiles;
  readonly pooling: Pooling;
  /** `undefined` if nothing tells them before the model is loaded. */
  readonly dimensions: number | undefined;
  readonly maxTokens: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  /** Whether traditional Chinese characters become simplified ones, because the model knows few of them. Default: no. */
  readonly simplifies?: boolean;
}

/** Vectors from a model that runs in threads of this program. It is loaded with the first text. */
export class LocalProvider implements EmbeddingProvider, Disposable {
  /** Holds a hash of the model's files and of every setting that changes vectors. */
  readonly id: string;
  readonly name: string;
  readonly dimensions: number | undefined;
  readonly #model: LocalModel;
  readonly #pool: EncoderPool;

  private constructor(id: string, model: LocalModel, options: ThreadOptions) {
    this.id = id;
    this.name = model.name;
    this.dimensions = model.dimensions;
    this.#model = model;
    this.#pool = new EncoderPool(model.files, model, options);
  }

  /** Returns the provider of a model. Reads nothing. */
  static async of(model: LocalModel, options: ThreadOptions = {}): Promise<LocalProvider> {
    return new LocalProvider(await idOf(model), model, options);
  }

  /** See {@linkcode EmbeddingProvider.embed}. A question overtakes documents. */
  async embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal?: AbortSignal,
    onVectors?: (first: number, vectors: readonly Float32Array[]) => void,
  ): Promise<Float32Array[]> {
    const isQuery = kind === "query";
    const prefix = isQuery ? this.#model.queryPrefix : this.#model.documentPrefix;
    const { simplifies = false } = this.#model;
    return await this.#pool.embed(texts.map((text) => prefix + (simplifies ? toSimplified(text) : text)), {
      priority: isQuery ? "question" : "background",
      signal,
      onVector: onVectors && ((at, vector) => onVectors(at, [vector])),
    });
  }

  /** Ends the threads. Texts that are being embedded fail with an `AbortError`. */
  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

async function idOf(model: LocalModel): Promise<string> {
  const { files, pooling, maxTokens, queryPrefix, documentPrefix, simplifies = false } = model;
  const parts = [files.model.sha256, files.tokenizer.sha256, pooling, maxTokens, queryPrefix, documentPrefix];
  if (simplifies) parts.push("simplified");
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `local/${LOCAL_VERSION}/${hash.subarray(0, 12).toHex()}`;
}
