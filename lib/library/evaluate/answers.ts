/**
 * The answers of an evaluation: the passages that they were made of, the verdicts of a judge, and the figures that follow from them.
 */
import { basename, extname } from "node:path";
import { UserError } from "#foundation/errors.ts";
import type { Library } from "#library/search/mod.ts";
import {
  ANSWER_METRICS,
  answerCorrectness,
  type AnswerMetric,
  answerRelevancy,
  contextPrecision,
  contextRecall,
  faithfulness,
  type StatementCounts,
} from "./answer_metrics.ts";
import { bootstrapMeans } from "./evaluate.ts";
import { type AnsweredQuestion, type AnswerSet, type Estimate, METRICS } from "./types.ts";

/** A question whose passages are known. */
export type Sample = Omit<AnsweredQuestion, "chunkIds">;

/** The values of a sample by metric; null for one that could not be computed. A metric whose fields the sample lacks is absent. */
export type Values = Readonly<Record<string, number | null>>;

/** Measures samples. */
export interface AnswerJudge {
  /** For tables, and to name it in a run that is kept. */
  readonly name: string;
  /** Returns the values of each sample, in their order. `onDone` is called with the number of samples that are done. */
  measure(
    samples: readonly Sample[],
    options: { readonly signal?: AbortSignal | undefined; readonly onDone?: (done: number) => void },
  ): Promise<readonly Values[]>;
}

/** Verdicts from which the metrics are computed. A method returns `undefined` where it has none: the value is then null. */
export interface Verdicts {
  /** Whether passages support each statement of an answer (`faithfulness`) or of its reference (`recall`). */
  supported(
    text: string,
    passages: readonly string[],
    question: string,
    kind: "faithfulness" | "recall",
  ): Verdict<boolean[]>;
  /** Whether each passage helps to give this answer. */
  useful(answer: string, passages: readonly string[], question: string): Verdict<boolean[]>;
  relevancy(
    question: string,
    answer: string,
  ): Verdict<readonly { readonly similarity: number; readonly isNoncommittal: boolean }[]>;
  compare(answer: string, reference: string, question: string): Verdict<StatementCounts>;
  /** The similarity of two texts. */
  similarity(answer: string, reference: string): Verdict<number>;
}

type Verdict<Value> = Value | undefined | Promise<Value | undefined>;

/** Returns the values of a sample, by the formulas of `answer_metrics.ts`. */
export async function valuesOf(sample: Sample, verdicts: Verdicts): Promise<Values> {
  const { question, answer, reference, passages } = sample;
  const values: Record<string, number | null> = {};
  const set = (metric: AnswerMetric, value: number | undefined) => {
    values[metric] = value === undefined || Number.isNaN(value) ? null : value;
  };
  const of = <From>(from: From | undefined, formula: (from: From) => number) => from && formula(from);
  if (answer !== undefined && passages !== undefined) {
    set(
      "faithfulness",
      of(await verdicts.supported(answer, passages, question, "faithfulness"), faithfulness),
    );
  }
  if (answer !== undefined) {
    set("answer_relevancy", of(await verdicts.relevancy(question, answer), answerRelevancy));
  }
  const right = reference ?? answer;
  if (right !== undefined && passages !== undefined) {
    set("context_precision", of(await verdicts.useful(right, passages, question), contextPrecision));
  }
  if (reference !== undefined && passages !== undefined) {
    set(
      "context_recall",
      of(await verdicts.supported(reference, passages, question, "recall"), contextRecall),
    );
  }
  if (answer !== undefined && reference !== undefined) {
    const similarity = await verdicts.similarity(answer, reference);
    const counts = await verdicts.compare(answer, reference, question);
    set("answer_correctness", of(counts, (counts) => answerCorrectness(counts, similarity ?? NaN)));
  }
  return values;
}

/** A metric over all questions. */
export interface AnswerFigure {
  /** Mean of the values that exist; null if none does. */
  readonly estimate: Estimate | null;
  /** Questions that have the fields of the metric. */
  readonly questions: number;
  /** Questions of these whose value could not be computed. They are not part of the mean. */
  readonly missing: number;
}

/** The figures of one judge. */
export interface JudgeResult {
  readonly name: string;
  /** By metric, in the order in which they are shown. */
  readonly figures: Readonly<Record<string, AnswerFigure>>;
}

export interface AnswerResult {
  readonly name: string;
  readonly questions: number;
  readonly judges: readonly JudgeResult[];
  readonly perQuestion: readonly {
    readonly id: string;
    readonly question: string;
    /** By judge. */
    readonly values: Readonly<Record<string, Values>>;
  }[];
}

/** Measures the answers of a set with each judge. `samples`: its questions with their passages. Throws what a judge throws. */
export async function evaluateAnswers(
  name: string,
  samples: readonly Sample[],
  judges: readonly AnswerJudge[],
  { signal, onProgress = () => {} }: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (judge: string, done: number, total: number) => void;
  } = {},
): Promise<AnswerResult> {
  const measured: { readonly name: string; readonly values: readonly Values[] }[] = [];
  for (const judge of judges) {
    const onDone = (done: number) => onProgress(judge.name, done, samples.length);
    measured.push({ name: judge.name, values: await judge.measure(samples, { signal, onDone }) });
  }
  return {
    name,
    questions: samples.length,
    judges: measured.map(({ name, values }) => ({ name, figures: figuresOf(values) })),
    perQuestion: samples.map(({ id, question }, i) => ({
      id,
      question,
      values: Object.fromEntries(measured.map(({ name, values }) => [name, values[i]!])),
    })),
  };
}

function figuresOf(values: readonly Values[]): Record<string, AnswerFigure> {
  const others = values.flatMap((each) => Object.keys(each));
  const metrics = new Set([...ANSWER_METRICS, ...others]);
  const figures: Record<string, AnswerFigure> = {};
  for (const metric of metrics) {
    const column = values.flatMap((each) => Object.hasOwn(each, metric) ? [each[metric]!] : []);
    if (column.length === 0) continue;
    const numbers = column.filter((value) => value !== null);
    figures[metric] = {
      estimate: numbers.length === 0 ? null : bootstrapMeans([numbers])[0]!,
      questions: column.length,
      missing: column.length - numbers.length,
    };
  }
  return figures;
}

/** The least mean of a metric of answers. */
export interface AnswerThreshold {
  readonly metric: string;
  readonly value: number;
}

/**
 * Parses `METRIC=VALUE`, such as `faithfulness=0.8`; `undefined` if the metric is none of answers, or the value is not valid. `isAny`: an
 * evaluator has metrics of its own, so that every name is one that no search has.
 */
export function parseAnswerThreshold(text: string, isAny = false): AnswerThreshold | undefined {
  const [, name, number] = /^([\w .-]+)=(\d*\.?\d+|\d+\.)$/.exec(text.trim()) ?? [];
  const known = ANSWER_METRICS.find((each) => each === name?.toLowerCase());
  const isOther = isAny && METRICS.every((each) => each !== name?.toLowerCase());
  const metric = known ?? (isOther ? name : undefined);
  const value = Number(number);
  return metric === undefined || !(value <= 1) ? undefined : { metric, value };
}

/** A minimum that was not reached. */
export interface AnswerShortfall extends AnswerThreshold {
  /** Of the set. */
  readonly name: string;
  /** null for a figure that does not exist. */
  readonly reached: number | null;
}

/** Returns the thresholds that the last judge's figures do not reach. A figure that does not exist reaches none. */
export function answerShortfalls(
  thresholds: readonly AnswerThreshold[],
  { name, judges }: AnswerResult,
): AnswerShortfall[] {
  const figures = judges.at(-1)?.figures ?? {};
  return thresholds.flatMap(({ metric, value }) => {
    const reached = figures[metric]?.estimate?.mean ?? null;
    return reached !== null && reached >= value ? [] : [{ name, metric, value, reached }];
  });
}

/**
 * Returns the questions with their passages: their own, those of their chunks, or the first `k` hits of a search. Without a library, a
 * question may have none. Throws `UserError` `eval_chunk_unknown`, and what a search throws.
 */
export async function samplesOf(
  { name, questions }: AnswerSet,
  library: Pick<Library, "search" | "catalog"> | undefined,
  k: number,
  signal?: AbortSignal,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const { chunkIds, ...sample } of questions) {
    signal?.throwIfAborted();
    if (sample.passages !== undefined || library === undefined) samples.push(sample);
    else if (chunkIds !== undefined) {
      const catalog = await library.catalog();
      const passages: string[] = [];
      for (const chunk of chunkIds) {
        const { path, section, text } = await catalog.chunkContext(chunk, 0, 0, signal).catch((error) => {
          const isUnknown = error instanceof UserError && error.key === "chunk_not_found";
          throw isUnknown ? new UserError("eval_chunk_unknown", { name, id: sample.id, chunk }) : error;
        });
        passages.push(passageText(path, section, text));
      }
      samples.push({ ...sample, passages });
    } else {
      const { hits } = await library.search({ query: sample.question, topK: k }, signal);
      const passages = hits.map((hit) => passageText(hit.filePath, hit.section, hit.content));
      samples.push({ ...sample, passages });
    }
  }
  return samples;
}

/** A passage below a line that names its file and its headings: "It was opened in 2008" is about what the heading names. */
function passageText(path: string, section: readonly string[], text: string): string {
  return `${[basename(path, extname(path)).replaceAll("_", " "), ...section].join(" ")}\n${text}`;
}
