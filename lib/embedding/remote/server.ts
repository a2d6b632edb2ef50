import type { Config } from "../../config/mod.ts";
import { type RemoteServer, remoteServer, type ServerFailureKind } from "../../remote/mod.ts";
import { EmbeddingFailure } from "../provider.ts";
import { modelProfile } from "./model_profile.ts";

/** An embedding server and how to talk to it. */
export interface Server extends RemoteServer {
  /** Its protocol. */
  readonly kind: "openai-compatible" | "azure";
  /** Numbers in a vector to ask for; `undefined` leaves them to the model. */
  readonly dimensions: number | undefined;
}

/** Failures that are about the number of dimensions if the server's words are. */
const UNCLEAR: readonly ServerFailureKind[] = ["rejected", "wrong_address", "server_error"];

/** Returns the server of a configuration. `embedding.provider` must be `openai-compatible` or `azure`. */
export function serverOf(embedding: Config["embedding"]): Server {
  const { provider } = embedding;
  const dimensions = embedding.dimensions ?? undefined;
  if (provider !== "openai-compatible" && provider !== "azure") {
    throw new TypeError(`${provider} is no server`);
  }
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
