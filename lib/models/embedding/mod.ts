/**
 * Vectors of texts: the interface of a provider (`provider.ts`) and its implementations.
 * @module
 */
export {
  DamagedWordsError,
  decodeWords,
  type EmbeddedBatch,
  encodeWords,
  SifEmbedder,
  TextAnalyzer,
  type TextWords,
} from "./builtin/analyzer.ts";
export { BUILTIN_ID, BuiltinProvider, EmbeddingPool } from "./builtin/provider.ts";
export { LazyTable, loadTable, Table } from "./builtin/table.ts";
export { WordFinder } from "./builtin/words.ts";
export { createProvider, openNeuralModels, providerId, serverModels } from "./create_provider.ts";
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
export { RemoteProvider } from "./remote/remote_provider.ts";
