export { TextAnalyzer } from "./analyzer.ts";
export { type EmbeddedBatch } from "./batch.ts";
export { LazyTable, loadTable } from "./load_table.ts";
export { EmbeddingPool } from "./pool.ts";
export { BUILTIN_ID, BuiltinProvider } from "./provider.ts";
export { SifEmbedder, UNKNOWN_WEIGHT } from "./sif.ts";
export { Table } from "./table.ts";
export { DamagedWordsError, decodeWords, encodeWords, type TextWords } from "./text_words.ts";
export { WordFinder } from "./words.ts";
