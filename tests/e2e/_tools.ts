import type { TOOL_NAMES } from "#foundation/configuration/mod.ts";

/** Names of the tools that a client gets by default, in their order. */
export const TOOLS = [
  "search_rag",
  "read_raw_file",
  "get_document_content",
  "get_document_original",
  "list_document_sections",
  "explain_search",
  "query_knowledge_hub",
  "list_collections",
  "list_documents",
  "get_document_summary",
  "get_chunk_context",
];

/** Notes for {@linkcode SAMPLE_CALLS}. */
export const SAMPLE_FILES = {
  "tea.md":
    "# Tea\n\nGreen tea wants water of 80 degrees.\n\n# Coffee\n\nCoffee wants water of 93 degrees.\n\n" +
    "| Tea | Price |\n| --- | --- |\n| Oolong | 6 |\n| Green | 4 |\n",
  "kettle.md": "# Kettle\n\nThe kettle heats water for green tea and for coffee.\n",
};

/** Arguments of a call that succeeds, and a pattern in its structured answer as JSON. */
export interface SampleCall {
  /** `path`: that of `tea.md`. `chunk`: id of a chunk of it. */
  readonly args: (path: string, chunk: string) => Record<string, unknown>;
  readonly expected: RegExp;
}

const bySearch: SampleCall = { args: () => ({ keyword: "green tea" }), expected: /water of 80 degrees/ };
const byQuery: SampleCall = { args: () => ({ query: "green tea" }), expected: /water of 80 degrees/ };

/** A call of every tool, for tests that try all of them. The folder holds {@linkcode SAMPLE_FILES}. */
export const SAMPLE_CALLS: Readonly<Record<typeof TOOL_NAMES[number], SampleCall>> = {
  "search_rag": bySearch,
  "read_raw_file": { args: (path) => ({ file_path: path }), expected: /water of 80 degrees/ },
  "get_document_content": {
    args: (path) => ({ file_path: path, section: "Coffee" }),
    expected: /water of 93 degrees/,
  },
  "get_document_original": { args: (path) => ({ file_path: path }), expected: /tea\.md/ },
  "list_document_sections": { args: (path) => ({ file_path: path }), expected: /Coffee/ },
  "query_table": {
    args: (path) => ({ path, where: { price: { gt: 5 } } }),
    expected: /"values":\["Oolong","6"\]/,
  },
  "explain_search": { args: () => ({ keyword: "green tea" }), expected: /final_results/ },
  "query_knowledge_hub": byQuery,
  "search_by_keyword": byQuery,
  "search_by_semantic": byQuery,
  "list_collections": { args: () => ({}), expected: /"documents":2/ },
  "list_documents": { args: () => ({ type: "md" }), expected: /kettle\.md/ },
  "get_document_summary": { args: (path) => ({ doc_id: path }), expected: /Coffee/ },
  "find_related": { args: (path) => ({ doc_id: path }), expected: /kettle\.md/ },
  "get_chunk_context": { args: (_path, chunk) => ({ chunk_id: chunk }), expected: /water of 80 degrees/ },
  "read_documents": { args: (path) => ({ paths: [`${path}#L3`] }), expected: /water of 80 degrees/ },
  "index_status": { args: () => ({}), expected: /"failed/ },
  "ingest_now": { args: () => ({}), expected: /"unchanged":2/ },
  "reembed_document": { args: (path) => ({ doc_id: path }), expected: /"models":\["builtin/ },
};
