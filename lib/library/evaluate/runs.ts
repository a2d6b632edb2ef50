/**
 * Runs of evaluations that are kept: what was measured, by which version and settings, with the values of each question; and how a run
 * differs from an earlier one.
 */
import * as z from "zod";
import type { Config } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { present } from "#foundation/present.ts";
import { RUN_LIMITS, type Store } from "#library/store/mod.ts";
import type { AnswerResult, Values } from "./answers.ts";
import { bootstrapMeans } from "./evaluate.ts";
import { type Estimate, type EvaluationResult, METRICS } from "./types.ts";

const NAME = z.string().max(1000);
const TRACE = z.string().regex(/^[0-9a-f]{32}$/);
const MEANS = z.record(NAME, z.number().nullable());

/** A run as it is kept. It has no text of an answer or a passage, no path, and no secret. */
const RUN = z.object({
  format: z.literal(1),
  /** Its time, and its name in the history. */
  id: z.string().regex(/^\d{4}[0-9A-Za-z-]{1,60}$/),
  /** Of the program. */
  version: NAME,
  /** Settings that may change the figures, by their names in the configuration. */
  settings: z.record(NAME, z.unknown()),
  results: z.array(z.object({
    kind: z.enum(["search", "answers"]),
    /** Name of the file of questions, and of the system or judge. */
    set: NAME,
    system: NAME,
    means: MEANS,
    /** The values of each question by metric, and the id of its trace, which may be gone. */
    questions: z.array(z.object({ question: z.string(), values: MEANS, trace: TRACE.optional() })),
  })),
}).readonly();

export type Run = z.infer<typeof RUN>;
type RunResult = Run["results"][number];

/** Returns a run to keep. `time`: of its end. */
export function runOf(
  { search, answers }: {
    readonly search: readonly EvaluationResult[];
    readonly answers: readonly AnswerResult[];
  },
  { version, config, time }: { readonly version: string; readonly config: Config; readonly time: Date },
): Run {
  const id = time.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
  const ofSearch = search.flatMap(({ name, k, systems, perQuery }) =>
    systems.map(({ name: system, scores }): RunResult => ({
      kind: "search",
      set: name,
      system,
      means: Object.fromEntries(METRICS.map((metric) => [`${metric}@${k}`, scores[metric].mean])),
      questions: perQuery.map(({ query, scores, traces }) => ({
        question: query,
        values: Object.fromEntries(METRICS.map((metric) => [`${metric}@${k}`, scores[system]![metric]])),
        ...present({ trace: traces?.[system] }),
      })),
    }))
  );
  const ofAnswers = answers.flatMap(({ name, judges, perQuestion }) =>
    judges.map(({ name: system, figures }): RunResult => ({
      kind: "answers",
      set: name,
      system,
      means: Object.fromEntries(
        Object.entries(figures).map(([metric, { estimate }]) => [metric, estimate?.mean ?? null]),
      ),
      questions: perQuestion.map(({ question, values }) => ({ question, values: { ...values[system]! } })),
    }))
  );
  return { format: 1, id, version, settings: settingsOf(config), results: [...ofSearch, ...ofAnswers] };
}

/** The settings that decide what is found. Addresses and keys of servers are left out. */
function settingsOf({ search, chunking, embedding, rerank }: Config): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  const sections = {
    search,
    chunking,
    embedding: { provider: embedding.provider, model: embedding.model, dimensions: embedding.dimensions },
    ...(search.rerank ? { rerank: { provider: rerank.provider, model: rerank.model } } : {}),
  };
  for (const [section, values] of Object.entries(sections)) {
    for (const [key, value] of Object.entries(values)) settings[`${section}.${key}`] = value;
  }
  return settings;
}

/** Keeps a run; one of the same second gets another name. Returns its name, `undefined` if it is too large. */
export async function keepRun(store: Pick<Store, "evaluations">, run: Run): Promise<string | undefined> {
  const taken = new Set(await store.evaluations.names());
  let id = run.id;
  for (let i = 2; taken.has(id); i++) id = `${run.id}-${i}`;
  return await store.evaluations.set(id, JSON.stringify({ ...run, id })) ? id : undefined;
}

/** Returns the runs that are kept and can be read, the oldest first. */
export async function keptRuns(store: Pick<Store, "evaluations">): Promise<Run[]> {
  const runs: Run[] = [];
  for (const name of await store.evaluations.names()) {
    const run = parsed(await store.evaluations.get(name));
    if (run !== undefined) runs.push({ ...run, id: name });
  }
  return runs;
}

/** Stands for the newest run of the same questions. */
const LAST_RUN = "last";
/** Most names in a message. */
const NAMED = 5;

/**
 * Returns the run of a name, or the newest one that has a set in common with `sets`. Throws `UserError` `eval_run_unknown` and
 * `eval_run_none`.
 */
export async function namedRun(
  store: Pick<Store, "evaluations">,
  name: string,
  sets: readonly string[],
): Promise<Run> {
  if (name !== LAST_RUN) {
    const run = parsed(await store.evaluations.get(name));
    if (run !== undefined) return { ...run, id: name };
    const names = (await store.evaluations.names()).slice(-NAMED);
    throw new UserError("eval_run_unknown", { name, runs: [...names, LAST_RUN].join(", ") });
  }
  for (const each of (await store.evaluations.names()).reverse()) {
    const run = parsed(await store.evaluations.get(each));
    if (run?.results.some(({ set }) => sets.includes(set))) return { ...run, id: each };
  }
  throw new UserError("eval_run_none", { data: sets.join(", ") });
}

/** Returns the run in the text of a file that was copied. Throws `UserError` `eval_run_unreadable`. */
export function readRun(text: string, path: string): Run {
  const run = text.length > RUN_LIMITS.bytes ? undefined : parsed(text);
  if (run === undefined) throw new UserError("eval_run_unreadable", { path });
  return run;
}

function parsed(text: string | undefined): Run | undefined {
  try {
    return text === undefined ? undefined : RUN.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A metric of a system in a run and in an earlier one. */
export interface RunDifference {
  readonly set: string;
  readonly system: string;
  readonly metric: string;
  /** Means over the questions that have a value in both. */
  readonly before: number;
  readonly now: number;
  /** Mean of the differences, question by question. */
  readonly difference: Estimate;
  /** Number of questions that have a value in both. */
  readonly questions: number;
  /** Number of questions whose value can no longer be computed. */
  readonly lost: number;
  /** Whether all of the interval is below 0. */
  readonly isWorse: boolean;
}

export interface RunComparison {
  /** Name of the earlier run. */
  readonly run: string;
  readonly differences: readonly RunDifference[];
  /** Settings that differ, with their values as JSON; `undefined` for one that a run does not have. */
  readonly settings: readonly { readonly name: string; readonly before?: string; readonly now?: string }[];
}

/** Compares a run with an earlier one, question by question. Throws `UserError` `eval_run_unlike` if they have nothing in common. */
export function compareRuns(now: Run, before: Run): RunComparison {
  const differences = now.results.flatMap((result) => {
    const other = resultLike(result, before);
    return other === undefined ? [] : differencesOf(result, other);
  });
  if (differences.length === 0) throw new UserError("eval_run_unlike", { run: before.id });
  const names = [...new Set([...Object.keys(before.settings), ...Object.keys(now.settings)])].sort();
  const settings = names.flatMap((name) => {
    const [was, is] = [before, now].map(({ settings }) => JSON.stringify(settings[name]));
    if (was === is) return [];
    return [{
      name,
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { now: is }),
    }];
  });
  return { run: before.id, differences, settings };
}

/** How a question of the search went in a run and in an earlier one. */
export interface RankChange {
  readonly set: string;
  readonly system: string;
  readonly question: string;
  /** Rank of the first right hit, counted from 1. Absent where none of the hits that count was right. */
  readonly before?: number;
  readonly now?: number;
  /** By how much its nDCG is higher than before. */
  readonly difference: number;
  /** Ids of its traces, which may be gone. */
  readonly traceBefore?: string;
  readonly traceNow?: string;
}

/** Returns the questions of the search that are in both runs, those that became worst first. */
export function rankChanges(now: Run, before: Run): RankChange[] {
  const changes = now.results.flatMap((result): RankChange[] => {
    const other = resultLike(result, before);
    const metrics = Object.keys(result.means);
    const [mrr, ndcg] = ["mrr@", "ndcg@"].map((start) => metrics.find((metric) => metric.startsWith(start)));
    if (result.kind !== "search" || other === undefined || mrr === undefined || ndcg === undefined) return [];
    return pairsOf(result, other).flatMap(({ question, was, is, ...traces }) => {
      const [from, to] = [was[ndcg], is[ndcg]];
      if (typeof from !== "number" || typeof to !== "number") return [];
      const { set, system } = result;
      const ranks = { before: rankOf(was[mrr]), now: rankOf(is[mrr]) };
      return [present({ set, system, question, ...ranks, difference: to - from, ...traces })];
    });
  });
  return changes.sort((a, b) => a.difference - b.difference);
}

/** The rank of which this is the reciprocal. */
function rankOf(reciprocal: number | null | undefined): number | undefined {
  return reciprocal ? Math.round(1 / reciprocal) : undefined;
}

/** The result of the same system about the same questions in another run. */
function resultLike({ kind, set, system }: RunResult, run: Run): RunResult | undefined {
  return run.results.find((other) => other.kind === kind && other.set === set && other.system === system);
}

/** A question with its values in an earlier run and in this one. */
interface Pair {
  readonly question: string;
  readonly was: Values;
  readonly is: Values;
  readonly traceBefore: string | undefined;
  readonly traceNow: string | undefined;
}

function pairsOf(now: RunResult, before: RunResult): Pair[] {
  // The numbers of lines change with the file, so the text of a question names it.
  const earlier = Map.groupBy(before.questions, ({ question }) => question);
  return now.questions.flatMap(({ question, values, trace }) => {
    const was = earlier.get(question)?.shift();
    if (was === undefined) return [];
    return [{ question, was: was.values, is: values, traceBefore: was.trace, traceNow: trace }];
  });
}

function differencesOf(now: RunResult, before: RunResult): RunDifference[] {
  const pairs = pairsOf(now, before);
  return Object.keys(now.means).flatMap((metric) => {
    const had = pairs.filter(({ was }) => typeof was[metric] === "number");
    const both = had.filter(({ is }) => typeof is[metric] === "number");
    if (both.length === 0) return [];
    const column = (of: "was" | "is") => both.map((pair) => pair[of][metric]!);
    const [was, is] = [column("was"), column("is")];
    const estimates = bootstrapMeans([was, is, is.map((value, i) => value - was[i]!)]);
    return {
      set: now.set,
      system: now.system,
      metric,
      before: estimates[0]!.mean,
      now: estimates[1]!.mean,
      difference: estimates[2]!,
      questions: both.length,
      lost: had.length - both.length,
      isWorse: estimates[2]!.high < 0,
    };
  });
}
