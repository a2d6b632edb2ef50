/**
 * Vectors from a server: batches, retries, and vectors in the order of the texts.
 */
import type { EmbeddingModel } from "ai";
import type { Config } from "#foundation/configuration/mod.ts";
import {
  cutToLength,
  cutToTokens,
  estimateTokens,
  type Fetch,
  guardedFetch,
  Retries,
} from "#models/remote/mod.ts";
import {
  EmbeddingFailure,
  type EmbeddingKind,
  type EmbeddingProvider,
  type FailureKind,
} from "../provider.ts";
import { modelProfile, remoteId, type Server, serverOf, unitVector } from "./server.ts";

/** Sent instead of a blank text, which servers refuse. Its vector is not used. */
const BLANK = "-";
/** Share of the model's window that is used, because the estimate of a text's tokens may be too low. */
const WINDOW_SHARE = 0.95;

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
  #model: Promise<EmbeddingModel> | undefined;
  #dimensions: number | undefined;

  constructor(embedding: Config["embedding"]) {
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
    const { openModel, requestVectors } = await import("./sdk_client.ts");
    const model = await (this.#model ??= openModel(this.#server, this.#fetch));
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

/** Texts of this many UTF-16 units are not cut further: a server does not refuse them for their length. */
const LEAST_CHARS = 64;
/** Share of a text that is kept with each cut. */
const CUT = 2 / 3;
/** A text that every working server accepts. */
const PLAIN = "text";
/** How often a text is cut if the server does not say that its length is the reason. */
const CUTS_IF_REFUSED = 2;
/** Time-outs of one batch, each with a quarter of its texts, before the server counts as dead. */
const MAX_TIMEOUTS = 3;
/** Texts that must be too long before the limit for all texts is lowered: a single one may be unusual. */
const ODD_TEXTS = 2;

/** Failures that a single text may cause. */
const REFUSALS: ReadonlySet<FailureKind> = new Set<FailureKind>(["too_long", "rejected", "not_numbers"]);

/** Sends texts in one request. Returns one result for each. */
type SendBatch<T> = (texts: readonly string[]) => Promise<readonly T[]>;

/** Called with results as they arrive and the index of the first among the texts. */
type OnTaken<T> = (first: number, results: readonly T[]) => void;

interface Call<T> {
  readonly send: SendBatch<T>;
  readonly onTaken: OnTaken<T>;
  readonly needsAll: boolean;
}

/**
 * Sends texts in as few requests as possible. Learns the limits of the server: the number of texts in a request and the
 * length of a text. If the server refuses one text but accepts others, that text gets no result and the run goes on.
 *
 *     a request of n texts
 *       ├─ accepted ──────────────► results
 *       ├─ refused, n > 1 ────────► both halves; later requests have fewer texts
 *       ├─ timed out, n > 1 ──────► quarters; given up after three time-outs
 *       ├─ too long, n = 1 ───────► cut to two thirds, again and again; the second such text lowers the limit for all
 *       └─ refused, n = 1 ────────► cut at most twice; then no result, if the server still accepts a plain text
 */
class Batches<T> {
  #size: number;
  readonly #wantedSize: number;
  #largestTaken = 0;
  #tooLong = 0;

  /** `size`: texts in a request. `maxTokens`: estimated tokens that a text may have. */
  constructor(size: number, public maxTokens: number) {
    this.#size = size;
    this.#wantedSize = size;
  }

  /**
   * Returns the result of `send` for each text, or `undefined` for a text that the server refuses. With `needsAll`, a
   * refused text is an error. Throws the error of `send`, after `onTaken` was called with the results so far.
   */
  async run(
    texts: readonly string[],
    send: SendBatch<T>,
    onTaken: OnTaken<T> = () => {},
    needsAll = false,
  ): Promise<(T | undefined)[]> {
    const results: (T | undefined)[] = [];
    while (results.length < texts.length) {
      const at = results.length;
      const part = texts.slice(at, at + this.#size);
      results.push(
        ...await this.#batch(part, { send, needsAll, onTaken: (first, taken) => onTaken(at + first, taken) }),
      );
    }
    return results;
  }

  async #batch(texts: readonly string[], call: Call<T>, timeouts = 0): Promise<(T | undefined)[]> {
    try {
      return await this.#request(texts, call);
    } catch (error) {
      if (!(error instanceof EmbeddingFailure)) throw error;
      if (texts.length === 1) return [await this.#single(texts[0]!, call, error)];
      const parts = this.#partsAfter(error, texts.length, timeouts);
      if (parts === undefined) throw error;
      const size = Math.ceil(texts.length / parts);
      if (texts.length > this.#largestTaken && error.kind !== "too_long") {
        this.#size = Math.min(this.#size, size);
      }
      const results: (T | undefined)[] = [];
      while (results.length < texts.length) {
        const at = results.length;
        const part: Call<T> = { ...call, onTaken: (first, taken) => call.onTaken(at + first, taken) };
        const late = timeouts + (error.kind === "timeout" ? 1 : 0);
        results.push(...await this.#batch(texts.slice(at, at + size), part, late));
      }
      return results;
    }
  }

  /** Returns the number of parts to split a batch into after a failure, or `undefined` if splitting would not help. */
  #partsAfter({ kind }: EmbeddingFailure, length: number, timeouts: number): number | undefined {
    if (kind === "timeout") return timeouts + 1 < MAX_TIMEOUTS ? Math.min(4, length) : undefined;
    return ["batch_too_large", "too_large", "too_long", "rejected", "not_numbers"].includes(kind)
      ? 2
      : undefined;
  }

  /** Sends one text, cut shorter after each refusal. */
  async #single(text: string, call: Call<T>, failure: EmbeddingFailure): Promise<T | undefined> {
    let last = failure;
    let rest = text;
    for (let cuts = 0;; cuts++) {
      if (!REFUSALS.has(last.kind)) throw last;
      const odd = last.kind !== "too_long";
      if (rest.length <= LEAST_CHARS || odd && cuts >= CUTS_IF_REFUSED) {
        if (call.needsAll || this.#largestTaken === 0 && !odd) throw last;
        return await this.#lastTry(text, call);
      }
      rest = cutToLength(rest, Math.max(LEAST_CHARS, Math.floor(rest.length * CUT)));
      try {
        const [result] = await this.#request([rest], call);
        if (failure.kind === "too_long" && ++this.#tooLong >= ODD_TEXTS) {
          this.maxTokens = Math.min(this.maxTokens, estimateTokens(rest));
        }
        return result;
      } catch (error) {
        if (!(error instanceof EmbeddingFailure)) throw error;
        last = error;
      }
    }
  }

  /**
   * Sends a text that was refused once more, after a plain one. A server that has unloaded its model refuses every text;
   * only if it accepts the plain one is this text the cause.
   */
  async #lastTry(text: string, call: Call<T>): Promise<T | undefined> {
    await call.send([PLAIN]);
    try {
      const [result] = await this.#request([text], call);
      return result;
    } catch (error) {
      if (!(error instanceof EmbeddingFailure) || !REFUSALS.has(error.kind)) throw error;
      // The text was the cause, so the size of the batch was not.
      this.#size = this.#wantedSize;
      return undefined;
    }
  }

  async #request(texts: readonly string[], { send, onTaken }: Call<T>): Promise<T[]> {
    const results = await send(texts);
    this.#largestTaken = Math.max(this.#largestTaken, results.length);
    onTaken(0, results);
    return [...results];
  }
}
