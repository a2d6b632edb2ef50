import { type Config, LEGS, SEARCH_MODES } from "../config/mod.ts";
import { UserError } from "../errors.ts";
import { openLibrary, type SearchMode } from "../search/mod.ts";
import type { Corpus, System } from "./types.ts";

/** Name for `hybrid` followed by `hybrid` without each one of its legs. */
const ALL_LEGS = "legs";

/** All names that {@linkcode systemsNamed} knows, for messages. */
export const SYSTEM_NAMES: readonly string[] = [
  ...SEARCH_MODES,
  ...LEGS.map((leg) => `hybrid-${leg}`),
  ALL_LEGS,
];

/**
 * Returns the systems of a name: a search mode, `hybrid-LEG` or `hybrid-LEG-LEG` (hybrid without these legs), or `legs`.
 * Returns `undefined` for any other name.
 */
export function systemsNamed(name: string, config: Config): System[] | undefined {
  if (name === ALL_LEGS) {
    const names = ["hybrid", ...LEGS.map((leg) => `hybrid-${leg}`)];
    return names.flatMap((each) => systemsNamed(each, config) ?? []);
  }
  const [mode, ...without] = name.split("-");
  if (!isMode(mode)) return undefined;
  if (without.length === 0) return [{ name, config, mode }];
  const known: readonly string[] = LEGS;
  if (mode !== "hybrid" || !without.every((leg) => known.includes(leg))) return undefined;
  return [{ name, config: withoutLegs(config, without), mode }];
}

/** A query that shows whether an index has vectors. */
const PROBE = "muxue_rag";

/**
 * Returns the systems that are compared by default: all modes if the index of the corpus has vectors, else keyword search.
 */
export async function defaultSystems(
  { root, key, indexDirs }: Pick<Corpus, "root" | "key" | "indexDirs">,
  config: Config,
): Promise<System[]> {
  const library = openLibrary([root], config, { key, indexDirs });
  try {
    await library.search({ query: PROBE, mode: "semantic" });
  } catch (error) {
    if (!(error instanceof UserError) || error.key !== "mode_without_vectors") throw error;
    return [{ name: "keyword", config, mode: "keyword" }];
  } finally {
    library.close();
  }
  return (["keyword", "semantic", "hybrid"] as const).map((mode) => ({ name: mode, config, mode }));
}

function isMode(name: string | undefined): name is SearchMode {
  return SEARCH_MODES.some((mode) => mode === name);
}

function withoutLegs(config: Config, without: readonly string[]): Config {
  const legs = config.search.legs.filter((leg) => !without.includes(leg));
  return { ...config, search: { ...config.search, legs } };
}
