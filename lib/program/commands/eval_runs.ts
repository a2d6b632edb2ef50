/** Runs of the command `eval`: they are kept in the folder that was asked, listed by `eval history`, and compared by `--baseline`. */
import {
  type AnswerResult,
  compareRuns,
  type EvaluationResult,
  keepRun,
  keptRuns,
  namedRun,
  readRun,
  type Run,
  type RunComparison,
  type RunDifference,
  runOf,
} from "#library/evaluate/mod.ts";
import { openStore, RUN_LIMITS } from "#library/store/mod.ts";
import { readNamed } from "#foundation/boundary/mod.ts";
import { reasonOf, UsageError } from "#foundation/errors.ts";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import { abortable, EXIT } from "../context.ts";
import { baselineFile } from "../options.ts";
import { columnTable, figure } from "../output.ts";
import type { Session } from "../request.ts";
import { printableMessage, printJson, warn } from "../say.ts";
import { oneRoot } from "../targets.ts";
import { type Style, styleFor } from "../terminal_text.ts";
import { metricText } from "./eval_answers.ts";

/** Returns the run that `--baseline` names; `undefined` without it. Throws `UsageError`, and what {@linkcode namedRun} throws. */
export async function baselineOf(session: Session, sets: readonly string[]): Promise<Run | undefined> {
  const { flags: { baseline, dir }, operands, named, signal } = session;
  if (baseline === undefined) return undefined;
  if (baselineFile(baseline) !== undefined) {
    const path = named[operands.length]!;
    const bytes = await abortable(readNamed(path, RUN_LIMITS.bytes), signal).catch((error) => {
      signal.throwIfAborted();
      throw new UsageError("eval_unreadable", { path, reason: reasonOf(error) }, { cause: error });
    });
    return readRun(new TextDecoder().decode(bytes), path);
  }
  if (dir.length === 0) throw new UsageError("cli_eval_baseline_needs_dir");
  return await namedRun(openStore(session.config, oneRoot(session), session), baseline, sets);
}

/** The outcome of a run. */
interface EndedRun {
  /** Its name, if it was kept. */
  readonly id: string | undefined;
  readonly comparison: RunComparison | undefined;
}

/** Keeps the run of these results in the folder that was asked, and compares it with an earlier one. */
export async function endRun(
  session: Session,
  results: { readonly search: readonly EvaluationResult[]; readonly answers: readonly AnswerResult[] },
  baseline: Run | undefined,
): Promise<EndedRun> {
  const { flags, config, version } = session;
  const run = runOf(results, { version, config, time: new Date() });
  let id: string | undefined;
  if (flags.dir.length > 0) {
    id = await keepRun(openStore(config, oneRoot(session), session), run);
    if (id === undefined) warn(session, "cli_eval_run_too_large", { limit: RUN_LIMITS.bytes / 1_000_000 });
  }
  return { id, comparison: baseline && compareRuns(run, baseline) };
}

/** The comparison for the terminal: settings that differ, and a table of the metrics. */
export function comparisonText(
  { run, differences, settings }: RunComparison,
  language: Language,
  style: Style,
): string {
  const title = style.bold(printableMessage(language, "cli_eval_compared", { run }));
  const changed = settings.map(({ name, before = "–", now = "–" }) =>
    `  ${style.dim(printable(`${name}: ${before} → ${now}`))}\n`
  );
  const header = [
    message(language, "cli_eval_metric"),
    message(language, "cli_eval_before"),
    message(language, "cli_eval_now"),
    message(language, "cli_eval_difference"),
    message(language, "cli_eval_questions"),
    message(language, "cli_eval_lost"),
  ];
  const rows = differences.map(({ set, system, metric, before, now, difference, questions, lost }) => [
    `${printable(set)} ${printable(system)} ${shownMetric(metric, language)}`,
    figure(before),
    figure(now),
    differenceText(difference),
    String(questions),
    String(lost),
  ]);
  const legend = style.dim(message(language, "cli_eval_significant"));
  return `${title}\n${changed.join("")}${columnTable([header, ...rows], style)}  ${legend}\n`;
}

function differenceText({ mean, low, high }: RunDifference["difference"]): string {
  const signed = (value: number) =>
    Math.abs(value) < 0.0005 ? " .000" : `${value < 0 ? "-" : "+"}${figure(Math.abs(value))}`;
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]${low > 0 || high < 0 ? "*" : " "}`;
}

/** `ndcg@10` as it is; a metric of answers by its name in this language. */
function shownMetric(metric: string, language: Language): string {
  return metric.includes("@") ? printable(metric) : metricText(metric, language);
}

/** The message for a metric that is worse than before. */
export function worseText(
  { set, system, metric, difference }: RunDifference,
  run: string,
  language: Language,
) {
  return printableMessage(language, "cli_eval_worse", {
    name: set,
    system,
    metric: shownMetric(metric, language),
    difference: figure(-difference.mean),
    run,
  });
}

/** `eval history`: lists the runs that are kept in a folder, the oldest first, with the figures of the last system of each set. */
export async function history(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const runs = await keptRuns(openStore(session.config, oneRoot(session), session));
  const listed = runs.map(({ id, version, settings, results }) => ({
    run: id,
    version,
    settings,
    results: results.map(({ kind, set, system, means, questions }) => ({
      kind,
      set,
      system,
      questions: questions.length,
      means,
    })),
  }));
  if (flags.json) {
    await printJson(session, { runs: listed }, message(language, "cli_done"));
    return EXIT.done;
  }
  if (runs.length === 0) {
    await io.out(`${message(language, "cli_eval_no_runs")}\n`);
    return EXIT.done;
  }
  const style = styleFor(io, "stdout");
  const lines = listed.flatMap(({ run, version, results }) => [
    `${style.bold(run)}  ${style.dim(printable(version))}\n`,
    ...results.filter(({ kind, set }, i) => {
      const next = results[i + 1];
      return next === undefined || next.kind !== kind || next.set !== set;
    }).map(({ set, system, means, questions }) => {
      const figures = Object.entries(means).map(([metric, mean]) =>
        `${shownMetric(metric, language)} ${mean === null ? "–" : figure(mean)}`
      );
      return `  ${printable(set)} (${questions})  ${printable(system)}  ${figures.join(" · ")}\n`;
    }),
  ]);
  await io.out(lines.join(""));
  return EXIT.done;
}
