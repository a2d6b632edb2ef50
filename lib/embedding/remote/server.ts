import { type Config, secretForms } from "../../config/mod.ts";
import { modelProfile } from "./model_profile.ts";

/** An embedding server and how to talk to it. */
export interface Server {
  /** Its protocol. */
  readonly kind: "openai-compatible" | "azure";
  /** As configured. May contain secrets. */
  readonly baseUrl: string;
  /** The same without user, password and query, for messages. */
  readonly address: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Numbers in a vector to ask for; `undefined` leaves them to the model. */
  readonly dimensions: number | undefined;
  readonly timeoutSeconds: number;
  /** Texts that must not appear in any message. */
  readonly secrets: readonly string[];
}

/** Returns the server of a configuration. `embedding.provider` must be `openai-compatible` or `azure`. */
export function serverOf(embedding: Config["embedding"]): Server {
  const { provider, model } = embedding;
  if (provider !== "openai-compatible" && provider !== "azure") {
    throw new TypeError(`${provider} is no server`);
  }
  const url = new URL(embedding.base_url ?? "");
  const apiKey = embedding.api_key?.trim() || undefined;
  const inAddress = [url.username, url.password, ...url.searchParams.values()];
  return {
    kind: provider,
    baseUrl: url.href,
    address: `${url.origin}${url.pathname}`.replace(/\/+$/, ""),
    apiKey,
    model: model ?? "",
    dimensions: embedding.dimensions ?? undefined,
    timeoutSeconds: embedding.timeout_seconds,
    secrets: [apiKey ?? "", ...inAddress, ...inAddress.map(decoded)].filter((secret) => secret.length >= 4)
      .flatMap(secretForms),
  };
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
