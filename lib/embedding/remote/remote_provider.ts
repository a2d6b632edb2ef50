import type { EmbeddingModel } from "ai";
import type { Config } from "../../config/mod.ts";
import {
  cutToLength,
  cutToTokens,
  type Fetch,
  guardedFetch,
  keepFromProxy,
  Retries,
} from "../../remote/mod.ts";
import { EmbeddingFailure, type EmbeddingKind, type EmbeddingProvider } from "../provider.ts";
import { Batches } from "./batches.ts";
import { modelProfile } from "./model_profile.ts";
import { remoteId, type Server, serverOf } from "./server.ts";
import { unitVector } from "./vectors.ts";

/** Sent instead of a blank text, which servers refuse. Its vector is not used. */
const BLANK = "-";
/** Share of the model's window that is used, because the estimate of a text's tokens may be too low. */
const WINDOW_SHARE = 0.95;

/** Loads the SDK and returns a function that makes a model of it. */
export type LoadModel = () => Promise<
  (server: Server, fetch: Fetch) => EmbeddingModel | Promise<EmbeddingModel>
>;

/** Vectors from a model on a server. Nothing is loaded or sent before the first call of {@linkcode RemoteProvider.embed}. */
export class RemoteProvider implements EmbeddingProvider {
  readonly id: string;
  readonly name: string;
  readonly #server: Server;
  readonly #fetch: Fetch;
  readonly #retries: Retries;
  readonly #batches: Batches<Float32Array>;
  readonly #prefixes: Readonly<Record<EmbeddingKind, string>>;
  readonly #maxChars: number | undefined;
  readonly #load: LoadModel;
  #model: Promise<EmbeddingModel> | undefined;
  #dimensions: number | undefined;

  constructor(embedding: Config["embedding"], load: LoadModel) {
    const server = serverOf(embedding);
    const profile = modelProfile(server.model);
    this.#server = server;
    this.#fetch = guardedFetch(server);
    this.#retries = new Retries(embedding.max_retries);
    this.#prefixes = {
      document: embedding.document_prefix ?? profile.document,
      query: embedding.query_prefix ?? profile.query,
    };
    this.#maxChars = embedding.max_input_chars ?? undefined;
    const window = this.#maxChars === undefined ? profile.window * WINDOW_SHARE : Infinity;
    this.#batches = new Batches(embedding.batch_size, window);
    this.#dimensions = server.dimensions;
    this.#load = load;
    this.id = remoteId(embedding);
    this.name = server.model;
  }

  /** Those of the last answer: the model on a server can change. */
  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  /** See {@linkcode EmbeddingProvider.embed}. Calls may overlap. A question is sent once, since its answer does not wait. */
  async embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal?: AbortSignal,
    onVectors?: (first: number, vectors: readonly Float32Array[]) => void,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    const isBlank = texts.map((text) => text.trim() === "");
    const inputs = texts.map((text, at) => isBlank[at] ? BLANK : this.#input(text, kind));
    const zerosForBlank = (vector: Float32Array | undefined, at: number) =>
      vector === undefined || isBlank[at] ? new Float32Array(this.#dimensions!) : vector;
    const vectors = await this.#batches.run(
      inputs,
      (batch) => this.#request(batch, kind, signal),
      (first, taken) => onVectors?.(first, taken.map((vector, at) => zerosForBlank(vector, first + at))),
      kind === "query",
    );
    return vectors.map(zerosForBlank);
  }

  /** Puts the model's instruction before a text and cuts both to the length that the model takes. */
  #input(text: string, kind: EmbeddingKind): string {
    const whole = this.#prefixes[kind] + text;
    return cutToTokens(
      this.#maxChars === undefined ? whole : cutToLength(whole, this.#maxChars),
      this.#batches.maxTokens,
    );
  }

  async #request(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const { requestVectors } = await import("./sdk_client.ts");
    const model = await (this.#model ??= this.#makeModel());
    try {
      const request = () => requestVectors(this.#server, model, texts, signal);
      const answer = await (kind === "query" ? request() : this.#retries.run(request, signal));
      const expected = this.#server.dimensions ?? answer[0]!.length;
      const vectors = answer.map((numbers) => unitVector(this.#server, numbers, expected));
      this.#dimensions = expected;
      return vectors;
    } catch (error) {
      throw error instanceof EmbeddingFailure && error.kind === "unknown_model"
        ? await this.#withModels(error, signal)
        : error;
    }
  }

  async #makeModel(): Promise<EmbeddingModel> {
    keepFromProxy(this.#server.baseUrl);
    const make = await this.#load();
    return await make(this.#server, this.#fetch);
  }

  /**
   * Returns the failure with the names of the server's models added. Azure is left out: it lists models, but is asked for
   * deployments.
   */
  async #withModels(failure: EmbeddingFailure, signal: AbortSignal | undefined): Promise<EmbeddingFailure> {
    if (this.#server.kind === "azure") return failure;
    const models = await listModels(this.#server, this.#fetch, signal);
    return models.length === 0
      ? failure
      : new EmbeddingFailure("unknown_model_listed", { ...failure.params, models: models.join(", ") });
  }
}

/** Most names in a message. */
const SHOWN = 12;

/** Returns the names of a server's models, likely embedding models first. Empty if the server does not list its models. */
async function listModels(server: Server, send: Fetch, signal?: AbortSignal): Promise<string[]> {
  const url = new URL(server.baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/models`;
  const headers: HeadersInit = server.apiKey === undefined
    ? {}
    : { Authorization: `Bearer ${server.apiKey}` };
  try {
    const { data } = await (await send(url, { headers, ...(signal === undefined ? {} : { signal }) }))
      .json();
    const names: string[] = data.map(({ id }: { id: unknown }) => id).filter((id: unknown) =>
      typeof id === "string"
    );
    const embeds = names.filter((name) => /embed|bge|e5|gte|minilm/i.test(name));
    return [...embeds, ...names.filter((name) => !embeds.includes(name))].slice(0, SHOWN);
  } catch {
    signal?.throwIfAborted();
    return [];
  }
}
