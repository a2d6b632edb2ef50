export { DamagedBlobError, FORMAT_VERSION, OutdatedBlobError } from "./blob/mod.ts";
export { Collection, type CollectionHit, type Filter } from "./collection.ts";
export { OramaDatabase } from "./orama.ts";
export { IndexReader } from "./reader.ts";
export { type QueryTerm, Tokenizer, TOKENIZER_VERSION } from "./text/mod.ts";
export type { FileRecord, IndexMeta, NewChunk, StoredChunk, StoredFile } from "./types.ts";
export { IndexTooLargeError } from "./postings/mod.ts";
export { IndexWriter } from "./writer.ts";
