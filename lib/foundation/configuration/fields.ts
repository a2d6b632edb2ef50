/**
 * Types of fields with the words for what they expect,
 * the fields that a folder has of its own, and those of collections.
 */
import * as z from "zod";
import type { MessageKey, MessageParams } from "#foundation/messages/mod.ts";
import { isHost } from "./user_environment.ts";
import { CHUNKING_STRATEGIES, DEFAULTS, GENERATED, OCR } from "./defaults.ts";

/** The rule for a value, as a message. */
export interface Expectation {
  readonly key: MessageKey;
  readonly params?: MessageParams;
}

/** The rule of each field. The messages of zod are not in Chinese, and not written for people who edit files. */
const EXPECTATIONS = z.registry<Expectation>();

export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  const params = { choices: choices.join(", ") };
  return z.enum(choices).register(EXPECTATIONS, { key: "config_expect_choice", params });
}

export function wholeNumber(min: number, max: number) {
  return z.int().min(min).max(max).register(EXPECTATIONS, {
    key: "config_expect_integer",
    params: { min, max },
  });
}

export function number(min: number, max: number) {
  return z.number().min(min).max(max).register(EXPECTATIONS, {
    key: "config_expect_number",
    params: { min, max },
  });
}

export function autoOrWholeNumber(min: number, max: number) {
  return z.union([z.literal("auto"), z.int().min(min).max(max)])
    .register(EXPECTATIONS, { key: "config_expect_auto_or_integer", params: { min, max } });
}

export function boolean() {
  return z.boolean().register(EXPECTATIONS, { key: "config_expect_boolean" });
}

export function text(key: MessageKey = "config_expect_text") {
  return z.string().regex(/\S/).register(EXPECTATIONS, { key });
}

/** Most UTF-16 units of a description. A client reads those of all collections. */
const MAX_DESCRIPTION = 1000;

function description() {
  return z.string().regex(/\S/).max(MAX_DESCRIPTION).register(EXPECTATIONS, {
    key: "config_expect_short_text",
    params: { max: MAX_DESCRIPTION },
  });
}

export function anyText() {
  return z.string().register(EXPECTATIONS, { key: "config_expect_text" });
}

export function url() {
  return z.string().refine((value) => {
    const address = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
    return address !== null && isHost(address.hostname);
  }).register(EXPECTATIONS, { key: "config_expect_url" });
}

export function texts() {
  return z.array(text()).register(EXPECTATIONS, { key: "config_expect_texts" });
}

export function choices<const Choices extends readonly [string, ...string[]]>(all: Choices) {
  return z.array(choice(all)).register(EXPECTATIONS, {
    key: "config_expect_choices",
    params: { choices: all.join(", ") },
  });
}

export function groupsOfTexts() {
  const group = z.array(text()).min(2).register(EXPECTATIONS, { key: "config_expect_synonym_group" });
  return z.array(group).register(EXPECTATIONS, { key: "config_expect_synonyms" });
}

function falseOrPaths() {
  return z.union([z.literal(false), z.array(text("config_expect_path"))])
    .register(EXPECTATIONS, { key: "config_expect_false_or_paths" });
}

export function oneOrSome<
  const Whole extends readonly [string, ...string[]],
  const Choices extends readonly [string, ...string[]],
>(
  whole: Whole,
  all: Choices,
) {
  const params = { whole: whole.join(", "), choices: all.join(", ") };
  return z.union([z.enum(whole), z.array(choice(all)).min(1)])
    .register(EXPECTATIONS, { key: "config_expect_one_or_some", params });
}

function encoding() {
  return z.string().refine((label) => label === "auto" || isKnownEncoding(label))
    .register(EXPECTATIONS, { key: "config_expect_encoding" });
}

function isKnownEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/** The rule of a field as a message. */
export function expectationOf(field: z.ZodType): Expectation {
  // Defaults and nullability are wrapped around the field that was registered.
  for (let at: unknown = field; at instanceof z.ZodType; at = inner(at)) {
    const expectation = EXPECTATIONS.get(at);
    if (expectation !== undefined) return expectation;
  }
  return { key: "config_expect_text" };
}

/** The rule of the items of a list as a message. */
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

/** The section `chunking`: how documents are split. */
export const CHUNKING = {
  /** Where documents are split. */
  "strategy": choice(CHUNKING_STRATEGIES).default(DEFAULTS.chunking.strategy),
  /** Most UTF-16 units of a chunk, overlap included. */
  "max_chars": wholeNumber(100, 100_000).default(DEFAULTS.chunking.max_chars),
  /** Most UTF-16 units that a chunk repeats of the previous one. Default: 120, or a tenth of a small `max_chars`. */
  "overlap": wholeNumber(0, 50_000).optional(),
  /** Chunks of each file, whatever their size; `auto`: by `max_chars`. */
  "chunks_per_file": autoOrWholeNumber(1, 100_000).default(DEFAULTS.chunking.chunks_per_file),
};

/** The section `files`: which files are indexed, and how they are read. */
export const FILES = {
  /** Patterns in `.gitignore` syntax. If there are any, only files that match one are indexed. */
  "include": texts().default([...DEFAULTS.files.include]),
  /** Patterns in `.gitignore` syntax of files and folders to skip. */
  "exclude": texts().default([...DEFAULTS.files.exclude]),
  /** Whether `.gitignore` and `.muxueragignore` are obeyed. */
  "ignore_files": boolean().default(DEFAULTS.files.ignore_files),
  /** Larger files are skipped. In MB of 1,000,000 bytes. */
  "max_file_mb": number(0.001, 2048).default(DEFAULTS.files.max_file_mb),
  /** `auto`, or a label of `TextDecoder` for all files. */
  "encoding": encoding().default(DEFAULTS.files.encoding),
  /** Whether files generated for machines (bundles, lock files, dumps) are skipped. */
  "generated": choice(GENERATED).default(DEFAULTS.files.generated),
  /** Whether text is recognised in scanned pages of PDF and in pictures. */
  "ocr": choice(OCR).default(DEFAULTS.files.ocr),
  /** Sensitive folders that may be indexed; absolute paths after loading. */
  "allow_sensitive": falseOrPaths().default(DEFAULTS.files.allow_sensitive),
};

/** The section of the collections, `collections:`. */
export const COLLECTIONS = "collections";

/** Each search and each update opens them all. */
export const MAX_COLLECTIONS = 200;

/** Names of collections: letters of any script, digits, `-` and `_`, as a client or a command line writes them unquoted. */
export const COLLECTION_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,63}$/u;

/** Names of more than one folder in the tools: `all` and `*` stand for every collection. */
export const RESERVED_NAMES: readonly string[] = ["all"];

/**
 * The keys of a collection, and of its sections. A key of a section overrides the one of the same name outside. OCR and
 * sensitive folders are decided for the program as a whole, since they need permissions.
 */
export const COLLECTION_SECTIONS = {
  "": {
    /** The folder; absolute after loading. */
    "path": text("config_expect_path"),
    /** The text that a model chooses by. */
    "description": description().optional(),
  },
  chunking: {
    "strategy": CHUNKING.strategy.unwrap().optional(),
    "max_chars": CHUNKING.max_chars.unwrap().optional(),
    "overlap": CHUNKING.overlap,
    "chunks_per_file": CHUNKING.chunks_per_file.unwrap().optional(),
  },
  files: {
    "include": FILES.include.unwrap().optional(),
    "exclude": FILES.exclude.unwrap().optional(),
    "ignore_files": FILES.ignore_files.unwrap().optional(),
    "max_file_mb": FILES.max_file_mb.unwrap().optional(),
    "encoding": FILES.encoding.unwrap().optional(),
    "generated": FILES.generated.unwrap().optional(),
  },
};

/** The collections by name. */
export const CollectionsSchema = z.record(
  z.string(),
  z.strictObject({
    ...COLLECTION_SECTIONS[""],
    chunking: z.strictObject(COLLECTION_SECTIONS.chunking).prefault({}),
    files: z.strictObject(COLLECTION_SECTIONS.files).prefault({}),
  }),
).default({});

/** The name of the collection of a section `collections.NAME` or `collections.NAME.files`, and the section inside it. */
export function collectionSection(
  section: string,
): { readonly name: string; readonly inner: string } | undefined {
  const [first, name, inner = ""] = section.split(".");
  return first === COLLECTIONS && name !== undefined ? { name, inner } : undefined;
}

/** The keys of a section of a collection; `undefined` for another section. */
export function collectionKeys(section: string): Readonly<Record<string, z.ZodType>> | undefined {
  const place = collectionSection(section);
  const keys: Record<string, Record<string, z.ZodType>> = COLLECTION_SECTIONS;
  return place !== undefined && Object.hasOwn(keys, place.inner) ? keys[place.inner] : undefined;
}

/** The schema of a key of a collection; `undefined` for another key. */
export function collectionField(section: string, key: string): z.ZodType | undefined {
  const keys = collectionKeys(section) ?? {};
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}
