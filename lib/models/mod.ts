/**
 * The whole public face of the house, for tests, examples and use alone. The other houses import the rooms that they need, so
 * that a start loads no more. `README.md` explains the house.
 * @module
 */
export * from "#models/embedding/mod.ts";
export * from "#models/install/mod.ts";
export * from "#models/neural/mod.ts";
export * from "#models/remote/mod.ts";
export * from "#models/rerank/mod.ts";
