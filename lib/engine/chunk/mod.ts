/**
 * Cuts documents into chunks: the pieces of text that are indexed and found.
 * @module
 */
export { chunkDocument } from "./chunk_document.ts";
export type * from "./types.ts";
export { type ChunkEdit, editedChunks } from "./edit_chunks.ts";
