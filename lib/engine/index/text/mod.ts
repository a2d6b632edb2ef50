export {
  CJK,
  LANGUAGE_CODES,
  languageOf,
  MOST_TERMS,
  type QueryTerm,
  stemOfTerm,
  termsOfStem,
  Tokenizer,
  TOKENIZER_VERSION,
  type TokenSink,
  UNSPACED,
  wordTerms,
} from "./tokenizer.ts";
export { Vocabulary } from "./vocabulary.ts";
