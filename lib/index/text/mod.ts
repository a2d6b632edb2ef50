export { type QueryTerm, Tokenizer, TOKENIZER_VERSION } from "./tokenizer.ts";
export type { TokenSink } from "./scan.ts";
export { CJK, UNSPACED } from "./unspaced_scripts.ts";
export { Vocabulary } from "./vocabulary.ts";
export { LANGUAGE_CODES, languageOf } from "./language.ts";
export { MOST_TERMS, stemOfTerm, termsOfStem, wordTerms } from "./word_terms.ts";
