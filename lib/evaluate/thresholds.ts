import { UsageError } from "../errors.ts";
import { type EvaluationResult, type Metric, METRICS } from "./types.ts";

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
export interface Shortfall {
  readonly collection: string;
  readonly system: string;
  readonly metric: Metric;
  readonly at: number;
  readonly value: number;
  readonly reached: number;
}

/** Parses `[SYSTEM:]METRIC[@K]=VALUE`, such as `hybrid:ndcg@10=0.4`. Throws `UsageError` `eval_bad_min`. */
export function parseThreshold(text: string): Threshold {
  const [, system, name, depth, number] =
    /^(?:(.+):)?(\w+?)(?:@([1-9]\d{0,3}))?=(\d*\.?\d+|\d+\.)$/.exec(text.trim()) ?? [];
  const metric = METRICS.find((each) => each === name?.toLowerCase());
  const value = Number(number);
  if (metric === undefined || !(value <= 1)) {
    throw new UsageError("eval_bad_min", { value: text, metrics: METRICS.join(", ") });
  }
  return {
    ...(system === undefined ? {} : { system }),
    metric,
    ...(depth === undefined ? {} : { at: Number(depth) }),
    value,
  };
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
