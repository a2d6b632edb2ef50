/** The part of the command `eval` that measures answers: with each judge, a table of its figures, and the answers that are worst. */
import { basename } from "node:path";
import {
  type AnswerJudge,
  type AnswerResult,
  type AnswerSet,
  type AnswerShortfall,
  evaluateAnswers,
  externalJudge,
  type JudgeResult,
  modelJudge,
  OFFLINE,
  offlineJudge,
  samplesOf,
  type Values,
} from "#library/evaluate/mod.ts";
import type { Generator } from "#library/generate/mod.ts";
import { UserError } from "#foundation/errors.ts";
import { openLibrary } from "#library/search/mod.ts";
import { type Language, message, type MessageKey, MESSAGES, printable } from "#foundation/messages/mod.ts";
import { columnTable, figure } from "../output.ts";
import { showProgress } from "../progress.ts";
import type { Session } from "../request.ts";
import { errorText, printableMessage, warn } from "../say.ts";
import { commandWords } from "../options.ts";
import { cutToWidth, type Style, styleFor } from "../terminal_text.ts";

const DEFAULT_WORST = 10;

/** Measures the answers of a set. `root`: the folder that is searched for passages. Returns the figures, and the text that shows them. */
export async function answerEvaluation(
  session: Session,
  set: AnswerSet,
  { root, k }: { readonly root: string | undefined; readonly k: number },
): Promise<{ readonly result: AnswerResult; readonly text: string }> {
  const { io, flags, language, signal } = session;
  const samples = await samplesFrom(session, set, root, k);
  const model = await judgingModel(session, root);
  const judges = [
    offlineJudge(),
    ...(model === undefined ? [] : [modelJudge(model.generator)]),
    ...evaluatorOf(session),
  ];
  using progress = await showProgress<{ judge: string; done: number; total: number }>(session, {
    line: ({ judge: step, done, total }, columns) =>
      cutToWidth(printableMessage(language, "cli_eval_bar", { name: set.name, step, done, total }), columns),
    step: ({ judge, total }) =>
      printableMessage(language, "cli_eval_step_answers", { name: set.name, judge, total }),
  });
  const onProgress = (judge: string, done: number, total: number) => progress.update({ judge, done, total });
  const result = await evaluateAnswers(set.name, samples, judges, { signal, onProgress });
  model?.tellFailures();
  return {
    result,
    text: answersText(result, flags.worst ?? DEFAULT_WORST, language, styleFor(io, "stdout")),
  };
}

/** A language model that judges, and what it did not answer. */
export interface ModelAtWork {
  readonly generator: Generator;
  /** Warns of the requests that failed. */
  readonly tellFailures: () => void;
}

/** Returns the language model whose tasks have `judge`; `undefined` without one, and, with a warning, where it must not be asked. */
export async function judgingModel(
  session: Session,
  root: string | undefined,
): Promise<ModelAtWork | undefined> {
  if (!session.config.llm.tasks.includes("judge")) return undefined;
  if (root === undefined) {
    warn(session, "cli_eval_judge_needs_dir");
    return undefined;
  }
  const models = await session.languageModels();
  if (models === undefined || await models.forTask("judge", [root]) === undefined) return undefined;
  const first = new Map<string, UserError>();
  const generator = await models.generator(root, "llm", (failure) => {
    if (failure instanceof UserError && !first.has(failure.key)) first.set(failure.key, failure);
  });
  return generator && {
    generator,
    tellFailures: () => {
      for (const [key, count] of generator.failures) {
        const problem = errorText(
          first.get(key) ?? new UserError(key as MessageKey),
          session.language,
          false,
        );
        warn(session, "cli_eval_judge_failed", { name: generator.model.id, count, problem });
      }
    },
  };
}

/** The program of `--evaluator`. It is named by its file: arguments may be secret. */
function evaluatorOf(session: Session): AnswerJudge[] {
  const { flags: { evaluator }, io: { openEvaluator: open } } = session;
  if (evaluator === undefined || open === undefined) return [];
  const [program = "", ...args] = commandWords(evaluator);
  const name = basename(args.find((word) => /^[^-].*\.\w{1,4}$/.test(word)) ?? program);
  const onProblems = (count: number, problem: string) =>
    warn(session, "cli_eval_evaluator_problem", { name, count, problem });
  return [externalJudge(name, { open, onProblems })];
}

/** The questions with their passages, of which those of a search are the ones that an assistant would get. */
async function samplesFrom(session: Session, set: AnswerSet, root: string | undefined, k: number) {
  if (root === undefined) return await samplesOf(set, undefined, k, session.signal);
  const { config, indexKey: key, indexDirs, ownPlaces, signal } = session;
  const library = openLibrary([root], config, { key, indexDirs, ownPlaces, models: await session.models() });
  try {
    return await samplesOf(set, library, k, signal);
  } finally {
    library.close();
  }
}

/** The result for the terminal: a table for each judge, and the answers with the lowest values of the last one. */
function answersText(result: AnswerResult, worst: number, language: Language, style: Style): string {
  const { name, questions, judges } = result;
  const title = style.bold(printableMessage(language, "cli_eval_answers_title", { name, questions }));
  return `${title}\n${judges.map((judge) => judgeTable(judge, language, style)).join("\n")}` +
    worstText(result, worst, language, style);
}

function judgeTable({ name, figures }: JudgeResult, language: Language, style: Style): string {
  const rows = Object.entries(figures).map(([metric, { estimate, questions, missing }]) => [
    metricText(metric, language),
    estimate === null ? "–" : `${figure(estimate.mean)} [${figure(estimate.low)}, ${figure(estimate.high)}]`,
    String(questions),
    String(missing),
  ]);
  const header =
    (["cli_eval_metric", "cli_eval_mean", "cli_eval_questions", "cli_eval_without_value"] as const)
      .map((key) => message(language, key));
  const notes = [
    name === OFFLINE ? message(language, "cli_eval_answers_offline") : printable(name),
    message(language, "cli_eval_interval"),
    ...(Object.values(figures).some(({ missing }) => missing > 0)
      ? [message(language, "cli_eval_no_value")]
      : []),
  ];
  return columnTable([header, ...rows], style) + notes.map((note) => `  ${style.dim(note)}\n`).join("");
}

/** The name of a metric; one of an external evaluator has the name that it gave. */
export function metricText(metric: string, language: Language): string {
  const key = `cli_eval_${metric}`;
  return Object.hasOwn(MESSAGES, key) ? message(language, key as MessageKey) : printable(metric);
}

function worstText(
  { perQuestion, judges }: AnswerResult,
  worst: number,
  language: Language,
  style: Style,
): string {
  const judge = judges.at(-1)?.name ?? "";
  const scored = perQuestion.map(({ question, values }) => ({
    question,
    values: values[judge]!,
    mean: meanOf(values[judge]!),
  }));
  const shown = scored.filter(({ mean }) => mean < 1).toSorted((a, b) => a.mean - b.mean).slice(0, worst);
  if (shown.length === 0) return "";
  const lines = shown.map(({ question, values, mean }) => {
    const parts = Object.entries(values).map(([metric, value]) =>
      `${metricText(metric, language)} ${value === null ? "–" : figure(value)}`
    );
    return `  ${figure(mean).padStart(5)}  ${printable(question.replace(/\s+/g, " "))}\n` +
      `         ${style.dim(parts.join(" · "))}\n`;
  });
  return `\n${style.bold(message(language, "cli_eval_worst_answers"))}\n${lines.join("")}`;
}

/** The mean of the values of a question that exist; 1 without any. */
function meanOf(values: Values): number {
  const numbers = Object.values(values).filter((value) => value !== null);
  return numbers.length === 0 ? 1 : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

/** The message for a `--min` of answers that was not reached. */
export function answerShortfallText({ reached, ...shortfall }: AnswerShortfall, language: Language): string {
  return printableMessage(language, "cli_eval_answers_shortfall", {
    ...shortfall,
    reached: reached === null ? "–" : figure(reached),
  });
}
