import type { IngestProgress } from "../ingest/types.ts";
import { type Language, message, printable } from "../messages.ts";
import type { Context } from "./context.ts";
import { cutStartToWidth, cutToWidth, displayWidth } from "./display_width.ts";
import { formatBytes, formatDuration } from "./format.ts";
import { printableMessage } from "./printable_message.ts";
import { type Progress, showProgress } from "./show_progress.ts";

const BAR_COLUMNS = 24;
/** Columns of the bar when the file's name needs most of the line. */
const SHORT_BAR_COLUMNS = 8;
/** Columns of a file's path at most. The start of a longer path is cut, so that the name stays. */
const MAX_NAME_COLUMNS = 40;
const MIN_NAME_COLUMNS = 12;

/**
 * Starts to show the progress of an indexing run in the folder `dir`: a bar on a terminal, one line for each step elsewhere;
 * see {@linkcode showProgress}.
 */
export async function startProgress(
  context: Context,
  dir: string,
  options: { readonly beforeAnswer?: boolean } = {},
): Promise<Progress<IngestProgress>> {
  const { language } = context;
  let readingSince: number | undefined;
  const shown = await showProgress<IngestProgress>(context, {
    line: (progress, columns) => {
      const seconds = readingSince === undefined ? 0 : (performance.now() - readingSince) / 1000;
      return barText(progress, seconds, columns, language);
    },
    step: (progress) => stepText(progress, dir, language),
  }, options);
  return {
    update: (progress) => {
      if (progress.step === "read") readingSince ??= performance.now();
      shown.update(progress);
    },
    [Symbol.dispose]: () => shown[Symbol.dispose](),
  };
}

function stepText(progress: IngestProgress, dir: string, language: Language): string | undefined {
  switch (progress.step) {
    case "check":
      return printableMessage(language, "cli_step_check", { dir });
    case "scan":
      return printableMessage(language, "cli_step_scan", { dir });
    case "read":
      // Without changed files nothing is read, and the step is left out.
      return progress.bytesTotal === 0 ? undefined : message(language, "cli_step_read", {
        files: progress.filesTotal,
        size: formatBytes(progress.bytesTotal),
      });
    case "write":
      return message(language, "cli_step_write", { chunks: progress.chunks });
    case "done":
      return undefined;
  }
}

/** The line of the bar: share, files, bytes, speed, time left. `seconds`: time spent reading so far. */
export function barText(
  progress: IngestProgress,
  seconds: number,
  columns: number,
  language: Language,
): string {
  if (progress.step === "scan") {
    return cutToWidth(message(language, "cli_step_scanning", { files: progress.filesTotal }), columns);
  }
  if (progress.step === "check") {
    return cutToWidth(message(language, "cli_step_checking", { chunks: progress.chunks }), columns);
  }
  if (progress.step !== "read") {
    return cutToWidth(message(language, "cli_step_write", { chunks: progress.chunks }), columns);
  }
  const { filesDone, filesTotal, bytesDone, bytesTotal } = progress;
  // The share goes by files where there are no bytes, as in a folder of empty files.
  const share = bytesTotal > 0 ? bytesDone / bytesTotal : filesTotal > 0 ? filesDone / filesTotal : 1;
  const rate = seconds > 0 ? bytesDone / seconds : 0;
  const textFor = (barColumns: number) =>
    message(language, "cli_bar", {
      bar: barOf(share, barColumns),
      percent: Math.floor(Math.min(1, share) * 100),
      done: filesDone,
      total: filesTotal,
      bytesDone: formatBytes(bytesDone),
      bytesTotal: formatBytes(bytesTotal),
      rate: formatBytes(rate),
      left: rate > 0 ? formatDuration(Math.max(0, Math.ceil((bytesTotal - bytesDone) / rate))) : "?",
    });
  const long = withVectors(textFor(BAR_COLUMNS), progress, seconds, language);
  if (progress.path === undefined) return cutToWidth(long, columns);
  const path = printable(progress.path);
  const wanted = Math.min(displayWidth(path), MAX_NAME_COLUMNS);
  const text = displayWidth(long) + 2 + wanted <= columns
    ? long
    : withVectors(textFor(SHORT_BAR_COLUMNS), progress, seconds, language);
  const room = Math.min(columns - displayWidth(text) - 2, MAX_NAME_COLUMNS);
  if (room < Math.min(wanted, MIN_NAME_COLUMNS)) return cutToWidth(long, columns);
  return `${text}  ${cutStartToWidth(path, room)}`;
}

/** Returns a bar of `columns` columns, filled by a share from 0 to 1. */
export function barOf(share: number, columns = BAR_COLUMNS): string {
  const full = Math.round(Math.min(1, share) * columns);
  return "█".repeat(full) + "░".repeat(columns - full);
}

/**
 * The line of the bar with the number of pages that were recognised, and that of vectors: an embedding server takes more
 * time than all other steps.
 */
function withVectors(
  bar: string,
  { recognised = 0, embedded, toEmbed, chunks }: IngestProgress,
  seconds: number,
  language: Language,
): string {
  if (recognised > 0) bar = message(language, "cli_bar_recognised", { bar, pages: recognised });
  if (embedded === undefined || toEmbed === 0) return bar;
  const rate = seconds > 0 ? Math.round(embedded / seconds) : 0;
  return message(language, "cli_bar_vectors", { bar, embedded, chunks: toEmbed ?? chunks, rate });
}
