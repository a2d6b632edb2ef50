import * as z from "zod";
import { description, text } from "./_fields.ts";
import { CHUNKING, FILES } from "./_folder_fields.ts";

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
