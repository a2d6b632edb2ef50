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
import { displayWidth, type Style } from "../terminal_text.ts";
import { formatDuration } from "../progress.ts";
import { printableMessage } from "../say.ts";

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
  const indexed = systems.map(({ name, indexSeconds }, at) => {
    if (indexSeconds === undefined || indexSeconds === systems[at - 1]?.indexSeconds) return "";
    const seconds = formatDuration(indexSeconds);
    return `  ${
      style.dim(printableMessage(language, "cli_eval_index_seconds", { system: name, seconds }))
    }\n`;
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
  return `${table([header, ...rows], style)}  ${style.dim(message(language, "cli_eval_interval"))}\n`;
}

function differenceTable({ systems, k }: EvaluationResult, language: Language, style: Style): string {
  const [first, ...others] = systems;
  if (first === undefined || others.length === 0) return "";
  const header = [
    printableMessage(language, "cli_eval_less", { name: first.name }),
    ...METRICS.map((metric) => metricName(metric, k)),
    message(language, "cli_eval_median"),
  ];
  const rows = others.map(({ name, difference, milliseconds: { p50 } }) => [
    printable(name),
    ...METRICS.map((metric) => {
      const estimate = difference![metric];
      return estimateText(estimate, signed) + (estimate.low > 0 || estimate.high < 0 ? "*" : " ");
    }),
    // The median, since a few slow queries on a busy machine change the mean.
    signedMilliseconds(p50 - first.milliseconds.p50),
  ]);
  const legend = style.dim(message(language, "cli_eval_significant"));
  return `\n${table([header, ...rows], style)}  ${legend}\n`;
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
  return `\n${table([header, ...rows], style)}`;
}

function estimateText({ mean, low, high }: Estimate, format: (value: number) => string): string {
  return `${format(mean)} [${format(low)}, ${format(high)}]`;
}

/** A figure from 0 to 1 with three decimals: `.384`, `1.000`. */
function figure(value: number): string {
  return value.toFixed(3).replace(/^0/, "");
}

function signed(value: number): string {
  const text = figure(Math.abs(value));
  return text === ".000" ? " .000" : `${value < 0 ? "-" : "+"}${text}`;
}

function milliseconds(value: number): string {
  return value < 100 ? value.toFixed(2) : value.toFixed(0);
}

function signedMilliseconds(value: number): string {
  return `${value < 0 ? "-" : "+"}${milliseconds(Math.abs(value))}`;
}

/** Aligned columns: the first to the left, the others to the right. The first row is the header. */
function table(rows: readonly (readonly string[])[], style: Style): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column]!))));
  return rows.map((row, at) => {
    const cells = row.map((cell, column) => {
      const space = " ".repeat(widths[column]! - displayWidth(cell));
      return column === 0 ? cell + space : space + cell;
    });
    const line = cells.join("  ").trimEnd();
    return `  ${at === 0 ? style.dim(line) : line}\n`;
  }).join("");
}

function worstText(worst: readonly WorstQuery[], name: string, language: Language, style: Style): string {
  const labels = [message(language, "cli_eval_expected"), message(language, "cli_eval_found")];
  const width = Math.max(...labels.map(displayWidth));
  const line = (at: number, values: readonly string[]) => {
    const label = labels[at]!;
    const text = values.map(printable).join(" · ") || message(language, "cli_eval_found_nothing");
    return `         ${style.dim(label + " ".repeat(width - displayWidth(label)))}  ${text}\n`;
  };
  const queries = worst.map(({ query, scores, expected, found }) =>
    `  ${figure(scores.ndcg).padStart(5)}  ${printable(query.replace(/\s+/g, " "))}\n${line(0, expected)}${
      line(1, found)
    }`
  );
  return `\n${style.bold(printableMessage(language, "cli_eval_worst", { name }))}\n${queries.join("")}`;
}

/** The message for a `--min` that was not reached. */
export function shortfallText(
  { collection, system, metric, at, value, reached }: Shortfall,
  language: Language,
): string {
  return printableMessage(language, "cli_eval_shortfall", {
    collection,
    system,
    metric: metricName(metric, at),
    value,
    reached: floored(reached, value),
  });
}

/** `reached` with enough digits to show that it is below `value`. */
function floored(reached: number, value: number): string {
  for (let digits = 3; digits < 16; digits++) {
    const text = reached.toFixed(digits);
    if (Number(text) < value) return text;
  }
  return String(reached);
}
