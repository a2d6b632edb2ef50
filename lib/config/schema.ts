import * as z from "zod";
import { MAX_DIMENSIONS } from "../limits.ts";
import {
  anyText,
  autoOrWholeNumber,
  boolean,
  choice,
  choices,
  encoding,
  type Expectation,
  EXPECTATIONS,
  falseOrPaths,
  groupsOfTexts,
  number,
  text,
  texts,
  url,
  wholeNumber,
} from "./_fields.ts";
import { CHUNKING_STRATEGIES, FUSIONS, GENERATED, LANGUAGES, LEGS, SEARCH_MODES, TOP_K } from "./choices.ts";
import { DEFAULTS } from "./_defaults.ts";

/** The language of everything the program says to people. */
const LANGUAGE = choice(LANGUAGES).default(DEFAULTS.language);

/** Every section's keys. The names are those of the file; `null` means "not set". */
export const SECTIONS = {
  /** The provider of vectors for semantic search. */
  embedding: {
    /** `builtin`: the table that comes with the program, offline. `none`: keywords only. */
    "provider": choice(["builtin", "openai-compatible", "azure", "none"]).default(
      DEFAULTS.embedding.provider,
    ),
    /** Where the service answers. `env:NAME` is allowed. */
    "base_url": url().nullable().default(DEFAULTS.embedding.base_url),
    /** Secret. `env:NAME`, `enc:v1:…`, or plain with a warning. */
    "api_key": text().nullable().default(DEFAULTS.embedding.api_key),
    /** The model's name at the service. `env:NAME` is allowed. */
    "model": text().nullable().default(DEFAULTS.embedding.model),
    /** Numbers in a vector; `null` takes what the model gives. */
    "dimensions": wholeNumber(1, MAX_DIMENSIONS).nullable().default(DEFAULTS.embedding.dimensions),
    /** Texts in one request. */
    "batch_size": wholeNumber(1, 2048).default(DEFAULTS.embedding.batch_size),
    /** Requests under way at once. */
    "concurrency": wholeNumber(1, 64).default(DEFAULTS.embedding.concurrency),
    /** Seconds until a request is given up. */
    "timeout_seconds": number(1, 3600).default(DEFAULTS.embedding.timeout_seconds),
    /** How often a failed request is tried again. */
    "max_retries": wholeNumber(0, 10).default(DEFAULTS.embedding.max_retries),
    /** Put before a question; `null` takes what is known of the model, empty puts nothing. */
    "query_prefix": anyText().nullable().default(DEFAULTS.embedding.query_prefix),
    /** Put before a text that is searched; `null` takes what is known of the model, empty puts nothing. */
    "document_prefix": anyText().nullable().default(DEFAULTS.embedding.document_prefix),
    /** UTF-16 units that are sent of a text; `null` goes by the model's window. */
    "max_input_chars": wholeNumber(64, 10_000_000).nullable().default(DEFAULTS.embedding.max_input_chars),
  },
  /** How documents are cut. */
  chunking: {
    /** The rule for where a document is cut. */
    "strategy": choice(CHUNKING_STRATEGIES).default(DEFAULTS.chunking.strategy),
    /** Most UTF-16 units of a chunk, its overlap included. */
    "max_chars": wholeNumber(100, 100_000).default(DEFAULTS.chunking.max_chars),
    /** Most UTF-16 units a chunk repeats of the one before it; default 120, or a tenth of a small `max_chars`. */
    "overlap": wholeNumber(0, 50_000).optional(),
    /** A number cuts every file into so many pieces, whatever their size; `auto` goes by `max_chars`. */
    "chunks_per_file": autoOrWholeNumber(1, 100_000).default(DEFAULTS.chunking.chunks_per_file),
  },
  /** Which files are taken, and how they are read. */
  files: {
    /** Globs in `.gitignore` syntax; when there are any, only files that match one are taken. */
    "include": texts().default([...DEFAULTS.files.include]),
    /** Globs in `.gitignore` syntax of files and folders to leave out. */
    "exclude": texts().default([...DEFAULTS.files.exclude]),
    /** Whether `.gitignore` and `.muxueragignore` count. */
    "ignore_files": boolean().default(DEFAULTS.files.ignore_files),
    /** Larger files are skipped; in MB of 1,000,000 bytes. */
    "max_file_mb": number(0.001, 2048).default(DEFAULTS.files.max_file_mb),
    /** `auto`, or a label `TextDecoder` knows that every file is read by. */
    "encoding": encoding().default(DEFAULTS.files.encoding),
    /** The treatment of files that were made for machines: bundles, lock files, dumps. */
    "generated": choice(GENERATED).default(DEFAULTS.files.generated),
    /** Folders that may be processed although they are sensitive, as absolute paths once loaded. */
    "allow_sensitive": falseOrPaths().default(DEFAULTS.files.allow_sensitive),
  },
  /** How searches are answered. */
  search: {
    /** Which legs answer. */
    "mode": choice(SEARCH_MODES).default(DEFAULTS.search.mode),
    /** Hits in an answer. */
    "top_k": wholeNumber(TOP_K.min, TOP_K.max).default(DEFAULTS.search.top_k),
    /** Share of the vector leg in the fusion, 0 to 1: of an outside model, or in `rrf`. */
    "alpha": number(0, 1).default(DEFAULTS.search.alpha),
    /** Candidates of the keyword leg. */
    "fts_topn": wholeNumber(1, 1000).default(DEFAULTS.search.fts_topn),
    /** Candidates of the vector leg. */
    "vec_topn": wholeNumber(1, 1000).default(DEFAULTS.search.vec_topn),
    /** Chunks of one file in an answer. */
    "per_doc_limit": wholeNumber(1, 100).default(DEFAULTS.search.per_doc_limit),
    /** How the legs are put together. */
    "fusion": choice(FUSIONS).default(DEFAULTS.search.fusion),
    /** Whether the candidates are ordered anew by a closer look; without, keywords, translation and vectors decide. */
    "rerank": boolean().default(DEFAULTS.search.rerank),
    /** The evidence that a hybrid ranking with the built-in table uses, beside the keywords. */
    "legs": choices(LEGS).default([...DEFAULTS.search.legs]),
    /** Most UTF-16 units of text in an answer. */
    "max_chars": wholeNumber(200, 1_000_000).default(DEFAULTS.search.max_chars),
    /** Groups of words that mean the same: a query that holds one of a group finds the others too. */
    "synonyms": groupsOfTexts().default([...DEFAULTS.search.synonyms]),
  },
  /** Limits of the answers of the MCP tools. */
  mcp: {
    /** Most UTF-16 units of a document's text in one answer of `get_document_content`. */
    "document_chars": wholeNumber(1000, 1_000_000).default(DEFAULTS.mcp.document_chars),
    /** `get_document_original` gives no larger files; in MB of 1,000,000 bytes. */
    "original_mb": number(0.001, 100).default(DEFAULTS.mcp.original_mb),
  },
  /** The log files. */
  log: {
    /** The least level that is written; `debug` also writes the text of queries. */
    "level": choice(["debug", "info", "warning", "error"]).default(DEFAULTS.log.level),
    /** Their folder; default: `logs` in the user's state folder. `env:NAME` is allowed. */
    "dir": text("config_expect_path").nullable().default(DEFAULTS.log.dir),
    /** Days a log file is kept. */
    "retention_days": wholeNumber(1, 3650).default(DEFAULTS.log.retention_days),
  },
};

/** Name of a section that earlier versions had and nothing uses: it is accepted with a warning. */
export const UNUSED_SECTION = "llm";

/** The name of a section. */
export type SectionName = keyof typeof SECTIONS;

/** A mistake between two keys: the first is the one to change, the others made it wrong. */
export interface CrossProblem {
  readonly expected: Expectation;
  /** Set when the key is missing because the provider needs it. */
  readonly provider?: string;
  /** Keys of the same section that take part. */
  readonly others: readonly string[];
}

/** The whole configuration as it may be given: everything optional. */
export const ConfigSchema = z.strictObject({
  language: LANGUAGE,
  embedding: z.strictObject(SECTIONS.embedding).prefault({}),
  chunking: z.strictObject(SECTIONS.chunking)
    .transform((section) => ({
      strategy: section.strategy,
      "max_chars": section.max_chars,
      overlap: section.overlap ?? Math.min(DEFAULTS.chunking.overlap, Math.floor(section.max_chars / 10)),
      "chunks_per_file": section.chunks_per_file,
    })).prefault({}),
  files: z.strictObject(SECTIONS.files).prefault({}),
  search: z.strictObject(SECTIONS.search).prefault({}),
  mcp: z.strictObject(SECTIONS.mcp).prefault({}),
  log: z.strictObject(SECTIONS.log).prefault({}),
}).superRefine((config, context) => {
  const report = (path: [SectionName, string], params: CrossProblem) =>
    context.addIssue({ code: "custom", path, params: { ...params } });

  const half = config.chunking.max_chars / 2;
  if (config.chunking.overlap >= half) {
    report(["chunking", "overlap"], {
      expected: { key: "config_expect_overlap", params: { limit: half } },
      others: ["max_chars"],
    });
  }
  const { provider } = config.embedding;
  if (provider === "none" || provider === "builtin") return;
  for (const key of ["base_url", "model"] as const) {
    if (config.embedding[key] !== null) continue;
    const expected = expectationOf(SECTIONS.embedding[key]);
    report(["embedding", key], { expected, provider, others: ["provider"] });
  }
});

/** The schema of one key, by section and name, or by name alone for a key outside of every section. */
export function fieldOf(section: string | undefined, key: string): z.ZodType | undefined {
  if (section === undefined) return key === "language" ? LANGUAGE : undefined;
  const keys: Record<string, Record<string, z.ZodType>> = SECTIONS;
  return Object.hasOwn(keys, section) && Object.hasOwn(keys[section]!, key) ? keys[section]![key] : undefined;
}

/** The rule of a field, in words. */
export function expectationOf(field: z.ZodType): Expectation {
  // Defaults and nullability are wrapped around the field that was registered.
  for (let at: unknown = field; at instanceof z.ZodType; at = inner(at)) {
    const expectation = EXPECTATIONS.get(at);
    if (expectation !== undefined) return expectation;
  }
  return { key: "config_expect_text" };
}

/** The rule of each item of a list, in words. */
export function itemExpectationOf(field: z.ZodType): Expectation {
  for (let at: unknown = field; at instanceof z.ZodType; at = inner(at)) {
    if (at instanceof z.ZodArray) return expectationOf(at.element as z.ZodType);
  }
  return { key: "config_expect_text" };
}

function inner(field: z.ZodType): unknown {
  return field instanceof z.ZodDefault || field instanceof z.ZodNullable || field instanceof z.ZodOptional
    ? field.unwrap()
    : undefined;
}

type DeepReadonly<T> = T extends readonly (infer Item)[] ? readonly DeepReadonly<Item>[]
  : T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T;

type DeepPartial<T> = {
  [Key in keyof T]?: (T[Key] extends object ? DeepPartial<T[Key]> : T[Key]) | undefined;
};

/** The whole configuration, complete and checked. Secrets are in it in plain text: print only what `printConfig` gives. */
export type Config = DeepReadonly<z.output<typeof ConfigSchema>>;

/** Values given on the command line; `undefined` counts as not given. */
export type ConfigOverrides = DeepReadonly<DeepPartial<z.input<typeof ConfigSchema>>>;
