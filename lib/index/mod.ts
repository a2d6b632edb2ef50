export { DamagedBlobError, OutdatedBlobError } from "./blob/mod.ts";
export { Collection, type CollectionHit, type Filter } from "./collection.ts";
export { OramaDatabase } from "./orama.ts";
export { IndexReader } from "./reader.ts";
export { LANGUAGE_CODES, type QueryTerm, Tokenizer } from "./text/mod.ts";
export type { FileRecord, IndexMeta, NewChunk, StoredFile } from "./types.ts";
export { IndexTooLargeError } from "./postings/mod.ts";
export { type ExactVectors, StoredVectors, VectorIndex, type VectorMeta, type VectorScore } from "./vectors/mod.ts";
export { IndexWriter } from "./writer.ts";
