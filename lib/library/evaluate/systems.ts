/** The systems that can be compared, and minima for their figures. */
import { LEGS } from "#foundation/constants.ts";
import { type Config, SEARCH_MODES } from "#foundation/configuration/mod.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import { openLibrary } from "#library/search/mod.ts";
import { ANSWER_METRICS } from "./answer_metrics.ts";
import { type Corpus, type EvaluationResult, type Metric, METRICS, type System } from "./types.ts";

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
  const [first, ...without] = name.split("-");
  const mode = SEARCH_MODES.find((mode) => mode === first);
  if (mode === undefined) return undefined;
  if (without.length === 0) return [{ name, config, mode }];
  const known: readonly string[] = LEGS;
  if (mode !== "hybrid" || !without.every((leg) => known.includes(leg))) return undefined;
  const legs = config.search.legs.filter((leg) => !without.includes(leg));
  return [{ name, config: { ...config, search: { ...config.search, legs } }, mode }];
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

/** The least mean that a system must reach. */
export interface Threshold {
  /** Default: the last system. */
  readonly system?: string;
  readonly metric: Metric;
  /** Depth; default: that of the evaluation. */
  readonly at?: number;
  readonly value: number;
}

/** A threshold that was not reached. */
export interface Shortfall extends Required<Threshold> {
  readonly collection: string;
  readonly reached: number;
}

/** Parses `[SYSTEM:]METRIC[@K]=VALUE`, such as `hybrid:ndcg@10=0.4`. Throws `UsageError` `eval_bad_min`. */
export function parseThreshold(text: string): Threshold {
  const [, system, name, depth, number] =
    /^(?:(.+):)?(\w+?)(?:@([1-9]\d{0,3}))?=(\d*\.?\d+|\d+\.)$/.exec(text.trim()) ?? [];
  const metric = METRICS.find((each) => each === name?.toLowerCase());
  const value = Number(number);
  if (metric === undefined || !(value <= 1)) {
    throw new UsageError("eval_bad_min", {
      value: text,
      metrics: [...METRICS, ...ANSWER_METRICS].join(", "),
    });
  }
  return present({ system, metric, at: depth === undefined ? undefined : Number(depth), value });
}

/**
 * Throws `UsageError` `eval_min_system` or `eval_min_depth` for a threshold of another system or a greater depth than `k`.
 */
export function checkThresholds(
  thresholds: readonly Threshold[],
  systems: readonly { readonly name: string }[],
  k: number,
): void {
  const names = systems.map(({ name }) => name);
  for (const { system, metric, at = k } of thresholds) {
    if (system !== undefined && !names.includes(system)) {
      throw new UsageError("eval_min_system", { name: system, systems: names.join(", ") });
    }
    if (at > k) throw new UsageError("eval_min_depth", { metric, at, k });
  }
}

/** Returns the thresholds that a result does not reach. {@linkcode checkThresholds} must have accepted them. */
export function shortfalls(thresholds: readonly Threshold[], result: EvaluationResult): Shortfall[] {
  return thresholds.flatMap(({ system, metric, at = result.k, value }) => {
    const own = result.systems.find(({ name }) => name === system) ?? result.systems.at(-1)!;
    const reached = own.byDepth[metric][at - 1]!;
    return reached < value ? [{ collection: result.name, system: own.name, metric, at, value, reached }] : [];
  });
}
