export { gramTerm, type QueryTerm, Tokenizer, TOKENIZER_VERSION, UNIGRAM_WEIGHT } from "./tokenizer.ts";
export type { TokenSink } from "./scan.ts";
export { Vocabulary } from "./vocabulary.ts";
export { wordTerms } from "./word_terms.ts";
