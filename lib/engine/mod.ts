/**
 * The engine: texts become chunks, terms, postings and vectors; a question becomes ranked chunks with reasons.
 * It knows no files on disk, no settings and no protocol.
 * @module
 */
export * from "#engine/chunk/mod.ts";
export * from "#engine/index/mod.ts";
export * from "#engine/joined/mod.ts";
export * from "#engine/segments.ts";
export * from "#engine/query/mod.ts";
export * from "#engine/rank/mod.ts";
export * from "#engine/orama/mod.ts";
export * from "#engine/support/mod.ts";
