/**
 * The choice between the embedding providers: which one a configuration names, and whose vectors an index holds.
 */
import { type Config, isServer } from "#foundation/configuration/mod.ts";
import { BUILTIN_ID, BuiltinProvider } from "./builtin/provider.ts";
import type { Table } from "./builtin/table.ts";
import { LocalModels, type LocalOptions, type NeuralModels } from "./local.ts";
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
  const { provider } = embedding;
  switch (provider) {
    case "none":
      return undefined;
    case "builtin":
    // Vectors of local models are beside those of the built-in table, which stays the bridge between languages.
    case "local":
      return new BuiltinProvider(table());
    case "openai-compatible":
    case "azure":
      return new RemoteProvider(embedding);
    default:
      return provider satisfies never;
  }
}

/**
 * Opens the neural models that a configuration names: those in this program, or the one on a server, which is sent nothing yet.
 * `undefined` for the built-in table and for `none`. Throws as {@linkcode LocalModels.open} does.
 */
export async function openNeuralModels(
  embedding: Config["embedding"],
  options: LocalOptions,
): Promise<NeuralModels & Partial<Disposable> | undefined> {
  const { provider, local } = embedding;
  return provider === "local" ? await LocalModels.open(local, options) : serverModels(embedding);
}

/**
 * Returns the model on the server that a configuration names, which is given every text; `undefined` for any other provider.
 * Sends nothing.
 */
export function serverModels(embedding: Config["embedding"]): NeuralModels | undefined {
  if (!isServer(embedding.provider)) return undefined;
  return {
    providers: new Map([["all", new RemoteProvider(embedding)]]),
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
