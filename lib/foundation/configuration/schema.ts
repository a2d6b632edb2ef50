/**
 * The schema of the configuration: every section and key with its type and default,
 * and conditions that several keys must meet together.
 */
import * as z from "zod";
import { LEGS, MAX_DIMENSIONS } from "#foundation/constants.ts";
import {
  anyText,
  autoOrWholeNumber,
  boolean,
  choice,
  choices,
  CHUNKING,
  collectionField,
  CollectionsSchema,
  type Expectation,
  expectationOf,
  FILES,
  groupsOfTexts,
  number,
  oneOrSome,
  text,
  texts,
  url,
  wholeNumber,
} from "./fields.ts";
import type { Language } from "#foundation/messages/mod.ts";
import {
  ANSWER_SHAPES,
  AUTO,
  defaultOverlap,
  DEFAULTS,
  FUSIONS,
  LANGUAGES,
  MODEL_SOURCES,
  POOLINGS,
  RERANK_PROTOCOLS,
  RERANKERS,
  SEARCH_MODES,
  TOOL_NAMES,
  TOOL_SETS,
  TOP_K,
} from "./defaults.ts";

/** More tokens than any model of a useful speed reads. */
const MAX_TOKENS = 8192;

const LANGUAGE = choice([AUTO, ...LANGUAGES]).default(DEFAULTS.language);

/** The keys of a model that runs in the program. `null`: as its `model.json` says. */
const LOCAL_MODEL = {
  /** A folder or an ONNX file; `null`: the model that `model install` installed. */
  "path": text("config_expect_path").nullable().default(DEFAULTS.embedding.local.en.path),
  /** How the vectors of the tokens become one. Without `model.json`: `mean`. */
  "pooling": choice(POOLINGS).nullable().default(DEFAULTS.embedding.local.en.pooling),
  /** Prefix of a query. */
  "prefix": anyText().nullable().default(DEFAULTS.embedding.local.en.prefix),
  /** Prefix of a document's text. */
  "document_prefix": anyText().nullable().default(DEFAULTS.embedding.local.en.document_prefix),
  /** Dimensions that the model must have. */
  "dimensions": wholeNumber(1, MAX_DIMENSIONS).nullable().default(DEFAULTS.embedding.local.en.dimensions),
  /** Tokens of a text that the model reads. Without `model.json`: 512. */
  "max_tokens": wholeNumber(16, MAX_TOKENS).nullable().default(DEFAULTS.embedding.local.en.max_tokens),
};

/**
 * The keys of every section, with their names in the file. `null` means "not set". A dot in the name of a section stands for
 * one inside another.
 */
export const SECTIONS = {
  /** Vectors for semantic search. */
  embedding: {
    /** `builtin`: the word vectors of the program, offline. `local`: neural models beside them. `none`: keywords only. */
    "provider": choice(["builtin", "local", "openai-compatible", "azure", "none"]).default(
      DEFAULTS.embedding.provider,
    ),
    /** Base URL of the service. `env:NAME` is allowed. */
    "base_url": url().nullable().default(DEFAULTS.embedding.base_url),
    /** Secret. `env:NAME`, `enc:v1:…`, or plain with a warning. */
    "api_key": text().nullable().default(DEFAULTS.embedding.api_key),
    /** The service's name of the model. `env:NAME` is allowed. */
    "model": text().nullable().default(DEFAULTS.embedding.model),
    /** Dimensions of a vector; `null`: the default of the model. */
    "dimensions": wholeNumber(1, MAX_DIMENSIONS).nullable().default(DEFAULTS.embedding.dimensions),
    /** Texts in one request. */
    "batch_size": wholeNumber(1, 2048).default(DEFAULTS.embedding.batch_size),
    /** Concurrent requests. */
    "concurrency": wholeNumber(1, 64).default(DEFAULTS.embedding.concurrency),
    /** Seconds until a request fails. */
    "timeout_seconds": number(1, 3600).default(DEFAULTS.embedding.timeout_seconds),
    /** Retries of a failed request. */
    "max_retries": wholeNumber(0, 10).default(DEFAULTS.embedding.max_retries),
    /** Prefix of a query; `null`: the known one of the model; empty: none. */
    "query_prefix": anyText().nullable().default(DEFAULTS.embedding.query_prefix),
    /** Prefix of a document's text; `null`: the known one of the model; empty: none. */
    "document_prefix": anyText().nullable().default(DEFAULTS.embedding.document_prefix),
    /** UTF-16 units of a text that are sent; `null`: by the context window of the model. */
    "max_input_chars": wholeNumber(64, 10_000_000).nullable().default(DEFAULTS.embedding.max_input_chars),
  },
  /** The model for Chinese texts. */
  "embedding.local.zh": LOCAL_MODEL,
  /** The model for texts in English and in other scripts. */
  "embedding.local.en": LOCAL_MODEL,
  chunking: CHUNKING,
  files: FILES,
  /** Keeping the index up to date. */
  index: {
    /** Whether the server watches its folders and updates their indexes. */
    "watch": boolean().default(DEFAULTS.index.watch),
  },
  /** Searching. */
  search: {
    /** Which legs are used. */
    "mode": choice(SEARCH_MODES).default(DEFAULTS.search.mode),
    /** Hits of an answer. */
    "top_k": wholeNumber(TOP_K.min, TOP_K.max).default(DEFAULTS.search.top_k),
    /** Weight of the vector leg in the fusion, 0 to 1. Used with an embedding server, and in `rrf`. */
    "alpha": number(0, 1).nullable().default(DEFAULTS.search.alpha),
    /** Candidates of the keyword leg. */
    "fts_topn": wholeNumber(1, 1000).default(DEFAULTS.search.fts_topn),
    /** Candidates of the vector leg. */
    "vec_topn": wholeNumber(1, 1000).default(DEFAULTS.search.vec_topn),
    /** Chunks of one file in an answer. */
    "per_doc_limit": wholeNumber(1, 100).default(DEFAULTS.search.per_doc_limit),
    /** How the rankings of the legs are combined. */
    "fusion": choice(FUSIONS).default(DEFAULTS.search.fusion),
    /** Whether the candidates are reranked, by `rerank.provider`. `false` is the same as the provider `none`. */
    "rerank": boolean().default(DEFAULTS.search.rerank),
    /** Evidence of a hybrid ranking with the built-in word vectors, beside the keywords. */
    "legs": choices(LEGS).default([...DEFAULTS.search.legs]),
    /** Most UTF-16 units of text in an answer. */
    "max_chars": wholeNumber(200, 1_000_000).default(DEFAULTS.search.max_chars),
    /** Groups of synonyms: a query with one word of a group finds the others too. */
    "synonyms": groupsOfTexts().default([...DEFAULTS.search.synonyms]),
  },
  /** Ordering the best candidates of a search once more. */
  rerank: {
    /** `maxsim`: by the words of the built-in table. `none`: keywords, translation and vectors decide. */
    "provider": choice(RERANKERS).default(DEFAULTS.rerank.provider),
    /** The best candidates that `local`, `llm` and `remote` order; the others follow in their old order. */
    "top_m": wholeNumber(2, 200).default(DEFAULTS.rerank.top_m),
    /** Seconds that a search waits for the new order. */
    "timeout_seconds": number(0.1, 600).default(DEFAULTS.rerank.timeout_seconds),
    /** Base URL of the service. `env:NAME` is allowed. */
    "base_url": url().nullable().default(DEFAULTS.rerank.base_url),
    /** Secret. `env:NAME`, `enc:v1:…`, or plain with a warning. */
    "api_key": text().nullable().default(DEFAULTS.rerank.api_key),
    /** The service's name of the model. `env:NAME` is allowed. */
    "model": text().nullable().default(DEFAULTS.rerank.model),
    /** `jina`: as Jina, Cohere, vLLM and llama.cpp. `tei`: as Text Embeddings Inference. `auto`: found by asking. */
    "protocol": choice(RERANK_PROTOCOLS).default(DEFAULTS.rerank.protocol),
    /** The ONNX file of `local`, or its folder; absolute after loading. */
    "path": text("config_expect_model").nullable().default(DEFAULTS.rerank.path),
  },
  /** Limits of the answers of the MCP tools. */
  mcp: {
    /** Most UTF-16 units of a document's text in one answer of `get_document_content`. */
    "document_chars": wholeNumber(1000, 1_000_000).default(DEFAULTS.mcp.document_chars),
    /** Most UTF-16 units of a file's text in one answer of `read_raw_file`. */
    "max_read_chars": wholeNumber(1000, 1_000_000).default(DEFAULTS.mcp.max_read_chars),
    /** Largest file that `get_document_original` returns. In MB of 1,000,000 bytes. */
    "original_mb": number(0.001, 100).default(DEFAULTS.mcp.original_mb),
    /** How answers are sent: as structured content, as text, or both; `auto`: by the client. */
    "answer": choice(ANSWER_SHAPES).default(DEFAULTS.mcp.answer),
    /** Most tokens of an answer, estimated; `auto`: 8,000 of a search, 10,000 of a file's text. */
    "max_tokens": autoOrWholeNumber(500, 1_000_000).default(DEFAULTS.mcp.max_tokens),
    /** The tools that a client gets. */
    "tools": oneOrSome(TOOL_SETS, TOOL_NAMES).default(DEFAULTS.mcp.tools),
  },
  /** Where `model install` downloads models. */
  models: {
    /** The sources in the order in which they are tried. */
    "sources": choices(MODEL_SOURCES).default([...DEFAULTS.models.sources]),
    /** Address of the hub that the models were published on. */
    "hub_url": url().default(DEFAULTS.models.hub_url),
    /** Address of a mirror with the same paths. */
    "mirror_url": url().default(DEFAULTS.models.mirror_url),
    /** Address of an npm registry; `null`: the one that npm is set to. `env:NAME` is allowed. */
    "npm_registry": url().nullable().default(DEFAULTS.models.npm_registry),
    /** Hosts that a source may redirect to over HTTPS, with their subdomains. */
    "redirect_hosts": texts().default([...DEFAULTS.models.redirect_hosts]),
    /** Seconds without any answer until a source is given up. */
    "timeout_seconds": number(1, 3600).default(DEFAULTS.models.timeout_seconds),
  },
  /** The log files. */
  log: {
    /** The lowest level that is logged. `debug` also logs the text of queries. */
    "level": choice(["debug", "info", "warning", "error"]).default(DEFAULTS.log.level),
    /** The folder. Default: `logs` in the user's state folder. `env:NAME` is allowed. */
    "dir": text("config_expect_path").nullable().default(DEFAULTS.log.dir),
    /** Days a log file is kept. */
    "retention_days": wholeNumber(1, 3650).default(DEFAULTS.log.retention_days),
  },
};

/** Name of a section that earlier versions had and nothing uses: it is accepted with a warning. */
export const UNUSED_SECTION = "llm";

/** Names of the sections directly inside a section, or of the outermost ones. */
export function subsections(section?: string): string[] {
  const start = section === undefined ? "" : `${section}.`;
  const inside = Object.keys(SECTIONS).filter((name) => name.startsWith(start));
  return [...new Set(inside.map((name) => name.slice(start.length).split(".")[0]!))];
}

/** The whole configuration. Every key is optional in its input. */
export const ConfigSchema = z.strictObject({
  language: LANGUAGE,
  collections: CollectionsSchema,
  embedding: z.strictObject({
    ...SECTIONS.embedding,
    local: z.strictObject({
      zh: z.strictObject(SECTIONS["embedding.local.zh"]).prefault({}),
      en: z.strictObject(SECTIONS["embedding.local.en"]).prefault({}),
    }).prefault({}),
  }).prefault({}),
  chunking: z.strictObject(SECTIONS.chunking)
    .transform((section) => ({
      strategy: section.strategy,
      "max_chars": section.max_chars,
      overlap: section.overlap ?? defaultOverlap(section.max_chars),
      "chunks_per_file": section.chunks_per_file,
    })).prefault({}),
  files: z.strictObject(SECTIONS.files).prefault({}),
  index: z.strictObject(SECTIONS.index).prefault({}),
  search: z.strictObject(SECTIONS.search).prefault({}),
  rerank: z.strictObject(SECTIONS.rerank).prefault({}),
  mcp: z.strictObject(SECTIONS.mcp).prefault({}),
  models: z.strictObject(SECTIONS.models).prefault({}),
  log: z.strictObject(SECTIONS.log).prefault({}),
}).superRefine((config, context) => {
  for (const { path, params } of crossProblems(config, SECTIONS)) {
    context.addIssue({ code: "custom", path: [...path], params: { ...params } });
  }
});

/** The schema of one key. `section` is undefined for a key outside every section. */
export function fieldOf(section: string | undefined, key: string): z.ZodType | undefined {
  if (section === undefined) return key === "language" ? LANGUAGE : undefined;
  const keys: Record<string, Record<string, z.ZodType>> = SECTIONS;
  const ofCollection = collectionField(section, key);
  if (ofCollection !== undefined) return ofCollection;
  return Object.hasOwn(keys, section) && Object.hasOwn(keys[section]!, key) ? keys[section]![key] : undefined;
}

type DeepReadonly<T> = T extends readonly (infer Item)[] ? readonly DeepReadonly<Item>[]
  : T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T;

type DeepPartial<T> = {
  [Key in keyof T]?: (T[Key] extends object ? DeepPartial<T[Key]> : T[Key]) | undefined;
};

/** The complete and valid configuration. It has secrets in plain text: print it only with `printConfig`. */
export type Config =
  & DeepReadonly<Omit<z.output<typeof ConfigSchema>, "language">>
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

/** A problem between keys that are each valid alone. */
export interface CrossProblem {
  readonly expected: Expectation;
  /** Set when the key is missing because the provider needs it. */
  readonly provider?: string;
  /** The other keys of the same section that cause the problem. */
  readonly others: readonly string[];
}

/** A {@linkcode CrossProblem} and the key that it is about. */
interface FoundProblem {
  readonly path: readonly [section: string, key: string];
  readonly params: CrossProblem;
}

/** The sections that are compared. */
interface Sections {
  readonly chunking: Chunking;
  readonly collections: Readonly<Record<string, { readonly chunking: Given<Chunking> }>>;
  readonly embedding: ServerSection;
  readonly rerank: ServerSection & { readonly path: string | null };
}

interface Chunking {
  readonly "max_chars": number;
  readonly overlap: number;
}

type Given<Section> = { readonly [Key in keyof Section]?: Section[Key] | undefined };

interface ServerSection {
  readonly provider: string;
  readonly "base_url": string | null;
  readonly model: string | null;
}

type ServerKey = "base_url" | "model";

/** Schemas of the keys that a provider may need. */
interface Fields {
  readonly embedding: Readonly<Record<ServerKey, z.ZodType>>;
  readonly rerank: Readonly<Record<ServerKey | "path", z.ZodType>>;
}

/** Returns the problems between keys of a configuration. */
function crossProblems(config: Sections, fields: Fields): FoundProblem[] {
  const found: FoundProblem[] = [];
  const half = config.chunking.max_chars / 2;
  if (config.chunking.overlap >= half) {
    const expected = { key: "config_expect_overlap", params: { limit: half } } as const;
    found.push({ path: ["chunking", "overlap"], params: { expected, others: ["max_chars"] } });
  }
  for (const [name, { chunking }] of Object.entries(config.collections)) {
    const limit = (chunking.max_chars ?? config.chunking.max_chars) / 2;
    if (chunking.overlap === undefined || chunking.overlap < limit) continue;
    const expected = { key: "config_expect_overlap", params: { limit } } as const;
    found.push({
      path: [`collections.${name}.chunking`, "overlap"],
      params: { expected, others: ["max_chars"] },
    });
  }
  const needs = <Section extends "embedding" | "rerank">(
    section: Section,
    ...keys: (keyof Fields[Section] & keyof Sections[Section] & string)[]
  ) => {
    const { provider } = config[section];
    for (const key of keys.filter((key) => config[section][key] === null)) {
      const expected = expectationOf(fields[section][key] as z.ZodType);
      found.push({ path: [section, key], params: { expected, provider, others: ["provider"] } });
    }
  };
  const isServer = !["none", "builtin", "local"].includes(config.embedding.provider);
  if (isServer) needs("embedding", "base_url", "model");
  if (config.rerank.provider === "local") needs("rerank", "path");
  if (config.rerank.provider === "remote") needs("rerank", "base_url");
  if (config.rerank.provider === "llm") needs("rerank", "base_url", "model");
  return found;
}
