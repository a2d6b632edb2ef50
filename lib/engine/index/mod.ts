/**
 * An index: its writer, its reader, and the interface by which it is searched.
 * @module
 */
export * from "./types.ts";
export { type GeneratedOf, IndexWriter } from "./writer.ts";
export { IndexReader, isFileRecord, type ReadOptions } from "./reader.ts";
export type * from "./open_index.ts";
export { BlobIndex } from "./blob_index.ts";
export {
  DamagedIndexError,
  ForeignIndexError,
  HEADER_BYTES,
  type IndexKey,
  OutdatedIndexError,
  seal,
  sealOf,
} from "./blob/format.ts";
export type { BlobTarget } from "./blob/writer.ts";
export { dateSpan } from "./date_span.ts";
export { type FieldTable, FieldTables, type MarksOf } from "./field_table.ts";
export {
  DATE_FIELDS,
  type DescribedFile,
  fieldStart,
  isDateField,
  KEPT_FIELDS,
  numberOf,
  numberTerm,
  OTHER_FIELDS,
  type ValueKind,
  valueName,
} from "./field_values.ts";
export {
  type Generated,
  generatedTerm,
  generatedTerms,
  generatedTexts,
  type PictureCaption,
} from "./generated.ts";
export { MemoryFile } from "./blob/memory_file.ts";
export { hexOf } from "./bytes.ts";
export { HASH_BYTES } from "./chunk_table.ts";
export {
  type ChunkTest,
  conditionsOf,
  type Expression,
  withTests,
  type WordCondition,
} from "./expression.ts";
export { contextTexts } from "./held_words.ts";
export { phrasePattern, wordParts } from "./phrase_pattern.ts";
export { TermThread } from "./postings/term_thread.ts";
export { copiedInto } from "./bytes.ts";
export { IndexTooLargeError, inverseDocumentFrequency, K1, lengthNorm } from "./postings/format.ts";
export {
  CJK,
  LANGUAGE_CODES,
  languageOf,
  type QueryTerm,
  stemOfTerm,
  termsOfStem,
  Tokenizer,
  UNSPACED,
  wordTerms,
} from "./text/tokenizer.ts";
export {
  quantizeQuery,
  quantizeRow,
  strideOf,
  VectorIndex,
  type VectorMeta,
  VectorScanner,
} from "./vectors/vector_index.ts";
