/**
 * A server's settings, what is known of its models, and checks of its vectors.
 */
import { type Config, type EMBEDDING_SERVERS, isServer } from "#foundation/configuration/mod.ts";
import { type RemoteServer, remoteServer, type ServerFailureKind } from "#models/remote/mod.ts";
import { EmbeddingFailure } from "../provider.ts";
import { MAX_DIMENSIONS } from "#foundation/constants.ts";

/** An embedding server and how to talk to it. */
export interface Server extends RemoteServer {
  /** Its protocol. */
  readonly kind: typeof EMBEDDING_SERVERS[number];
  /** Numbers in a vector to ask for; `undefined` leaves them to the model. */
  readonly dimensions: number | undefined;
}

/** Failures that are about the number of dimensions if the server's words are. */
const UNCLEAR: readonly ServerFailureKind[] = ["rejected", "wrong_address", "server_error"];

/** Returns the server of a configuration. `embedding.provider` must name one. */
export function serverOf(embedding: Config["embedding"]): Server {
  const { provider } = embedding;
  const dimensions = embedding.dimensions ?? undefined;
  if (!isServer(provider)) throw new TypeError(`${provider} is no server`);
  const fail: RemoteServer["fail"] = (kind, params, options) =>
    dimensions !== undefined && UNCLEAR.includes(kind) &&
      /dimension|matryoshka/i.test(String(params["words"]))
      ? new EmbeddingFailure("dimensions_refused", { ...params, dimensions })
      : new EmbeddingFailure(kind, params, options);
  return { ...remoteServer(embedding, fail), kind: provider, dimensions };
}

/**
 * Returns the id of a server's model: all that decides the vector of a document. Left out are the address, where the same
 * model may have moved, the key, and the instruction before queries, because stored vectors do not depend on them.
 */
export function remoteId(embedding: Config["embedding"]): string {
  const { kind, model, dimensions } = serverOf(embedding);
  const documentPrefix = embedding.document_prefix ?? modelProfile(model).document;
  const params = new URLSearchParams();
  if (dimensions !== undefined) params.set("dimensions", String(dimensions));
  if (documentPrefix !== "") params.set("document_prefix", documentPrefix);
  const name = `${kind}/${model.replace(/[%?]/g, encodeURIComponent)}`;
  return params.size === 0 ? name : `${name}?${params}`;
}

/** The properties of a family of models. */
interface ModelProfile {
  /** Instruction before a query. */
  readonly query: string;
  /** Instruction before a document. */
  readonly document: string;
  /** Tokens that a text may have, the instruction included. */
  readonly window: number;
}

const RETRIEVE = "Given a web search query, retrieve relevant passages that answer the query";
const REPRESENT = "Represent this sentence for searching relevant passages: ";

/** Defaults for a model that is not in the table. Its server cuts or refuses texts that are too long. */
const UNKNOWN: ModelProfile = { query: "", document: "", window: 8192 };

/**
 * The first pattern that matches the model's name counts. Instructions and windows are those of the model cards. A name may
 * be that of a file or a deployment, so the patterns match only the part that names the family.
 */
const PROFILES: readonly (readonly [RegExp, Partial<ModelProfile>])[] = [
  [/qwen3-?(?:vl-?)?embedding/, { query: `Instruct: ${RETRIEVE}\nQuery:`, window: 32_768 }],
  [/gte-qwen/, { query: `Instruct: ${RETRIEVE}\nQuery: `, window: 32_768 }],
  [/e5-mistral|sfr-embedding/, { query: `Instruct: ${RETRIEVE}\nQuery: `, window: 4096 }],
  [/\be5-.*instruct/, { query: `Instruct: ${RETRIEVE}\nQuery: `, window: 512 }],
  [/\be5-/, { query: "query: ", document: "passage: ", window: 512 }],
  [/bge-(?:small|base|large)-zh/, { query: "为这个句子生成表示以用于检索相关文章：", window: 512 }],
  [/bge-(?:small|base|large)/, { query: REPRESENT, window: 512 }],
  [/bge-m3/, {}],
  [/nomic-embed/, { query: "search_query: ", document: "search_document: ", window: 2048 }],
  [/mxbai-embed/, { query: REPRESENT, window: 512 }],
  [/arctic-embed.*(?:v2|2\.0)/, { query: "query: " }],
  [/arctic-embed/, { query: REPRESENT, window: 512 }],
  [/embedding-?gemma/, {
    query: "task: search result | query: ",
    document: "title: none | text: ",
    window: 2048,
  }],
  [/minilm|paraphrase-|gte-(?:small|base|large)|all-mpnet|granite-embedding|bce-embedding|m3e-/, {
    window: 512,
  }],
  [/text-embedding-v[12]\b/, { window: 2048 }],
];

/**
 * Returns the properties of a model by its name.
 *
 * ```ts
 * import { modelProfile } from "./server.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(modelProfile("nomic-embed-text:latest").query, "search_query: ");
 * assert.equal(modelProfile("text-embedding-qwen3-embedding-4b").window, 32_768);
 * ```
 */
export function modelProfile(model: string): ModelProfile {
  const name = model.toLowerCase().replaceAll("_", "-");
  return { ...UNKNOWN, ...PROFILES.find(([pattern]) => pattern.test(name))?.[1] };
}

/**
 * Sorts the items of an answer into the order of the texts, or returns `undefined` if their indices are not those of the
 * texts. The protocol allows any order and gives each item an `index`. Servers that leave it out, or give all items the
 * same, answer in order.
 */
export function inOrder<T>(items: readonly T[], indexOf: (item: T) => unknown): T[] | undefined {
  const places = items.map(indexOf);
  if (new Set(places).size <= 1) return [...items];
  const ordered: T[] = [];
  for (const [at, place] of places.entries()) {
    if (!Number.isInteger(place) || (place as number) < 0 || (place as number) >= items.length) {
      return undefined;
    }
    ordered[place as number] = items[at]!;
  }
  return new Set(places).size === items.length ? ordered : undefined;
}

/**
 * Returns `numbers` scaled to length 1. Throws {@linkcode EmbeddingFailure}: `not_numbers` if a number is not finite or all
 * are 0, which no model returns for a text; `wrong_dimensions` if there are not `expected` numbers; `bad_answer` if there
 * are more than {@linkcode MAX_DIMENSIONS}.
 */
export function unitVector(server: Server, numbers: readonly unknown[], expected: number): Float32Array {
  if (numbers.length > MAX_DIMENSIONS) {
    throw new EmbeddingFailure("bad_answer", { url: server.address, words: `${numbers.length} dimensions` });
  }
  if (numbers.length !== expected) {
    throw new EmbeddingFailure("wrong_dimensions", {
      url: server.address,
      model: server.model,
      expected,
      found: numbers.length,
    });
  }
  let length = 0;
  for (const value of numbers) {
    if (typeof value !== "number") throw notNumbers(server);
    length = Math.hypot(length, value);
  }
  if (!(length > 0 && Number.isFinite(length))) throw notNumbers(server);
  return Float32Array.from(numbers as number[], (value) => value / length);
}

/** Returns the failure for an answer that has NaN, infinities, `null` or only zeros as numbers. */
export function notNumbers(server: Server): EmbeddingFailure {
  return new EmbeddingFailure("not_numbers", { url: server.address, model: server.model });
}
