/** The commands `trace list` and `trace show`: traces of searches and ingestions from the log folder. They change nothing. */
import { UsageError, UserError } from "#foundation/errors.ts";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import { readTrace, type ReadTraces, readTraces, type TraceRecord, type TraceSummary } from "#traces/mod.ts";
import { EXIT } from "../context.ts";
import { formatTime } from "../progress.ts";
import type { Session } from "../request.ts";
import { note, printJson, warn } from "../say.ts";
import { cutToWidth, displayWidth, type Style, styleFor } from "../terminal_text.ts";
import { formatMs, ranksText, waterfall } from "./waterfall.ts";

/** Traces that are listed unless `--limit` says how many. */
const LIMIT = 20;

/** Digits of an id that are shown, enough to find it again. */
const ID_DIGITS = 12;

/** Columns where there is no terminal. */
const COLUMNS = 100;

/** `trace list`: the last traces, the newest first. */
export async function traceList(session: Session): Promise<number> {
  const { io, flags, language } = session;
  const dir = logFolder(session);
  const { kind, limit = LIMIT, failed } = flags;
  const found = await readTraces(dir, { kind, limit, failed });
  if (flags.json) {
    await printJson(session, { dir, torn: found.torn, traces: found.records });
    return EXIT.done;
  }
  if (found.torn > 0) warn(session, "traces_torn", { count: found.torn, path: dir });
  const isFiltered = kind !== undefined || failed;
  if (found.records.length === 0) {
    note(session, isFiltered ? "traces_no_match" : "traces_none", { path: dir });
  } else await io.out(listText(found, language, styleFor(io, "stdout"), io.terminal.columns ?? COLUMNS));
  return EXIT.done;
}

/** `trace show ID`: the stages of a trace, or of the newest one. */
export async function traceShow(session: Session): Promise<number> {
  const { io, flags, language, operands: [id] } = session;
  const dir = logFolder(session);
  const record = await traceWith(dir, id);
  if (flags.json) {
    await printJson(session, record);
    return EXIT.done;
  }
  const [style, columns] = [styleFor(io, "stdout"), io.terminal.columns ?? COLUMNS];
  const drawn = { language, style, columns };
  const ranks = ranksText(record, drawn);
  const parts = [
    headText(record, language, style),
    waterfall(record, drawn),
    ...(ranks === "" ? [] : [ranks]),
  ];
  await io.out(parts.join("\n"));
  return EXIT.done;
}

function logFolder({ config }: Session): string {
  const { dir } = config.log;
  if (dir === null) throw new UserError("log_no_folder");
  return dir;
}

async function traceWith(dir: string, id: string | undefined): Promise<TraceRecord> {
  const newest = id ?? (await readTraces(dir, { limit: 1 })).records[0]?.id;
  if (newest === undefined) throw new UserError("traces_none", { path: dir });
  const record = await readTrace(dir, newest);
  if (record === undefined) throw new UsageError("trace_unknown", { id: newest });
  return record;
}

/** A line for each trace. What was asked, or what came of it, takes the rest of the width. */
function listText({ records }: ReadTraces, language: Language, style: Style, columns: number): string {
  const head = ["id", "started", "time", "stages", "kind"] as const;
  const rows = [
    head.map((name) => message(language, `trace_column_${name}`)),
    ...records.map((record) => [
      record.id.slice(0, ID_DIGITS),
      formatTime(new Date(record.started)),
      formatMs(record.ms),
      String(record.stages),
      message(language, `trace_kind_${record.kind}`),
    ]),
  ];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column]!))));
  return rows.map((row, at) => {
    const cells = row.map((cell, column) => {
      const space = " ".repeat(widths[column]! - displayWidth(cell));
      return column === 2 || column === 3 ? space + cell : cell + space;
    }).join("  ");
    if (at === 0) return `${style.dim(cells.trimEnd())}\n`;
    const record = records[at - 1]!;
    const rest = cutToWidth(resultText(record, language), Math.max(10, columns - displayWidth(cells) - 2));
    return `${`${cells}  ${record.error === undefined ? rest : style.red(rest)}`.trimEnd()}\n`;
  }).join("");
}

/** The question or the folder where it is known, else the counts, after the name of the person who asked; the key of an error. */
function resultText({ error, texts, facts }: TraceSummary, language: Language): string {
  if (error !== undefined) return printable(error);
  const said = texts?.question ?? texts?.root ?? texts?.path;
  const text = typeof said === "string" ? printable(said) : countsText(facts.counts, language);
  const { principal } = facts;
  return typeof principal === "string" ? `${printable(principal)}: ${text}` : text;
}

function countsText(counts: unknown, language: Language): string {
  if (typeof counts !== "object" || counts === null) return "";
  const parts = Object.entries(counts).filter(([, value]) => value !== 0)
    .map(([name, value]) => `${printable(name)} ${printable(String(value))}`);
  return parts.join(message(language, "list_comma"));
}

/** The lines above the stages. */
function headText(record: TraceRecord, language: Language, style: Style): string {
  const { id, kind, started, ms, program, pid, facts: { principal }, texts, error, dropped } = record;
  const title = message(language, "trace_title", {
    kind: message(language, `trace_kind_${kind}`),
    id,
    started: formatTime(new Date(started)),
    time: formatMs(ms),
  });
  const lines = [style.bold(title)];
  const said = texts?.question ?? texts?.root ?? texts?.path;
  if (typeof said === "string") lines.push(printable(said));
  if (error !== undefined) {
    lines.push(style.red(printable(typeof texts?.error === "string" ? texts.error : error)));
  }
  if (typeof principal === "string") {
    lines.push(message(language, "trace_principal", { name: printable(principal) }));
  }
  lines.push(
    style.dim(message(language, "trace_process", { program: printable(program), pid: String(pid) })),
  );
  if (dropped !== undefined) lines.push(style.yellow(message(language, "trace_dropped", { count: dropped })));
  return `${lines.join("\n")}\n`;
}
