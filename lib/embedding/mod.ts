export * from "./builtin/mod.ts";
export type { EmbeddingKind, EmbeddingProvider } from "./provider.ts";
