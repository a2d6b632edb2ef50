import type { Config } from "../config/mod.ts";
import { BUILTIN_ID, BuiltinProvider, type Table } from "./builtin/mod.ts";
import type { EmbeddingProvider } from "./provider.ts";
import { RemoteProvider } from "./remote/remote_provider.ts";
import { remoteId } from "./remote/server.ts";

/**
 * Returns the provider that a configuration names, or `undefined` for `none`. `table` is called only for the built-in
 * provider. The SDK for servers is loaded with the first request.
 */
export function createProvider(
  embedding: Config["embedding"],
  table: () => Table,
): EmbeddingProvider | undefined {
  switch (embedding.provider) {
    case "none":
      return undefined;
    case "builtin":
    // The vectors of local models are beside those of the built-in table, which stays the bridge between languages.
    case "local":
      return new BuiltinProvider(table());
    default:
      return createRemoteProvider(embedding);
  }
}

/** Returns the provider for a model on a server. `embedding.provider` must be `openai-compatible` or `azure`. */
export function createRemoteProvider(embedding: Config["embedding"]): EmbeddingProvider {
  return new RemoteProvider(
    embedding,
    embedding.provider === "azure"
      ? async () => (await import("./azure/model.ts")).azureModel
      : async () => (await import("./openai_compatible/model.ts")).openaiCompatibleModel,
  );
}

/**
 * Returns the {@linkcode EmbeddingProvider.id} of the provider that a configuration names, or `undefined` for `none`. Loads
 * neither the table nor the SDK.
 */
export function providerId(embedding: Config["embedding"]): string | undefined {
  if (embedding.provider === "none") return undefined;
  return embedding.provider === "builtin" || embedding.provider === "local"
    ? BUILTIN_ID
    : remoteId(embedding);
}
