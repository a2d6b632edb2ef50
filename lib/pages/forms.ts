/** Forms of values that the bodies of several calls have. */
import * as z from "zod";
import { SEARCH_MODES, TOP_K } from "#foundation/configuration/mod.ts";
import { type ServedCollection, unknownCollection } from "#library/search/types.ts";

/** The path of a file. */
export const PATH = z.string().max(32_768);

/** A name, a filter, or another short text. */
export const TEXT = z.string().max(4096);

/** A collection by its name: see {@linkcode collectionNamed}. */
export const FOLDER = z.object({ folder: TEXT });

/** The place in a list of files or chunks, counted from 0. */
export const OFFSET = z.int().min(0).max(10_000_000).optional();

/** The place in a list of hits, counted from 0. */
export const HIT_OFFSET = z.int().min(0).max(1000).optional();

/** Number of hits. */
export const HITS = z.int().min(TOP_K.min).max(TOP_K.max).optional();

/** The settings of a search that a call may choose. */
export const SEARCH_SETTINGS = {
  mode: z.enum(SEARCH_MODES).optional(),
  topK: HITS,
  minDegree: z.enum(["high", "medium", "low"]).optional(),
};

const CANDIDATES = z.int().min(1).max(1000).optional();

/** Settings of the ranking that are tried for one call. */
export const RANKING = z.object({
  alpha: z.number().min(0).max(1).nullable().optional(),
  "fts_topn": CANDIDATES,
  "vec_topn": CANDIDATES,
  "per_doc_limit": z.int().min(1).max(100).optional(),
}).optional();

/** The collection of a name. Throws a `UserError` for an unknown one. */
export function collectionNamed(name: string, collections: readonly ServedCollection[]): ServedCollection {
  const found = collections.find((one) => one.name === name);
  if (found === undefined) throw unknownCollection(name, collections);
  return found;
}
