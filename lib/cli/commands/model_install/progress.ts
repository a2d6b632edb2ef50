import { type Language, message } from "../../../messages.ts";
import type { InstallProgress } from "../../../models/mod.ts";
import type { Context } from "../../context.ts";
import { cutToWidth } from "../../display_width.ts";
import { formatBytes, formatDuration } from "../../format.ts";
import { barOf } from "../../progress.ts";
import { type Progress, showProgress } from "../../show_progress.ts";

const BAR_COLUMNS = 24;

/** Starts to show the progress of a download: a bar on a terminal, one line for each source elsewhere. */
export async function startDownloadProgress(context: Context): Promise<Progress<InstallProgress>> {
  const { language } = context;
  let first: { readonly host: string; readonly bytes: number; readonly at: number } | undefined;
  const shown = await showProgress<InstallProgress>(context, {
    line: (progress, columns) => {
      const seconds = first === undefined ? 0 : (performance.now() - first.at) / 1000;
      const rate = seconds > 0 ? (progress.bytesDone - first!.bytes) / seconds : 0;
      return barText(progress, rate, columns, language);
    },
    step: ({ model: { name }, bytesTotal, host }) =>
      message(language, "cli_model_step", { name, host, size: formatBytes(bytesTotal) }),
  });
  return {
    update: (progress) => {
      // A continued download begins with the bytes that were there.
      if (first?.host !== progress.host) {
        first = { host: progress.host, bytes: progress.bytesDone, at: performance.now() };
      }
      shown.update(progress);
    },
    [Symbol.dispose]: () => shown[Symbol.dispose](),
  };
}

/** The line of the bar. `rate`: bytes a second. */
export function barText(
  { model: { name }, bytesDone, bytesTotal }: InstallProgress,
  rate: number,
  columns: number,
  language: Language,
): string {
  const share = bytesTotal > 0 ? bytesDone / bytesTotal : 1;
  const text = message(language, "cli_model_bar", {
    name,
    bar: barOf(share, BAR_COLUMNS),
    percent: Math.floor(Math.min(1, share) * 100),
    bytesDone: formatBytes(bytesDone),
    bytesTotal: formatBytes(bytesTotal),
    rate: formatBytes(rate),
    left: rate > 0 ? formatDuration(Math.max(0, Math.ceil((bytesTotal - bytesDone) / rate))) : "?",
  });
  return cutToWidth(text, columns);
}
