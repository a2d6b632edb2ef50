export {
  DamagedWordsError,
  decodeWords,
  type EmbeddedBatch,
  encodeWords,
  SifEmbedder,
  TextAnalyzer,
  type TextWords,
} from "./analyzer.ts";
export { LazyTable, loadTable, Table } from "./table.ts";
export { BUILTIN_ID, BuiltinProvider, EmbeddingPool } from "./provider.ts";
export { WordFinder } from "./words.ts";
