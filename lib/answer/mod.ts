/**
 * The answers of the contract, `{code, message, data}`, and their texts, for the command line and for MCP.
 * @module
 */
export type { Answer, TextAnswer } from "./answer.ts";
export { BRIEF_EXPLANATION_DATA, briefExplanation } from "./brief_explanation.ts";
export { DOCUMENT_PART_DATA, documentPartAnswer } from "./document_part.ts";
export { DOCUMENT_SECTIONS_DATA, documentSectionsAnswer } from "./document_sections.ts";
export { explanationResult } from "./explanation.ts";
export { explanationText } from "./explanation_text.ts";
export { hintsOf } from "./hints.ts";
export { nearestNamesLines } from "./nearest_names.ts";
export { quotedAnswer } from "./quoted.ts";
export { RAW_FILE_DATA, rawFileAnswer } from "./raw_file.ts";
export { type SearchData, searchResult } from "./search_result.ts";
export { MARKED_SEARCH_DATA, searchAnswer } from "./search_text.ts";
export { UNTRUSTED, untrusted } from "./untrusted.ts";
