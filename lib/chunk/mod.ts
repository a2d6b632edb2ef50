/**
 * Cuts documents into chunks.
 * @module
 */
export { chunkDocument } from "./chunk_document.ts";
export type { Chunk, ChunkOptions, ChunkStrategy, Similarity } from "./types.ts";
