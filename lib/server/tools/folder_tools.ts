/**
 * The tools that list what is served, and bring it up to date.
 */
import * as z from "zod";
import { sep } from "node:path";
import {
  collectionsAnswer,
  documentsAnswer,
  INGESTED_DATA,
  ingestedAnswer,
  REEMBEDDED_DATA,
  reembeddedAnswer,
  STATUS_DATA,
  statusAnswer,
} from "#library/answer/mod.ts";
import { argument, defineTool, FILTERS_ARGUMENT, pageOf, UNLISTED_PAGE } from "../tool.ts";
import {
  askedCollections,
  DOCUMENT_STATES,
  type DocumentFilter,
  QUERY_LANGUAGES,
  rootNamed,
  type ServedCollection,
  unknownCollection,
} from "#library/search/types.ts";
import { UserError } from "#foundation/errors.ts";
import type { IngestProgress, IngestSummary } from "#library/ingest/types.ts";
import { type Language, message } from "#foundation/messages/mod.ts";
import type { Library } from "#library/search/mod.ts";
import { resolveFolderInside } from "#foundation/boundary/mod.ts";

/** The served folders with the size, languages and age of their indexes. */
export const listCollections = defineTool({
  input: UNLISTED_PAGE,
  output: z.looseObject({ collections: z.array(z.looseObject({ name: z.string() })) }),
  async run(input, call) {
    const page = pageOf(input, call);
    return collectionsAnswer(await (await call.library.catalog()).collections(), call.language, page);
  },
});

/** Documents in one answer, unless the call says otherwise. */
const LIMIT = 50;

/** The documents of the served folders, page by page. */
export const listDocuments = defineTool({
  input: {
    collection: argument(collectionArgument().optional(), "arg_collection"),
    path: argument(z.string().optional(), "arg_path"),
    type: argument(z.string().optional(), "arg_type"),
    // As in a search, and not listed again.
    lang: z.enum(QUERY_LANGUAGES).optional(),
    after: z.string().optional(),
    before: z.string().optional(),
    filters: FILTERS_ARGUMENT,
    state: argument(z.enum(DOCUMENT_STATES).optional(), "arg_state"),
    facets: argument(facetsArgument().optional(), "arg_facets"),
    limit: z.int().min(1).max(1000).optional(),
    cursor: argument(z.string().optional(), "arg_cursor"),
  },
  output: z.looseObject({ documents: z.array(z.looseObject({})) }),
  async run(input, call) {
    const { collection, limit = LIMIT, cursor: _, filters: json, facets: asked, ...filter } = input;
    const { library, language } = call;
    const page = pageOf({ ...input, "max_tokens": undefined }, call);
    const given = Object.entries({ ...filter, json, collections: collection })
      .filter(([, value]) => value !== undefined);
    const catalog = await library.catalog();
    const wanted = Object.fromEntries(given) as DocumentFilter;
    const { facetsNamed } = await import("#library/search/mod.ts");
    const facets = asked === undefined ? undefined : facetsNamed(asked);
    const list = await catalog.documents(wanted, page.offset, limit, facets);
    return documentsAnswer(list, { language, ...page });
  },
});

/** The states of the indexes, and the files that they lack. */
export const indexStatus = defineTool({
  input: UNLISTED_PAGE,
  output: STATUS_DATA,
  async run(input, call) {
    const { library, language } = call;
    const page = pageOf(input, call);
    const catalog = await library.catalog();
    const failed = await catalog.documents({ state: "failed" }, 0, 20);
    return statusAnswer(await catalog.collections(), failed, language, page);
  },
});

/** Units of progress for one folder. */
const UNITS = 100;

/** Brings the indexes of the served folders up to date. */
export const ingestNow = defineTool({
  input: {
    // In every list of default tools, each described argument costs its tokens.
    collection: collectionArgument().optional(),
    full: z.boolean().optional(),
  },
  output: INGESTED_DATA,
  async run({ collection, full = false }, { library, language, upkeep, progress }, signal) {
    if (upkeep === undefined) throw new UserError("ingest_not_allowed");
    const roots = await collectionRoots(collection, library.collections);
    const summaries: IngestSummary[] = [];
    for (const [i, root] of roots.entries()) {
      const report = (part: number, text: string) =>
        progress({ done: (i + part) * UNITS, total: roots.length * UNITS, message: text });
      report(0, message(language, "ingest_waiting", { path: root }));
      const onProgress = (state: IngestProgress) => report(shareOf(state), stepText(root, state, language));
      summaries.push(await upkeep.update(root, { full, signal, onProgress }));
      report(1, message(language, "ingest_progress_done", { path: root }));
    }
    return ingestedAnswer(summaries, language);
  },
});

/** The share of the work that is done, 0 to 1. Writing the index is a tenth of it. */
function shareOf({ step, bytesDone, bytesTotal }: IngestProgress): number {
  if (step === "write" || step === "done") return 0.9;
  return step === "read" && bytesTotal > 0 ? Math.min(1, bytesDone / bytesTotal) * 0.9 : 0;
}

function stepText(
  root: string,
  { step, path, filesDone, filesTotal }: IngestProgress,
  language: Language,
): string {
  if (step === "read") {
    return message(language, "ingest_progress_read", {
      path: root,
      done: filesDone,
      total: filesTotal,
      file: path === undefined ? "" : ` (${path})`,
    });
  }
  const key = step === "write" || step === "done" ? "ingest_progress_write" : "ingest_progress_scan";
  return message(language, key, { path: root });
}

/** Makes the vectors of one document again. */
export const reembedDocument = defineTool({
  input: { "doc_id": argument(z.string().min(1), "arg_file_path") },
  output: REEMBEDDED_DATA,
  async run({ doc_id: id }, { library, language, upkeep, progress }, signal) {
    if (upkeep === undefined) throw new UserError("ingest_not_allowed");
    const path = await realPath(id, library);
    const root = innermost(path, library.roots);
    const text = message(language, "reembed_progress", { path });
    progress({ done: 0, message: text });
    const made = await upkeep.reembed(root, relativeTo(root, path), {
      signal,
      onProgress: ({ embedded = 0 }) => progress({ done: embedded, message: text }),
    });
    return reembeddedAnswer(path, made, language);
  },
});

/** The real path of a file that the client may read. Its bytes are not read here. */
async function realPath(asked: string, library: Library): Promise<string> {
  try {
    return (await library.readOriginal(asked, 0)).path;
  } catch (error) {
    if (error instanceof UserError && error.key === "file_too_large") return String(error.params["path"]);
    throw error;
  }
}

/** The served folder that a file lies in; the inner one where one folder lies in another. */
function innermost(path: string, roots: readonly string[]): string {
  const around = roots.filter((root) => path.startsWith(withSeparator(root)));
  return around.reduce((inner, root) => root.length > inner.length ? root : inner, around[0] ?? path);
}

function relativeTo(root: string, path: string): string {
  return path.slice(withSeparator(root).length).replaceAll(sep, "/");
}

function withSeparator(root: string): string {
  return root.endsWith(sep) ? root : root + sep;
}

/** The argument `facets`: names in a list, or in one text with commas. */
function facetsArgument() {
  return z.preprocess(
    (value) =>
      Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join(",") : value,
    z.string(),
  );
}

/**
 * The argument `collection`: names or folders in one text, separated by commas. A list of texts is accepted as well. The
 * library reads them.
 */
export function collectionArgument() {
  return z.preprocess(
    (value) =>
      Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join("\n") : value,
    z.string(),
  );
}

/**
 * The served folders that the argument `collection` means: all, or those of the names and paths in it. A path is read as in a
 * search; one below a served folder means that folder. Throws `UserError` `collection_unknown`.
 */
async function collectionRoots(
  collection: string | undefined,
  known: readonly ServedCollection[],
): Promise<readonly string[]> {
  const asked = askedCollections(collection, known);
  if (asked === "all") return known.map(({ root }) => root);
  const wanted = await Promise.all(
    asked.map(async (name) => rootNamed(name, known) ?? await rootAround(name, known)),
  );
  return [...new Set(wanted)];
}

async function rootAround(path: string, known: readonly ServedCollection[]): Promise<string> {
  const roots = known.map(({ root }) => root);
  // A served folder may be gone.
  const itself = path.replace(/[\\/]+$/, "");
  if (roots.includes(itself)) return itself;
  try {
    return (await resolveFolderInside(path, roots)).root;
  } catch (error) {
    throw unknownCollection(path, known, error);
  }
}
