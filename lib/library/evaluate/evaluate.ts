/** Runs systems on questions and compares them: means with intervals, and the questions that are worst. */
import { degreePrecision, type HitSpan, isRight, judge, type Judged, scoresAt } from "./metrics.ts";
import {
  type Corpus,
  type DegreeOfHit,
  type Estimate,
  type EvaluationProgress,
  type EvaluationResult,
  type JudgedQuery,
  type Metric,
  METRICS,
  type PerQuery,
  type QuerySet,
  type Scores,
  type System,
  type SystemResult,
  type Target,
  type WorstQuery,
} from "./types.ts";
import type { Config } from "#foundation/configuration/mod.ts";
import { type Library, type LibraryOptions, openLibrary, type OtherLocation } from "#library/search/mod.ts";

/** Options of {@linkcode evaluate}. */
interface EvaluationOptions {
  /** Number of hits that count. */
  readonly k: number;
  /** Number of the worst queries to report. */
  readonly worst: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EvaluationProgress) => void;
  /** Traces the first {@linkcode MOST_TRACED} queries of each system. Default: none is traced. */
  readonly traces?: LibraryOptions["traces"];
}

/** A trace takes 5 to 10 KB in the log folder, where those of the user's searches should stay. */
const MOST_TRACED = 200;

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
  { k, worst, signal, onProgress = () => {}, traces }: EvaluationOptions,
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
      traces,
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
      ...tracesOf(measured, at),
    })),
  };
}

function tracesOf(measured: readonly Measured[], at: number): Pick<PerQuery, "traces"> {
  const traces = measured.flatMap(({ name, traced }) => traced[at] === undefined ? [] : [[name, traced[at]]]);
  return traces.length === 0 ? {} : { traces: Object.fromEntries(traces) };
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

/** Queries that are run before the time is measured, so that the index is loaded and the code compiled. */
const WARM_UP = 50;

/** The maximum of `search.max_chars`, so that no hit is left out for the length of its text. */
const MAX_CHARS = 1_000_000;

/** Distinct notices that are kept. There can be one for each query, for example if its phrase is not found. */
const MAX_NOTICES = 5;

/** Results of one system, in the order of the queries. */
interface SystemRun {
  readonly rankings: readonly (readonly HitSpan[])[];
  readonly judged: readonly Judged[];
  /** All hits with their degrees. */
  readonly degrees: readonly DegreeOfHit[];
  /** Wall-clock milliseconds of each query that is not blank. */
  readonly milliseconds: readonly number[];
  readonly notices: readonly string[];
  /** The ids of the queries' traces. */
  readonly traced: readonly (string | undefined)[];
}

/** Runs all queries on a system whose index exists. Throws the errors of {@linkcode Library.search}. */
export async function runSystem(
  { config, mode }: System,
  { unit, queries }: QuerySet,
  corpus: Corpus,
  { k, signal, onQuery, traces }: Pick<EvaluationOptions, "k" | "signal" | "traces"> & {
    readonly onQuery: (done: number) => void;
  },
): Promise<SystemRun> {
  const traced: (string | undefined)[] = [];
  let isMeasured = false;
  const library = openLibrary([corpus.root], forRanking(corpus.rules(config), unit), {
    key: corpus.key,
    indexDirs: corpus.indexDirs,
    models: await corpus.models(config),
    traces: async () => isMeasured && traced.length < MOST_TRACED ? await traces?.() : undefined,
  });
  const ask = async (library: Library, query: string) =>
    await library.search({ query, topK: k, ...(mode === undefined ? {} : { mode }) }, signal);
  const spanOf = ({ filePath, startLine, endLine, page }: OtherLocation): HitSpan => {
    return { document: corpus.documentOf(filePath), first: startLine, last: endLine, page };
  };
  const rankings: HitSpan[][] = [];
  const degrees: DegreeOfHit[] = [];
  const milliseconds: number[] = [];
  const notices = new Set<string>();
  try {
    // The search refuses a blank query, so it finds nothing.
    const askable = queries.filter(({ text }) => text.trim() !== "");
    for (const { text } of askable.slice(0, WARM_UP)) await ask(library, text);
    isMeasured = true;
    for (const [at, { text, targets }] of queries.entries()) {
      signal?.throwIfAborted();
      const ranking: HitSpan[] = [];
      let trace: string | undefined;
      if (text.trim() !== "") {
        const began = performance.now();
        const answer = await ask(library, text);
        milliseconds.push(performance.now() - began);
        trace = answer.trace;
        for (const hit of answer.hits) {
          const { section, also = [], content, degree } = hit;
          // Parts of other files with the same text have the same headings.
          const span = { ...spanOf(hit), section, also: also.map((part) => ({ ...spanOf(part), section })) };
          ranking.push(span);
          degrees.push({ query: text, text: content, degree, right: isRight(span, targets) });
        }
        for (const notice of answer.notices) if (notices.size < MAX_NOTICES) notices.add(notice);
      }
      rankings.push(ranking);
      traced.push(trace);
      onQuery(at + 1);
    }
  } finally {
    library.close();
  }
  const judged = queries.map(({ targets }, at) => judge(rankings[at]!, targets));
  return { rankings, judged, degrees, milliseconds, notices: [...notices], traced };
}

function forRanking(config: Config, unit: QuerySet["unit"]): Config {
  const search = { ...config.search, "max_chars": MAX_CHARS };
  return { ...config, search: unit === "file" ? { ...search, "per_doc_limit": 1 } : search };
}

const RESAMPLES = 1000;
const SEED = 1;

/**
 * Returns the mean of each column with its 95 % interval by the percentile bootstrap (Efron 1979): 1000 samples of as many
 * rows as there are, drawn with replacement. A row is one query, and all columns share the draws; a column of differences
 * between two systems therefore gives the paired test. The seed is fixed, so the same columns give the same intervals. All
 * columns must have the same length, at least 1.
 */
export function bootstrapMeans(columns: readonly (readonly number[])[]): Estimate[] {
  const size = columns[0]?.length ?? 0;
  const means = columns.map(() => new Float64Array(RESAMPLES));
  const rows = new Uint32Array(size);
  const random = mulberry32(SEED);
  for (let sample = 0; sample < RESAMPLES; sample++) {
    for (let row = 0; row < size; row++) rows[row] = Math.floor(random() * size);
    for (const [at, column] of columns.entries()) {
      let sum = 0;
      for (let row = 0; row < size; row++) sum += column[rows[row]!]!;
      means[at]![sample] = sum / size;
    }
  }
  return columns.map((column, at) => {
    const sorted = means[at]!.sort();
    return {
      mean: column.reduce((sum, value) => sum + value, 0) / size,
      low: percentile(sorted, 0.025),
      high: percentile(sorted, 0.975),
    };
  });
}

/** Returns a generator of numbers in [0, 1) that depend only on the seed (Tommy Ettinger's mulberry32, public domain). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the nearest-rank percentile of values in ascending order, or 0 if there are none. `share` is between 0 and 1. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Most hits and targets that are named for one query. */
const NAMED = 3;

/** Returns the `count` queries with the lowest nDCG below 1, lowest first. */
export function worstQueries(
  queries: readonly JudgedQuery[],
  run: { readonly scores: readonly Scores[]; readonly rankings: readonly (readonly HitSpan[])[] },
  corpus: Pick<Corpus, "labelOf">,
  count: number,
): WorstQuery[] {
  const worst = queries.keys().filter((at) => run.scores[at]!.ndcg < 1).toArray()
    .sort((a, b) => run.scores[a]!.ndcg - run.scores[b]!.ndcg || a - b)
    .slice(0, count);
  return worst.map((at) => {
    const { id, text, targets } = queries[at]!;
    const inLines = targets.some(({ lines }) => lines !== undefined);
    return {
      id,
      query: text,
      scores: run.scores[at]!,
      expected: targets.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain).slice(0, NAMED)
        .map((target) => targetLabel(target, corpus)),
      found: run.rankings[at]!.slice(0, NAMED).map(({ document, first, last }) =>
        inLines ? `${corpus.labelOf(document)}:${first}-${last}` : corpus.labelOf(document)
      ),
    };
  });
}

function targetLabel(
  { document, lines, pages, section }: Target,
  corpus: Pick<Corpus, "labelOf">,
): string {
  return [
    `${corpus.labelOf(document)}${lines === undefined ? "" : `:${lines.first}-${lines.last}`}`,
    ...(pages === undefined ? [] : [`p. ${pages.first}`]),
    ...(section === undefined ? [] : [`› ${section}`]),
  ].join(" ");
}
