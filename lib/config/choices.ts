import type { Language } from "../messages.ts";

/** The value of `language` for the language of the system. */
export const AUTO = "auto";

/** Values of `--language`, and of `language` besides {@linkcode AUTO}. */
export const LANGUAGES = ["zh", "en"] as const satisfies readonly Language[];

/** Values of `search.mode`, `--mode` and the tool's `mode`. */
export const SEARCH_MODES = ["hybrid", "keyword", "semantic"] as const;

/** Values of `search.fusion`; `auto` is `weighted`. */
export const FUSIONS = ["auto", "weighted", "rrf"] as const;

/** Items of `search.legs`: the evidence of a hybrid ranking beside the keywords. */
export const LEGS = [
  "translation",
  "vector",
  "maxsim",
  "soft",
  "exact",
  "sentence",
  "window",
  "feedback",
  "neural",
] as const;

/** Values of `embedding.local.zh.pooling`: the vector of a text is that of its first token, or the mean of all. */
export const POOLINGS = ["cls", "mean"] as const;

/** Items of `models.sources`: the places that models are downloaded from. */
export const MODEL_SOURCES = ["hub", "mirror", "npm"] as const;

/** Values of `rerank.provider`: what orders the best candidates of a search once more. */
export const RERANKERS = ["none", "maxsim", "local", "llm", "remote"] as const;

/** Values of `rerank.protocol`: the fields of a request to a server that reranks. */
export const RERANK_PROTOCOLS = ["auto", "jina", "tei"] as const;

/** Values of `chunking.strategy`. */
export const CHUNKING_STRATEGIES = ["auto", "fixed", "recursive", "structure", "semantic"] as const;

/** Values of `files.generated`: whether files generated for machines are skipped. */
export const GENERATED = ["skip", "index"] as const;

/** Values of `files.ocr`: whether text is recognised in scanned pages and pictures. */
export const OCR = ["off", "tesseract"] as const;

/** Bounds of `search.top_k`, `--top-k` and the tool's `top_k`, both included. */
export const TOP_K = { min: 1, max: 100 } as const;

/** Values of `mcp.answer`: how the tools send their answers; `auto`: by the client. */
export const ANSWER_SHAPES = ["auto", "both", "structured", "text"] as const;

/** Names of the MCP tools, in the order in which a client gets them. Values of `mcp.tools`. */
export const TOOL_NAMES = [
  "search_rag",
  "read_raw_file",
  "get_document_content",
  "get_document_original",
  "list_document_sections",
  "explain_search",
  "query_knowledge_hub",
  "search_by_keyword",
  "search_by_semantic",
  "list_collections",
  "list_documents",
  "get_document_summary",
  "find_related",
  "get_chunk_context",
  "read_documents",
  "index_status",
  "ingest_now",
  "reembed_document",
] as const;

/** Values of `mcp.tools` besides a list: the tools that most clients need, or all. */
export const TOOL_SETS = ["default", "all"] as const;

/** The keys that hold a secret. Only their values may be `enc:v1:…`. */
export const SECRET_KEYS = ["embedding.api_key", "rerank.api_key"] as const;

/** One of {@linkcode SECRET_KEYS}. */
export type SecretKey = typeof SECRET_KEYS[number];
