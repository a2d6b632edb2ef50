/** Names of the MCP tools, in their order. */
export const TOOLS = [
  "search_rag",
  "read_raw_file",
  "get_document_content",
  "get_document_original",
  "list_document_sections",
  "explain_search",
];
