import type { FileFailure, FolderStatus, IngestSummary, SkipReason } from "../ingest/types.ts";
import { message, printable, printableText } from "../messages.ts";
import type { Language, MessageKey } from "../messages.ts";
import type { SearchAnswer } from "../search/types.ts";
import { displayWidth } from "./display_width.ts";
import { formatBytes, formatDuration, formatTime } from "./format.ts";
import { say } from "./say.ts";
import type { Style } from "./style.ts";

/** How many failed files a summary names. */
const FAILURES_SHOWN = 20;

/** In the order they are shown. */
const SKIP_REASONS: readonly SkipReason[] = [
  "ignored",
  "excluded",
  "hidden",
  "own",
  "link",
  "link_outside",
  "archive",
  "image",
  "audio",
  "video",
  "encoded",
  "minified",
  "lock_file",
  "source_map",
  "number_table",
  "binary_type",
  "binary_content",
  "too_large",
  "empty",
  "special",
];

/** One line of a {@linkcode table}. */
export type Row = readonly [label: MessageKey, value: string];

/** Two columns, the second aligned. */
export function table(rows: readonly Row[], language: Language): string {
  const labels = rows.map(([label]) => message(language, label));
  const width = Math.max(...labels.map(displayWidth));
  return rows.map(([, value], at) => {
    const label = labels[at] ?? "";
    return `  ${label}${" ".repeat(width - displayWidth(label))}  ${value}\n`;
  }).join("");
}

function skippedText(skipped: Readonly<Partial<Record<SkipReason, number>>>, language: Language): string {
  const reasons = SKIP_REASONS.filter((reason) => (skipped[reason] ?? 0) > 0);
  const total = reasons.reduce((sum, reason) => sum + (skipped[reason] ?? 0), 0);
  const parts = reasons.map((reason) => `${message(language, `cli_skip_${reason}`)} ${skipped[reason]}`);
  return total === 0 ? "0" : `${total} (${parts.join(", ")})`;
}

/** Failed files, each with its path and reason. */
export function failuresText(
  failed: readonly FileFailure[],
  language: Language,
  style: Style,
  more?: { limit: number; command: string },
): string {
  const shown = failed.slice(0, more?.limit ?? failed.length);
  const lines = shown.map(({ path, reason }) =>
    `  ${style.red("✗")} ${printable(path)}: ${printable(reason)}\n`
  );
  if (more && failed.length > shown.length) {
    const count = failed.length - shown.length;
    lines.push(`  ${message(language, "cli_and_more", { count, command: more.command })}\n`);
  }
  return lines.join("");
}

/** The summary that ends an indexing run. */
export function summaryText(summary: IngestSummary, language: Language, style: Style): string {
  const title = say(language, summary.written ? "cli_summary_title" : "cli_summary_up_to_date", {
    root: summary.root,
  });
  const rebuilt = summary.rebuildReason === undefined
    ? ""
    : `  ${style.yellow(say(language, "cli_rebuilt", { reason: summary.rebuildReason }))}\n`;
  const failedCount = String(summary.failed.length);
  const rows: Row[] = [
    ["cli_new", String(summary.new)],
    ["cli_changed", String(summary.changed)],
    ["cli_renamed", String(summary.renamed)],
    ["cli_removed", String(summary.removed)],
    ["cli_unchanged", String(summary.unchanged)],
    ["cli_skipped", skippedText(summary.skipped, language)],
    ["cli_failed", summary.failed.length > 0 ? style.red(failedCount) : failedCount],
    ["cli_files", String(summary.files)],
    ["cli_chunks", String(summary.chunks)],
    ["cli_bytes_read", formatBytes(summary.bytesRead)],
    ["cli_index_size", formatBytes(summary.indexBytes)],
    ["cli_time", formatDuration(summary.seconds)],
  ];
  return `${style.bold(title)}\n${rebuilt}${table(rows, language)}${
    failuresText(summary.failed, language, style, {
      limit: FAILURES_SHOWN,
      command: "muxue_rag status",
    })
  }`;
}

/** The status of a folder; `unusable` when it could not even be told. */
export type ShownStatus =
  & Omit<FolderStatus, "state" | "busy">
  & { readonly state: FolderStatus["state"] | "unusable"; readonly busy?: boolean };

/** What `status` says of one folder. */
export function statusText(status: ShownStatus, language: Language, style: Style): string {
  const colour = status.state === "ready" ? style.green : style.yellow;
  const rows: Row[] = [["cli_state", colour(message(language, `cli_state_${status.state}`))]];
  const add = (label: MessageKey, value: string | undefined) => {
    if (value !== undefined) rows.push([label, value]);
  };
  add("cli_detail", status.detail && printable(status.detail));
  if (status.busy) add("cli_busy", message(language, "cli_yes"));
  add("cli_indexed_at", status.indexedAt && formatTime(status.indexedAt));
  add("cli_files", status.files?.toString());
  add("cli_chunks", status.chunks?.toString());
  add("cli_terms", status.terms?.toString());
  add("cli_vectors", status.model && `${printable(status.model)} (${status.dimensions})`);
  add("cli_text_size", status.textBytes === undefined ? undefined : formatBytes(status.textBytes));
  add("cli_index_size", status.indexBytes === undefined ? undefined : formatBytes(status.indexBytes));
  add("cli_skipped", status.skipped && skippedText(status.skipped, language));
  add("cli_stale", status.stale && staleText(status.stale, language));
  add("cli_failed", status.failed?.length.toString());
  return `${style.bold(printable(status.root))}\n${table(rows, language)}${
    failuresText(status.failed ?? [], language, style)
  }`;
}

function staleText(stale: NonNullable<FolderStatus["stale"]>, language: Language): string {
  return stale.new + stale.changed + stale.removed === 0
    ? message(language, "cli_stale_none")
    : message(language, "cli_stale_some", stale);
}

/** The hits of a search as a person reads them, best first. */
export function answerText(answer: SearchAnswer, language: Language, style: Style): string {
  const hits = answer.hits.map((hit, at) => {
    const lines = hit.startLine === hit.endLine ? `${hit.startLine}` : `${hit.startLine}-${hit.endLine}`;
    const heading = [
      `${at + 1}. ${style.bold(`${printable(hit.filePath)}:${lines}`)}`,
      message(language, `degree_${hit.degree}`),
      style.dim(hit.section.map(printable).join(" › ")),
    ].filter((part) => part !== "").join("  ");
    const content = hit.content.replace(/\s+$/, "").split(/\r\n|\r|\n/).map((line) =>
      `   ${style.dim("│")} ${printableText(line)}`.trimEnd()
    );
    return `${heading}\n${content.join("\n")}\n`;
  });
  const stats = message(language, "cli_search_stats", {
    files: new Set(answer.hits.map((hit) => hit.filePath)).size,
    chunks: answer.hits.length,
    time: formatDuration(answer.seconds),
  });
  return `${hits.join("\n")}\n${style.dim(stats)}\n`;
}
