/**
 * Vectors of texts: the interface of a provider (`provider.ts`) and its implementations.
 * @module
 */
export * from "./builtin/mod.ts";
export { createProvider, createRemoteProvider, providerId, serverModels } from "./create_provider.ts";
export { localModelPaths, LocalModels, type LocalOptions, type LocalSettings } from "./local/models.ts";
export { routesOf } from "./local/routes.ts";
export { EmbeddingFailure, type EmbeddingProvider, embedQuery } from "./provider.ts";
export type { LocalLanguage, NeuralLanguage, NeuralModels, ServerRequests } from "./neural_models.ts";
