/**
 * The answers of the contract, `{code, message, data}`, and their texts, for the command line and for MCP.
 * @module
 */
export type { Answer, TextAnswer } from "./answer.ts";
export { BRIEF_EXPLANATION_DATA, briefExplanation } from "./brief_explanation.ts";
export { CITATIONS_DATA, citationsAnswer } from "./citations.ts";
export { DOCUMENT_PART_DATA, documentPartAnswer } from "./document_part.ts";
export { DOCUMENT_SECTIONS_DATA, documentSectionsAnswer } from "./document_sections.ts";
export { estimatedTokens } from "./estimated_tokens.ts";
export { explanationResult } from "./explanation.ts";
export { explanationText } from "./explanation_text.ts";
export { fittedSearch } from "./fitted_search.ts";
export { fittedText } from "./fitted_text.ts";
export { hintsOf } from "./hints.ts";
export { nearestNamesLines } from "./nearest_names.ts";
export { quotedAnswer } from "./quoted.ts";
export { RAW_FILE_DATA, rawFileAnswer } from "./raw_file.ts";
export { type SearchData, searchResult } from "./search_result.ts";
export { DECLARED_SEARCH_DATA, searchAnswer, type ShownHits } from "./search_text.ts";
export { type AnswerLimit, type AnswerShape, sentTokens } from "./shape.ts";
export { UNTRUSTED, untrusted } from "./untrusted.ts";
