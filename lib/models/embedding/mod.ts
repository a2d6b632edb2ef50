/**
 * Vectors of texts: the interface of a provider (`provider.ts`) and its implementations.
 * @module
 */
export * from "./builtin/mod.ts";
export { createProvider, createRemoteProvider, providerId, serverModels } from "./create_provider.ts";
export {
  type LocalLanguage,
  localModelPaths,
  LocalModels,
  type LocalOptions,
  type LocalSettings,
  type NeuralLanguage,
  type NeuralModels,
  routesOf,
  type ServerRequests,
} from "./local.ts";
export { EmbeddingFailure, type EmbeddingProvider, embedQuery } from "./provider.ts";
