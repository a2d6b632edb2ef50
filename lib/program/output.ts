/**
 * Tables and lines that several commands print: the summary of a run, the status of a folder,
 * failed files, and advice for each state of an index.
 */
import { emptyPagesText, isMissed, kindText } from "#library/corpus/mod.ts";
import type { FileFailure, FolderStatus, IngestSummary, NotRead } from "#library/ingest/types.ts";
import type { NeuralShare } from "#library/ingest/mod.ts";
import type { FacetCounts } from "#library/search/mod.ts";
import {
  type Language,
  message,
  type MessageKey,
  printable,
  suggestedCommand,
} from "#foundation/messages/mod.ts";
import { displayWidth, type Style } from "./terminal_text.ts";
import { formatBytes, formatDuration, formatTime, recognisedText } from "./progress.ts";
import { printableMessage, rejectedText } from "./say.ts";
import type { TaskStatus } from "./generated_texts.ts";

/** Number of failed files that are listed with their reasons. In a summary, more are summed up by kind. */
const FAILURES_SHOWN = 5;
/** Number of kinds of files, and of documents with pages without text, that a summary lists. */
const KINDS_SHOWN = 5;

/** One line of a {@linkcode table}. */
export type Row = readonly [label: MessageKey, value: string];

/** Two aligned columns. */
export function table(rows: readonly Row[], language: Language): string {
  const labels = rows.map(([label]) => message(language, label));
  const width = Math.max(...labels.map(displayWidth));
  return rows.map(([, value], at) => {
    const label = labels[at] ?? "";
    return `  ${label}${" ".repeat(width - displayWidth(label))}  ${value}\n`;
  }).join("");
}

/** A figure from 0 to 1 with three decimals: `.384`, `1.000`. */
export function figure(value: number): string {
  return value.toFixed(3).replace(/^0/, "");
}

/** Aligned columns: the first to the left, the others to the right. The first row is the header. */
export function columnTable(rows: readonly (readonly string[])[], style: Style): string {
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

/** The number of skipped files by kind. Kinds that a reader may miss are named with their format. */
export function skippedText(
  { skipped = {}, unread = [] }: Partial<Pick<NotRead, "skipped" | "unread">>,
  language: Language,
): string {
  const missed = unread.filter(({ reason }) => reason in skipped);
  const kinds = [
    ...missed,
    ...Object.entries(skipped).map(([reason, count]) => ({ reason, count }))
      .filter(({ reason, count }) => count > 0 && missed.every((kind) => kind.reason !== reason)),
  ].sort((a, b) => b.count - a.count);
  const total = kinds.reduce((sum, { count }) => sum + count, 0);
  const parts = kinds.map((kind) => kindText(kind, language));
  return total === 0 ? "0" : `${total} (${parts.join(message(language, "list_comma"))})`;
}

/** One line for each failed file, with its path and reason. Some reasons begin with the path, which is then written once. */
export function failuresText(failed: readonly FileFailure[], style: Style): string {
  return failed.map(({ path, reason }) => {
    const text = reason.startsWith(path) ? reason : `${path}: ${reason}`;
    return `  ${style.red("✗")} ${printable(text)}\n`;
  }).join("");
}

/** A few lines about the files that were not read: failed files or their kinds, scans, documents with pages without text. */
function notReadText(
  { root, failed, unread = [], emptyPages = [] }: Pick<IngestSummary, "root" | keyof NotRead>,
  language: Language,
  style: Style,
): string {
  const few = failed.length <= FAILURES_SHOWN;
  const kinds = unread.filter(({ reason }) => !few || isMissed(reason));
  const separator = message(language, "list_comma");
  const mark = `  ${style.yellow("!")}`;
  const lines = [
    ...kinds.slice(0, KINDS_SHOWN).map((kind) => {
      const more = kind.count > kind.paths.length ? " …" : "";
      return `${mark} ${kindText(kind, language)}: ${kind.paths.map(printable).join(separator)}${more}\n`;
    }),
    ...emptyPages.slice(0, KINDS_SHOWN).map(({ path, emptyPages, pages }) =>
      `${mark} ${printable(path)}: ${emptyPagesText(emptyPages, pages, language)}\n`
    ),
  ];
  const more = Math.max(0, kinds.length - KINDS_SHOWN) + Math.max(0, emptyPages.length - KINDS_SHOWN);
  if (more > 0) lines.push(`  … ${message(language, "cli_and_more", { count: more })}\n`);
  const all = printableMessage(language, "cli_see_files", {
    command: suggestedCommand("status --files", [root]),
  });
  return `${few ? failuresText(failed, style) : ""}${lines.join("")}${lines.length > 0 ? `  ${all}\n` : ""}`;
}

/** The summary that is printed after an indexing run. */
export function summaryText(summary: IngestSummary, language: Language, style: Style): string {
  const { root, written, rebuildReason: reason } = summary;
  const title = printableMessage(language, written ? "cli_summary_title" : "cli_summary_up_to_date", {
    root,
  });
  const rebuilt = reason === undefined
    ? ""
    : `  ${style.yellow(printableMessage(language, "cli_rebuilt", { reason }))}\n`;
  const failedCount = String(summary.failed.length);
  const rows: Row[] = [
    ["cli_new", String(summary.new)],
    ["cli_changed", String(summary.changed)],
    ["cli_renamed", String(summary.renamed)],
    ["cli_removed", String(summary.removed)],
    ["cli_unchanged", String(summary.unchanged)],
    ["cli_skipped", skippedText(summary, language)],
    ["cli_failed", summary.failed.length > 0 ? style.red(failedCount) : failedCount],
    ["cli_files", String(summary.files)],
    ["cli_chunks", String(summary.chunks)],
    ...recognitionRows(summary, language),
    ["cli_bytes_read", formatBytes(summary.bytesRead)],
    ["cli_index_size", formatBytes(summary.indexBytes)],
    ["cli_time", formatDuration(summary.seconds)],
  ];
  const nothing = summary.files === 0 ? `  ${style.yellow(message(language, "cli_nothing_indexed"))}\n` : "";
  const notRead = notReadText(summary, language, style);
  return `${style.bold(title)}\n${rebuilt}${table(rows, language)}${nothing}${notRead}`;
}

/** How much text was recognised in scans; no row if none was. */
function recognitionRows({ recognition }: Pick<FolderStatus, "recognition">, language: Language): Row[] {
  if (recognition === undefined) return [];
  return [["cli_recognised", recognisedText(recognition, language)]];
}

/** The status of a folder; `unusable` where it could not be determined. */
export type ShownStatus =
  & Omit<FolderStatus, "state" | "busy">
  & {
    readonly state: FolderStatus["state"] | "unusable";
    /** Name of the collection of the configuration that the folder is. */
    readonly collection?: string;
    readonly busy?: boolean;
    /** The vectors of local models; absent where none are used. */
    readonly neural?: NeuralShare;
    /** The progress of the tasks of language models; absent without tasks. */
    readonly generated?: readonly TaskStatus[];
    /** Counts of the documents; present where they were asked for. */
    readonly facets?: readonly FacetCounts[];
  };

/** Lines of `status` about one folder. */
export function statusText(status: ShownStatus, language: Language, style: Style): string {
  const colour = status.state === "ready" ? style.green : style.yellow;
  const rows: Row[] = [["cli_state", colour(message(language, `cli_state_${status.state}`))]];
  const add = (label: MessageKey, value: string | undefined) => {
    if (value !== undefined) rows.push([label, value]);
  };
  add("cli_detail", status.detail && printable(status.detail));
  for (const lacking of status.lacking ?? []) add("cli_detail", printable(lacking));
  // A ready index with a problem was made with other settings.
  const isOther = status.state === "ready" && status.detail !== undefined;
  add("cli_todo", indexTodo(status.root, isOther ? "other settings" : status.state, language));
  if (status.busy) add("cli_busy", message(language, "cli_yes"));
  add("cli_store", status.store && printable(status.store));
  add("cli_indexed_at", status.indexedAt && formatTime(status.indexedAt));
  add("cli_files", status.files?.toString());
  add("cli_chunks", status.chunks?.toString());
  add("cli_terms", status.terms?.toString());
  add("cli_vectors", status.model && `${printable(status.model)} (${status.dimensions})`);
  add("cli_neural", status.neural && neuralText(status.neural));
  for (const task of status.generated ?? []) add("cli_language_model", taskText(task, language));
  rows.push(...recognitionRows(status, language));
  add("cli_text_size", status.textBytes === undefined ? undefined : formatBytes(status.textBytes));
  add("cli_index_size", status.indexBytes === undefined ? undefined : formatBytes(status.indexBytes));
  add("cli_skipped", status.skipped && skippedText(status, language));
  add("cli_stale", status.stale && staleText(status.stale, language));
  if (status.filesElsewhere) add("cli_verify_folder", message(language, "cli_files_elsewhere"));
  add("cli_failed", status.failed?.length.toString());
  const title = folderTitle(status.root, status.collection, language);
  return `${style.bold(title)}\n${table(rows, language)}${firstFailuresText(status, language, style)}`;
}

/** The first failed files with their reasons, and how to list all of them. */
function firstFailuresText(
  { root, failed = [] }: Pick<ShownStatus, "root" | "failed">,
  language: Language,
  style: Style,
): string {
  const shown = failuresText(failed.slice(0, FAILURES_SHOWN), style);
  if (failed.length <= FAILURES_SHOWN) return shown;
  const more = message(language, "cli_and_more", { count: failed.length - FAILURES_SHOWN });
  const all = printableMessage(language, "cli_see_files", {
    command: suggestedCommand("status --files --failed", [root]),
  });
  return `${shown}  … ${more}\n  ${all}\n`;
}

/** The path of a folder, with the name of its collection if it is one. */
export function folderTitle(root: string, collection: string | undefined, language: Language): string {
  return collection === undefined
    ? printable(root)
    : printableMessage(language, "cli_folder_of_collection", { root, name: collection });
}

function neuralText({ names, done, total }: NeuralShare): string {
  const percent = total === 0 ? 100 : Math.floor(100 * done / total);
  return `${printable(names.join(", "))}: ${done}/${total} (${percent} %)`;
}

function taskText(status: TaskStatus, language: Language): string {
  const { task, host, model, consent, total = 0, done = 0, works, rejected } = status;
  const percent = total === 0 ? 100 : Math.floor(100 * done / total);
  const state = works === undefined
    ? `${task} ${done}/${total} (${percent} %)`
    : message(language, "llm_on_request", { task });
  const share = `${state}${rejectedText(rejected, language)}, ${printable(model)}, ${printable(host)}`;
  return consent ? share : `${share}${message(language, "llm_no_consent")}`;
}

function staleText(stale: NonNullable<FolderStatus["stale"]>, language: Language): string {
  return stale.new + stale.changed + stale.removed === 0
    ? message(language, "cli_stale_none")
    : message(language, "cli_stale_some", stale);
}

/** Advice for each state of an index, by the names that `status`, `verify` and `doctor` give the states. */
const TODO = {
  behind: "cli_todo_update",
  moved: "cli_todo_update",
  missing: "cli_todo_build",
  damaged: "cli_todo_rebuild",
  outdated: "cli_todo_rebuild",
  foreign: "cli_todo_rebuild",
  differs: "cli_todo_full",
  "other settings": "cli_todo_settings",
} as const satisfies Readonly<Record<string, MessageKey>>;

/** Says what to do about the index of `root` in a state; `undefined` where a command does not help or is not needed. */
export function indexTodo(root: string, state: string, language: Language): string | undefined {
  if (!Object.hasOwn(TODO, state)) return undefined;
  const isFull = state === "differs" || state === "other settings";
  const command = suggestedCommand(isFull ? "--full" : "", [root]);
  return printableMessage(language, TODO[state as keyof typeof TODO], { command });
}
