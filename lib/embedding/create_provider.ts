import type { Config } from "../config/mod.ts";
import { BuiltinProvider, type Table } from "./builtin/mod.ts";
import type { EmbeddingProvider } from "./provider.ts";
import { RemoteProvider } from "./remote/remote_provider.ts";

/**
 * The provider of vectors that a configuration names; `undefined` for `none`. `table` gives the built-in table if it is
 * wanted. The SDK for servers is loaded when it is first needed.
 */
export function createProvider(
  embedding: Config["embedding"],
  table: () => Table,
): EmbeddingProvider | undefined {
  switch (embedding.provider) {
    case "none":
      return undefined;
    case "builtin":
      return new BuiltinProvider(table());
    default:
      return createRemoteProvider(embedding);
  }
}

/** The provider for a model on a server. `embedding.provider` must be `openai-compatible` or `azure`. */
export function createRemoteProvider(embedding: Config["embedding"]): EmbeddingProvider {
  return new RemoteProvider(
    embedding,
    embedding.provider === "azure"
      ? async () => (await import("./azure/model.ts")).azureModel
      : async () => (await import("./openai_compatible/model.ts")).openaiCompatibleModel,
  );
}
