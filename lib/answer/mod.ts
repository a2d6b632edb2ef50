/**
 * The answers of the contract, `{code, message, data}`, and their texts, for the command line and for MCP.
 * @module
 */
export { DOCUMENT_INFO, documentInfo } from "./document_info.ts";
export { EXPLANATION_DATA, explanationResult } from "./explanation.ts";
export { explanationText } from "./explanation_text.ts";
export { quotedAnswer, type Quotes } from "./quoted.ts";
export { SEARCH_DATA, type SearchData, searchResult } from "./search_result.ts";
export { UNTRUSTED, untrusted } from "./untrusted.ts";
