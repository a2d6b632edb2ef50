/** A trace in characters: a line for each stage with its times and a bar, and the ranks of the hits in each stage. */
import type { Candidate } from "#foundation/span.ts";
import { type Language, message, type MessageKey, MESSAGES, printable } from "#foundation/messages/mod.ts";
import type { SpanRecord, TraceRecord } from "#traces/mod.ts";
import { columnTable } from "../output.ts";
import { formatDuration } from "../progress.ts";
import { cutStartToWidth, cutToWidth, displayWidth, type Style } from "../terminal_text.ts";

/** How a trace is drawn. */
interface Drawn {
  readonly language: Language;
  readonly style: Style;
  /** Columns of the terminal. */
  readonly columns: number;
}

/** More stages with the same name in one stage, such as files, are summed up but for the slowest. */
const MOST_ALIKE = 12, SLOWEST = 10;

/** Stages inside each other that are drawn. */
const DEEPEST = 12;

/** Least and most columns of the bars, and columns from which a line has room for facts. */
const LEAST_BAR = 8, MOST_BAR = 40, WIDE = 72;

/** Columns from which a line has room for the time of a stage itself. */
const NARROW = 48;

/** Hits whose ranks are shown. */
const RANKED = 10;

/** A line of the waterfall. */
interface Line {
  readonly label: string;
  readonly from: number;
  readonly ms: number;
  /** Milliseconds in which no stage inside it ran. */
  readonly own: number;
  readonly notes: string;
  readonly state: "well" | "fallback" | "failed";
}

/** The stages of a trace, each below the one that it is in. */
export function waterfall(record: TraceRecord, { language, style, columns }: Drawn): string {
  const lines = linesOf(record, language);
  const labels = lines.map(({ label }) => label);
  const times = lines.map(({ ms }) => formatMs(ms));
  const isNarrow = columns < NARROW;
  const selves = lines.map(({ own, ms }) => isNarrow || own >= ms ? "" : formatMs(own));
  const timeTitle = message(language, "trace_column_time");
  const selfTitle = isNarrow ? "" : message(language, "trace_column_self");
  const label = Math.min(Math.max(...labels.map(displayWidth)), Math.max(16, Math.floor(columns / 3)));
  const time = Math.max(...[timeTitle, ...times].map(displayWidth));
  const own = Math.max(...[selfTitle, ...selves].map(displayWidth));
  const left = columns - label - time - own - 6;
  const bar = Math.max(LEAST_BAR, Math.min(MOST_BAR, columns < WIDE ? left : Math.floor(left / 2)));
  const notes = columns < WIDE ? 0 : left - bar - 2;
  const start = (text: string, width: number) => " ".repeat(Math.max(0, width - displayWidth(text))) + text;
  const end = (text: string, width: number) => text + " ".repeat(Math.max(0, width - displayWidth(text)));
  const head = `${end("", label)}  ${start(timeTitle, time)}  ${start(selfTitle, own)}`;
  const body = lines.map(({ from, ms, own: spent, notes: said, state }, i) => {
    const drawn = barOf({ from, ms, own: spent, total: record.ms }, bar);
    const paint = state === "failed" ? style.red : state === "fallback" ? style.yellow : style.dim;
    const text = notes > 0 && said !== "" ? `  ${paint(cutToWidth(said, notes))}` : "";
    const name = end(cutToWidth(labels[i]!, label), label);
    const cells = `${name}  ${start(times[i]!, time)}  ${start(selves[i]!, own)}`;
    return `${cells}  ${text === "" ? drawn.trimEnd() : drawn}${text}\n`;
  });
  return `${style.dim(head)}\n${body.join("")}`;
}

/** A bar at its place, at least one column wide: full for the time of the stage itself, light for that of the stages in it. */
function barOf(
  { from, ms, own, total }: {
    readonly from: number;
    readonly ms: number;
    readonly own: number;
    readonly total: number;
  },
  columns: number,
): string {
  const scale = total > 0 ? columns / total : 0;
  const at = Math.min(columns - 1, Math.max(0, Math.floor(from * scale)));
  const length = Math.max(1, Math.min(columns - at, Math.round(ms * scale)));
  const full = ms > 0 ? Math.min(length, Math.max(own > 0 ? 1 : 0, Math.round(length * own / ms))) : length;
  return `${" ".repeat(at)}${"█".repeat(full)}${"░".repeat(length - full)}`.padEnd(columns);
}

function linesOf(record: TraceRecord, language: Language): Line[] {
  const inside = Map.groupBy(record.spans, ({ parent }) => parent ?? "");
  const lines: Line[] = [];
  const add = (parent: string, depth: number) => {
    const alike = Map.groupBy(inside.get(parent) ?? [], ({ stage }) => stage);
    for (const span of (inside.get(parent) ?? []).toSorted((a, b) => a.from - b.from)) {
      const same = alike.get(span.stage)!;
      const shown = same.length <= MOST_ALIKE ? same : slowestOf(same);
      if (shown.includes(span)) {
        lines.push(lineOf(span, inside.get(span.id) ?? [], depth, language));
        if (depth < DEEPEST) add(span.id, depth + 1);
      }
      // The sum stands behind the last one.
      if (shown.length < same.length && span === same.at(-1)) {
        lines.push(sumOf(same.filter((one) => !shown.includes(one)), depth, language));
      }
    }
  };
  add("", 0);
  return lines;
}

function slowestOf(spans: readonly SpanRecord[]): readonly SpanRecord[] {
  return spans.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
}

function sumOf(spans: readonly SpanRecord[], depth: number, language: Language): Line {
  const from = spans.reduce((least, span) => Math.min(least, span.from), Infinity);
  const to = spans.reduce((most, span) => Math.max(most, span.from + span.ms), 0);
  const ms = spans.reduce((sum, span) => sum + span.ms, 0);
  const count = message(language, "trace_more", { count: spans.length, time: formatMs(ms) });
  const failed = spans.some(({ error }) => error !== undefined);
  return {
    label: `${"  ".repeat(depth)}…`,
    from,
    ms: to - from,
    own: to - from,
    notes: count,
    state: failed ? "failed" : "well",
  };
}

function lineOf(span: SpanRecord, inside: readonly SpanRecord[], depth: number, language: Language): Line {
  const { from, ms, facts, error } = span;
  return {
    label: `${"  ".repeat(depth)}${stageName(span.stage, language)}`,
    from,
    ms,
    own: Math.max(0, ms - together(inside)),
    notes: notesOf(span, language),
    state: error !== undefined ? "failed" : facts.fallback !== undefined ? "fallback" : "well",
  };
}

/** Returns the name of a stage in the user's language; the name in the file for a stage of a newer program. */
function stageName(stage: string, language: Language): string {
  const key = `trace_stage_${stage}`;
  return Object.hasOwn(MESSAGES, key) ? message(language, key as MessageKey) : printable(stage);
}

/** Milliseconds in which at least one of the stages ran. */
function together(spans: readonly SpanRecord[]): number {
  let sum = 0, until = 0;
  for (const { from, ms } of spans.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, from + ms - Math.max(until, from));
    until = Math.max(until, from + ms);
  }
  return sum;
}

/** Returns errors, fallbacks, path, method, provider and counts of a stage. */
function notesOf({ facts, texts, error }: SpanRecord, language: Language): string {
  const { method, provider, counts, fallback, reason } = facts;
  const said = (value: unknown) => value === undefined ? [] : [printable(String(value))];
  const path = typeof texts?.path === "string" ? [printable(texts.path)] : [];
  const counted = typeof counts === "object" && counts !== null
    ? Object.entries(counts).filter(([, value]) => value !== 0)
      .map(([name, value]) => `${printable(name)} ${printable(String(value))}`)
    : [];
  const away = fallback === undefined && reason === undefined
    ? []
    : [`→ ${[...said(fallback), ...said(reason)].join(": ")}`];
  const failure = error === undefined ? [] : [`✗ ${printable(error)}`];
  return [...failure, ...away, ...path, ...said(method), ...said(provider), ...counted]
    .join(message(language, "list_comma"));
}

/** The hits with their ranks in each list of the last run; empty for a trace without candidates. */
export function ranksText(record: TraceRecord, { language, style, columns }: Drawn): string {
  const last = record.spans.findLastIndex(({ stage }) => stage === "query_processing");
  const lists = record.spans.slice(last + 1).flatMap(({ stage, facts }) => {
    const candidates = candidatesOf(facts.candidates);
    return candidates.length === 0 ? [] : [{ stage, candidates }];
  });
  const final = lists.at(-1);
  if (final === undefined || lists.length < 2) return "";
  const names = lists.map(({ stage }) => stageName(stage, language));
  const used = names.reduce((sum, name) => sum + displayWidth(name) + 2, 4);
  const width = Math.max(16, columns - used);
  const rows = final.candidates.slice(0, RANKED).map(({ chunk, path }) => [
    cutStartToWidth(printable(path ?? chunk), width),
    ...lists.map(({ candidates }) => String(candidates.find((one) => one.chunk === chunk)?.rank ?? "–")),
  ]);
  const title = style.bold(message(language, "trace_ranks"));
  return `${title}\n${columnTable([["", ...names], ...rows], style)}`;
}

/** The candidates of a file that anyone may have changed. */
function candidatesOf(value: unknown): Candidate[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Candidate =>
    typeof one === "object" && one !== null && typeof one.chunk === "string" &&
    typeof one.rank === "number" &&
    (one.path === undefined || typeof one.path === "string")
  );
}

/** Returns a time as text: in milliseconds, from 1000 on in seconds or larger units. */
export function formatMs(ms: number): string {
  if (ms >= 1000) return formatDuration(ms / 1000);
  return `${ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}
