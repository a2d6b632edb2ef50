/**
 * Folders as collections: their files, their indexes, and answers with citations. The whole public face, for tests and for use
 * alone; the houses that start quickly import the rooms that they need.
 * @module
 */
export * from "#library/corpus/mod.ts";
export * from "#library/extract/mod.ts";
export * from "#library/archives/mod.ts";
export * from "#library/store/mod.ts";
export * from "#library/ingest/mod.ts";
export * from "#library/search/mod.ts";
export * from "#library/people/mod.ts";
export * from "#library/evaluate/mod.ts";
export * from "#library/answer/mod.ts";
