/**
 * The answers of the contract, `{code, message, data}`, and their texts, for the command line and for MCP.
 * @module
 */
export type { Answer, TextAnswer } from "./answer.ts";
export { briefExplanation } from "./brief_explanation.ts";
export { chunkContextAnswer } from "./chunk_context.ts";
export { collectionsAnswer } from "./collections.ts";
export { DECLARED_SUMMARY_DATA, summaryAnswer } from "./document_summary.ts";
export { documentsAnswer } from "./documents.ts";
export { type AskedDocument, DOCUMENTS_TEXT_DATA, documentsTextAnswer } from "./documents_text.ts";
export { INGESTED_DATA, ingestedAnswer } from "./ingested.ts";
export { REEMBEDDED_DATA, reembeddedAnswer } from "./reembedded.ts";
export { STATUS_DATA, statusAnswer } from "./index_status.ts";
export { CITATIONS_DATA, citationsAnswer } from "./citations.ts";
export { DECLARED_PART_DATA, documentPartAnswer } from "./document_part.ts";
export { DECLARED_SECTIONS_DATA, documentSectionsAnswer } from "./document_sections.ts";
export { estimatedTokens } from "./estimated_tokens.ts";
export { explanationResult } from "./explanation.ts";
export { explanationText } from "./explanation_text.ts";
export { fittedSearch } from "./fitted_search.ts";
export { needsFocus } from "./focused_hit.ts";
export { fittedText } from "./fitted_text.ts";
export { errorLine, errorMessage, hintsOf, shortened } from "./hints.ts";
export { nearestNamesLines } from "./nearest_names.ts";
export { quotedAnswer } from "./quoted.ts";
export { DECLARED_RAW_DATA, rawFileAnswer } from "./raw_file.ts";
export { type SearchData, searchResult } from "./search_result.ts";
export { alsoText, DECLARED_SEARCH_DATA, pageTexts, searchAnswer, type ShownHits } from "./search_text.ts";
export { type AnswerLimit, type AnswerShape, sentTokens } from "./shape.ts";
export { UNTRUSTED, untrusted } from "./untrusted.ts";
