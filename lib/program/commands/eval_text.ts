/** The figures of the command `eval` about searches, as text: tables of the systems, the worst queries, minima that were not reached. */
import {
  DEGREES,
  type Estimate,
  type EvaluationResult,
  type Metric,
  METRICS,
  type Shortfall,
  type SystemResult,
  type WorstQuery,
} from "#library/evaluate/mod.ts";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import { columnTable, figure } from "../output.ts";
import { formatDuration } from "../progress.ts";
import { printableMessage } from "../say.ts";
import { displayWidth, type Style } from "../terminal_text.ts";

const METRIC_NAMES: Readonly<Record<Metric, string>> = {
  ndcg: "nDCG",
  recall: "Recall",
  mrr: "MRR",
  hit: "Hit",
};

/** A metric with its depth: `nDCG@10`. */
function metricName(metric: Metric, k: number): string {
  return `${METRIC_NAMES[metric]}@${k}`;
}

/** The result of an evaluation for the terminal: the systems, their differences to the first, the worst queries. */
export function evaluationText(result: EvaluationResult, language: Language, style: Style): string {
  const { name, documents, queries, systems, worst } = result;
  const title = printableMessage(language, "cli_eval_title", { name, documents, queries });
  const indexed = systems.map(({ name: system, indexSeconds }, at) => {
    if (indexSeconds === undefined || indexSeconds === systems[at - 1]?.indexSeconds) return "";
    const seconds = formatDuration(indexSeconds);
    return `  ${style.dim(printableMessage(language, "cli_eval_index_seconds", { system, seconds }))}\n`;
  });
  return [
    `${style.bold(title)}\n`,
    scoreTable(result, language, style),
    differenceTable(result, language, style),
    ...indexed,
    degreeTable(systems.at(-1), language, style),
    worst.length === 0 ? "" : worstText(worst, systems.at(-1)?.name ?? "", language, style),
  ].join("");
}

function scoreTable({ systems, k }: EvaluationResult, language: Language, style: Style): string {
  const header = [
    message(language, "cli_eval_system"),
    ...METRICS.map((metric) => metricName(metric, k)),
    message(language, "cli_eval_milliseconds"),
    "p50",
    "p95",
  ];
  const rows = systems.map(({ name, scores, milliseconds: { mean, p50, p95 } }) => [
    printable(name),
    ...METRICS.map((metric) => estimateText(scores[metric], figure)),
    ...[mean, p50, p95].map(milliseconds),
  ]);
  return `${columnTable([header, ...rows], style)}  ${style.dim(message(language, "cli_eval_interval"))}\n`;
}

function differenceTable({ systems, k }: EvaluationResult, language: Language, style: Style): string {
  const [first, ...others] = systems;
  if (first === undefined || others.length === 0) return "";
  const header = [
    printableMessage(language, "cli_eval_less", { name: first.name }),
    ...METRICS.map((metric) => metricName(metric, k)),
    message(language, "cli_eval_median"),
  ];
  const rows = others.map(({ name, difference, milliseconds: { p50 } }) => {
    // The median, since a few slow queries on a busy machine change the mean.
    const slower = p50 - first.milliseconds.p50;
    return [
      printable(name),
      ...METRICS.map((metric) => {
        const estimate = difference![metric];
        return estimateText(estimate, signed) + (estimate.low > 0 || estimate.high < 0 ? "*" : " ");
      }),
      `${slower < 0 ? "-" : "+"}${milliseconds(Math.abs(slower))}`,
    ];
  });
  const legend = style.dim(message(language, "cli_eval_significant"));
  return `\n${columnTable([header, ...rows], style)}  ${legend}\n`;
}

/** How many hits of each degree are right: of the last system, for each pair of languages. */
function degreeTable(system: SystemResult | undefined, language: Language, style: Style): string {
  if (system === undefined || system.degrees.length === 0) return "";
  const header = [
    printableMessage(language, "cli_eval_degrees", { name: system.name }),
    ...DEGREES.map((degree) => message(language, `cli_eval_${degree}`)),
  ];
  const rows = system.degrees.map(({ query, text, degrees }) => [
    `${query} → ${text}`,
    ...DEGREES.map((degree) => {
      const { hits, right } = degrees[degree];
      return hits === 0 ? "–" : `${right}/${hits} ${figure(right / hits)}`;
    }),
  ]);
  return `\n${columnTable([header, ...rows], style)}`;
}

function estimateText({ mean, low, high }: Estimate, format: (value: number) => string): string {
  return `${format(mean)} [${format(low)}, ${format(high)}]`;
}

function signed(value: number): string {
  const text = figure(Math.abs(value));
  return text === ".000" ? " .000" : `${value < 0 ? "-" : "+"}${text}`;
}

function milliseconds(value: number): string {
  return value < 100 ? value.toFixed(2) : value.toFixed(0);
}

function worstText(worst: readonly WorstQuery[], name: string, language: Language, style: Style): string {
  const labels = [message(language, "cli_eval_expected"), message(language, "cli_eval_found")];
  const width = Math.max(...labels.map(displayWidth));
  const line = (at: number, values: readonly string[]) => {
    const label = labels[at]!;
    const text = values.map(printable).join(" · ") || message(language, "cli_eval_found_nothing");
    return `         ${style.dim(label + " ".repeat(width - displayWidth(label)))}  ${text}\n`;
  };
  const queries = worst.map(({ query, scores, expected, found }) => {
    const title = `  ${figure(scores.ndcg).padStart(5)}  ${printable(query.replace(/\s+/g, " "))}\n`;
    return title + line(0, expected) + line(1, found);
  });
  return `\n${style.bold(printableMessage(language, "cli_eval_worst", { name }))}\n${queries.join("")}`;
}

/** The message for a `--min` that was not reached. */
export function shortfallText({ at, ...shortfall }: Shortfall, language: Language): string {
  const { collection, system, value } = shortfall;
  const [metric, reached] = [metricName(shortfall.metric, at), floored(shortfall.reached, value)];
  return printableMessage(language, "cli_eval_shortfall", { collection, system, metric, value, reached });
}

/** `reached` with enough digits to show that it is below `value`. */
function floored(reached: number, value: number): string {
  for (let digits = 3; digits < 16; digits++) {
    const text = reached.toFixed(digits);
    if (Number(text) < value) return text;
  }
  return String(reached);
}
