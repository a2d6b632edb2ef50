export { DamagedBlobError, OutdatedBlobError } from "./blob/mod.ts";
export { Collection, type CollectionHit, type Filter } from "./collection.ts";
export { OramaDatabase } from "./orama.ts";
export { IndexReader } from "./reader.ts";
export { type QueryTerm, Tokenizer } from "./text/mod.ts";
export type { FileRecord, IndexMeta, NewChunk, StoredFile } from "./types.ts";
export { IndexTooLargeError } from "./postings/mod.ts";
export { IndexWriter } from "./writer.ts";
