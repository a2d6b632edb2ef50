import { AUTO, LEGS, MODEL_SOURCES } from "./choices.ts";

/** The default of the keys of a local model. */
const LOCAL_MODEL = {
  "path": null,
  "pooling": null,
  "prefix": null,
  "document_prefix": null,
  "dimensions": null,
  "max_tokens": null,
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
  chunking: { strategy: "auto", "max_chars": 1200, overlap: 120, "chunks_per_file": "auto" },
  files: {
    include: [],
    exclude: [],
    "ignore_files": true,
    "max_file_mb": 100,
    encoding: "auto",
    generated: "skip",
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
  mcp: {
    "document_chars": 20_000,
    "max_read_chars": 200_000,
    "original_mb": 7,
    answer: AUTO,
    "max_tokens": AUTO,
    tools: "default",
  },
  models: {
    sources: MODEL_SOURCES,
    "hub_url": "https://huggingface.co",
    "mirror_url": "https://hf-mirror.com",
    "npm_registry": null,
    "redirect_hosts": ["huggingface.co", "hf.co", "hf-mirror.com"],
    "timeout_seconds": 30,
  },
  log: { level: "info", dir: null, "retention_days": 7 },
} as const;

/** The default of `chunking.overlap` for chunks of at most `maxChars` UTF-16 units. */
export function defaultOverlap(maxChars: number): number {
  return Math.min(DEFAULTS.chunking.overlap, Math.floor(maxChars / 10));
}
