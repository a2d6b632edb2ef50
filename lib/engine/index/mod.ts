export {
  DamagedIndexError,
  ForeignIndexError,
  type IndexKey,
  OutdatedIndexError,
  sealOf,
} from "./blob/format.ts";
export { HASH_BYTES } from "./chunk_table.ts";
export { IndexReader, isFileRecord, type ReadOptions } from "./reader.ts";
export { phrasePattern, wordParts } from "./phrase_pattern.ts";
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
  wordTerms,
} from "./text/tokenizer.ts";
export { Vocabulary } from "./text/vocabulary.ts";
export {
  emptyPagesText,
  type FileKind,
  type FileRecord,
  type IndexMeta,
  isMissed,
  isUnread,
  kindsOf,
  kindText,
  type NewChunk,
  recordOf,
  type StoredChunk,
  type StoredFile,
  type StoredPage,
} from "./types.ts";
export {
  GroupMerger,
  type GroupPostings,
  scoreChunks,
  searchBm25,
  TopScores,
  type WeightedList,
} from "./postings/bm25.ts";
export { IndexTooLargeError, inverseDocumentFrequency, K1, lengthNorm } from "./postings/format.ts";
export { PostingList } from "./postings/list.ts";
export {
  DotProducts,
  quantizeRow,
  VectorIndex,
  type VectorMeta,
  VectorScanner,
} from "./vectors/vector_index.ts";
export type { ExactVectors } from "./vectors/sections.ts";
export { IndexWriter } from "./writer.ts";
