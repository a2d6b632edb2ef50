export { BUILTIN_VERSION, BuiltinProvider } from "./provider.ts";
export type { TableData } from "./decode.ts";
export { Segmenter } from "./segment.ts";
export { SifEmbedder } from "./sif.ts";
export { Table, type Translation } from "./table.ts";
export { WordFinder } from "./words.ts";
