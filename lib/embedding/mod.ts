export * from "./builtin/mod.ts";
export { createProvider, createRemoteProvider } from "./create_provider.ts";
export { embedQuery } from "./embed_query.ts";
export { modelOf } from "./model_of.ts";
export type { EmbeddingKind, EmbeddingProvider } from "./provider.ts";
export { EmbeddingFailure, type FailureKind } from "./remote/failure.ts";
export { keepFromProxy } from "./remote/no_proxy.ts";
export { proxyFor } from "./remote/proxy.ts";
