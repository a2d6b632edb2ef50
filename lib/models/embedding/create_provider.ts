import type { Config } from "#foundation/configuration/mod.ts";
import { BUILTIN_ID, BuiltinProvider, type Table } from "./builtin/mod.ts";
import type { NeuralModels } from "./local.ts";
import type { EmbeddingProvider } from "./provider.ts";
import { RemoteProvider } from "./remote/remote_provider.ts";

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
    // Vectors of local models are beside those of the built-in table, which stays the bridge between languages.
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
      ? async () => (await import("./remote/azure.ts")).azureModel
      : async () => (await import("./remote/openai_compatible.ts")).openaiCompatibleModel,
  );
}

/**
 * Returns the model on the server that a configuration names, which is given every text; `undefined` for any other provider.
 * Sends nothing.
 */
export function serverModels(embedding: Config["embedding"]): NeuralModels | undefined {
  if (embedding.provider !== "openai-compatible" && embedding.provider !== "azure") return undefined;
  return {
    providers: new Map([["all", createRemoteProvider(embedding)]]),
    routesOf: () => ["all"],
    server: { texts: embedding.batch_size, atOnce: embedding.concurrency },
  };
}

/**
 * Returns the id of the model whose vectors an index holds, or `undefined` for `none`: the built-in table with every provider.
 * Vectors of neural models are beside the index, since they come later.
 */
export function providerId({ provider }: Pick<Config["embedding"], "provider">): string | undefined {
  return provider === "none" ? undefined : BUILTIN_ID;
}
