/**
 * Vectors of texts: the interface of a provider (`provider.ts`) and its implementations.
 * @module
 */
export * from "./builtin/analyzer.ts";
export * from "./builtin/provider.ts";
export { LazyTable, loadTable, Table } from "./builtin/table.ts";
export { WordFinder } from "./builtin/words.ts";
export * from "./create_provider.ts";
export * from "./local.ts";
export * from "./provider.ts";
export { RemoteProvider } from "./remote/remote_provider.ts";
