/** Names of the tools that a client gets by default, in their order. */
export const TOOLS = [
  "search_rag",
  "read_raw_file",
  "get_document_content",
  "get_document_original",
  "list_document_sections",
  "explain_search",
  "list_collections",
  "list_documents",
  "get_chunk_context",
];
