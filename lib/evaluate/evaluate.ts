import { bootstrapMeans, percentile } from "./bootstrap.ts";
import { degreePrecision } from "./degrees.ts";
import { scoresAt } from "./metrics.ts";
import { runSystem, type SystemRun } from "./run_system.ts";
import {
  type Corpus,
  type Estimate,
  type EvaluationProgress,
  type EvaluationResult,
  type Metric,
  METRICS,
  type QuerySet,
  type Scores,
  type System,
  type SystemResult,
} from "./types.ts";
import { worstQueries } from "./worst.ts";

/** Options of {@linkcode evaluate}. */
export interface EvaluationOptions {
  /** Number of hits that count. */
  readonly k: number;
  /** Number of the worst queries to report. */
  readonly worst: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EvaluationProgress) => void;
}

/** The run of a system with the scores of each query. */
interface Measured extends SystemRun {
  readonly name: string;
  readonly indexSeconds: number | undefined;
  readonly scores: readonly Scores[];
}

/**
 * Runs every query on every system, one system after the other, and scores the rankings. Systems must have different names.
 * Throws the errors of indexing and searching, and the reason of `signal`.
 */
export async function evaluate(
  set: QuerySet,
  corpus: Corpus,
  systems: readonly System[],
  { k, worst, signal, onProgress = () => {} }: EvaluationOptions,
): Promise<EvaluationResult> {
  const stop = signal === undefined ? {} : { signal };
  const total = set.queries.length;
  const measured: Measured[] = [];
  for (const system of systems) {
    const { name, config } = system;
    const indexSeconds = await corpus.index(config, {
      ...stop,
      onProgress: (ingest) => onProgress({ step: "index", ingest }),
      onVectors: (vectors) => onProgress({ step: "vectors", ...vectors }),
    });
    const run = await runSystem(system, set, corpus, {
      ...stop,
      k,
      onQuery: (done) => onProgress({ step: "query", system: name, done, total }),
    });
    measured.push({ ...run, name, indexSeconds, scores: run.judged.map((judged) => scoresAt(judged, k)) });
  }
  const last = measured.at(-1);
  return {
    name: set.name,
    documents: corpus.documents,
    queries: total,
    k,
    systems: summaries(measured, k),
    worst: last === undefined ? [] : worstQueries(set.queries, last, corpus, worst),
    perQuery: set.queries.map(({ id, text }, at) => ({
      id,
      query: text,
      scores: Object.fromEntries(measured.map(({ name, scores }) => [name, scores[at]!])),
    })),
  };
}

function summaries(measured: readonly Measured[], k: number): SystemResult[] {
  const columns = measured.map(({ scores }) => METRICS.map((metric) => scores.map((each) => each[metric])));
  const differences = columns.slice(1).map((own) =>
    own.map((column, metric) => column.map((value, at) => value - columns[0]![metric]![at]!))
  );
  const estimates = bootstrapMeans([...columns, ...differences].flat());
  const estimatesOf = (row: number) =>
    Object.fromEntries(
      METRICS.map((metric, at) => [metric, estimates[row * METRICS.length + at]!]),
    ) as Record<Metric, Estimate>;
  return measured.map(({ name, judged, degrees, milliseconds, notices, indexSeconds }, at) => ({
    name,
    scores: estimatesOf(at),
    ...(at === 0 ? {} : { difference: estimatesOf(measured.length + at - 1) }),
    byDepth: meansByDepth(judged, k),
    degrees: degreePrecision(degrees),
    milliseconds: spread(milliseconds),
    ...(indexSeconds === undefined ? {} : { indexSeconds }),
    notices,
  }));
}

function meansByDepth(judged: SystemRun["judged"], k: number): Record<Metric, number[]> {
  const depths = Array.from({ length: k }, (_, at) => judged.map((each) => scoresAt(each, at + 1)));
  return Object.fromEntries(
    METRICS.map((metric) => [metric, depths.map((scores) => mean(scores.map((each) => each[metric])))]),
  ) as Record<Metric, number[]>;
}

function spread(milliseconds: readonly number[]): SystemResult["milliseconds"] {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return { mean: mean(sorted), p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
