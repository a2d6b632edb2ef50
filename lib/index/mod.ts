export {
  DamagedIndexError,
  ForeignIndexError,
  type IndexKey,
  OutdatedIndexError,
  sealOf,
} from "./blob/mod.ts";
export { HASH_BYTES } from "./chunk_table.ts";
export { isFileRecord } from "./files_of.ts";
export { phrasePattern, wordParts } from "./phrase_pattern.ts";
export { IndexReader, type ReadOptions } from "./reader.ts";
export {
  CJK,
  LANGUAGE_CODES,
  languageOf,
  MOST_TERMS,
  type QueryTerm,
  stemOfTerm,
  termsOfStem,
  Tokenizer,
  UNSPACED,
  Vocabulary,
  wordTerms,
} from "./text/mod.ts";
export { recordOf } from "./types.ts";
export type { FileRecord, IndexMeta, NewChunk, StoredChunk, StoredFile, StoredPage } from "./types.ts";
export { emptyPagesText, type FileKind, isMissed, isUnread, kindsOf, kindText } from "./unread.ts";
export {
  GroupMerger,
  type GroupPostings,
  IndexTooLargeError,
  inverseDocumentFrequency,
  K1,
  lengthNorm,
  PostingList,
  scoreChunks,
  searchBm25,
  TopScores,
  type WeightedList,
} from "./postings/mod.ts";
export {
  DotProducts,
  type ExactVectors,
  quantizeRow,
  VectorIndex,
  type VectorMeta,
  VectorScanner,
} from "./vectors/mod.ts";
export { IndexWriter } from "./writer.ts";
