import { TOOL_NAMES } from "#foundation/configuration/mod.ts";

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
  "verify_answer",
  "ingest_now",
];

/** A web page with a picture of one pixel, and a PDF with one page. */
const CUP_PAGE = `<!doctype html><title>Cup</title><p>A cup holds 200 ml.</p>
<img alt="A cup" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==">
`;
const SAUCER_PDF = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R
/Resources <</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>>> endobj
4 0 obj <</Length 45>> stream
BT /F 12 Tf 10 50 Td (A saucer of 15 cm) Tj ET
endstream endobj
trailer <</Root 1 0 R>>
%%EOF
`;

/** Documents for {@linkcode SAMPLE_CALLS}. */
export const SAMPLE_FILES = {
  "cup.html": CUP_PAGE,
  "saucer.pdf": SAUCER_PDF,
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

/** The path of another of the files. */
function beside(path: string, name: string): string {
  return path.replace(/tea\.md$/, name);
}

const bySearch: SampleCall = { args: () => ({ keyword: "green tea" }), expected: /water of 80 degrees/ };
const byQuery: SampleCall = { args: () => ({ query: "green tea" }), expected: /water of 80 degrees/ };

/** A tool that needs no language model. */
type OfflineTool = Exclude<typeof TOOL_NAMES[number], "ask">;

/** The names of these tools, in their order. */
export const OFFLINE_TOOLS = TOOL_NAMES.filter((name) => name !== "ask");

/** A call of every tool, for tests that try all of them. The folder holds {@linkcode SAMPLE_FILES}. */
export const SAMPLE_CALLS: Readonly<Record<OfflineTool, SampleCall>> = {
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
  "list_collections": { args: () => ({}), expected: /"documents":4/ },
  "list_documents": { args: () => ({ type: "md" }), expected: /kettle\.md/ },
  "get_document_summary": { args: (path) => ({ doc_id: path }), expected: /Coffee/ },
  "find_related": { args: (path) => ({ doc_id: path }), expected: /kettle\.md/ },
  "verify_answer": {
    args: (_path, chunk) => ({ answer: "Green tea wants water of 90 degrees.", chunk_ids: [chunk] }),
    expected: /"verdict":"conflicting".*"found":"80 degrees"/,
  },
  "get_chunk_context": { args: (_path, chunk) => ({ chunk_id: chunk }), expected: /water of 80 degrees/ },
  "list_images": { args: (path) => ({ file_path: beside(path, "cup.html") }), expected: /"image_count":1/ },
  "get_image": {
    args: (path) => ({ image_id: `${beside(path, "cup.html")}#image=1` }),
    expected: /"media_type":"image\/png","width":1/,
  },
  "get_page_image": {
    args: (path) => ({ file_path: beside(path, "saucer.pdf"), page: 1 }),
    expected: /"pages":1/,
  },
  "read_documents": { args: (path) => ({ paths: [`${path}#L3`] }), expected: /water of 80 degrees/ },
  "index_status": { args: () => ({}), expected: /"failed/ },
  "ingest_now": { args: () => ({}), expected: /"unchanged":4/ },
  "reembed_document": { args: (path) => ({ doc_id: path }), expected: /"models":\["builtin/ },
};
