/** The program as an MCP server on stdio. */
export { serveMcp, type ServeOptions } from "./server.ts";
export { type ExplanationData, explanationResult } from "./explanation.ts";
export { explanationText } from "./explanation_text.ts";
export { type SearchData, searchResult } from "./search_result.ts";
