/**
 * The progress of a run: a line that is redrawn on a terminal, one line for each step elsewhere,
 * and sizes, durations and times as text.
 */
import type { IngestProgress } from "#library/ingest/types.ts";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import type { Context } from "./context.ts";
import { printableMessage } from "./say.ts";
import { cutStartToWidth, cutToWidth, displayWidth } from "./terminal_text.ts";

const BAR_COLUMNS = 24;
/** Columns of the bar when the file's name needs most of the line. */
const SHORT_BAR_COLUMNS = 8;
/** Columns of a file's path at most. The start of a longer path is cut, so that the name stays. */
const MAX_NAME_COLUMNS = 40;
const MIN_NAME_COLUMNS = 12;

/** Starts to show the progress of an indexing run in the folder `dir`; see {@linkcode showProgress}. */
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
  const { step, bytesTotal, filesTotal: files, chunks } = progress;
  // Without changed files nothing is read, and the step is left out.
  if (step === "done" || step === "read" && bytesTotal === 0) return undefined;
  return printableMessage(language, `cli_step_${step}`, {
    dir,
    files,
    size: formatBytes(bytesTotal),
    chunks,
  });
}

/** The line of the bar: share, files, bytes, speed, time left. `seconds`: time spent reading so far. */
export function barText(
  progress: IngestProgress,
  seconds: number,
  columns: number,
  language: Language,
): string {
  const { step, chunks, filesDone, filesTotal, bytesDone, bytesTotal } = progress;
  if (step !== "read") {
    const key = step === "scan"
      ? "cli_step_scanning"
      : step === "check"
      ? "cli_step_checking"
      : "cli_step_write";
    return cutToWidth(message(language, key, { files: filesTotal, chunks }), columns);
  }
  // The share goes by files where there are no bytes, as in a folder of empty files.
  const share = bytesTotal > 0 ? bytesDone / bytesTotal : filesTotal > 0 ? filesDone / filesTotal : 1;
  const rate = seconds > 0 ? bytesDone / seconds : 0;
  const textFor = (barColumns: number) => {
    const bar = message(language, "cli_bar", {
      done: filesDone,
      total: filesTotal,
      ...byteParams({ bytesDone, bytesTotal }, rate),
      bar: barOf(share, barColumns),
      percent: Math.floor(Math.min(1, share) * 100),
    });
    return withVectors(bar, progress, seconds, language);
  };
  const long = textFor(BAR_COLUMNS);
  if (progress.path === undefined) return cutToWidth(long, columns);
  const path = printable(progress.path);
  const wanted = Math.min(displayWidth(path), MAX_NAME_COLUMNS);
  const text = displayWidth(long) + 2 + wanted <= columns ? long : textFor(SHORT_BAR_COLUMNS);
  const room = Math.min(columns - displayWidth(text) - 2, MAX_NAME_COLUMNS);
  if (room < Math.min(wanted, MIN_NAME_COLUMNS)) return cutToWidth(long, columns);
  return `${text}  ${cutStartToWidth(path, room)}`;
}

/** Bytes, speed and time left as parameters of the message of a bar. `rate`: bytes a second. */
export function byteParams(
  { bytesDone, bytesTotal }: Pick<IngestProgress, "bytesDone" | "bytesTotal">,
  rate: number,
) {
  const left = rate > 0 ? formatDuration(Math.max(0, Math.ceil((bytesTotal - bytesDone) / rate))) : "?";
  const [done, total] = [formatBytes(bytesDone), formatBytes(bytesTotal)];
  return { bytesDone: done, bytesTotal: total, rate: formatBytes(rate), left };
}

/** Returns a bar of `columns` columns, filled by a share from 0 to 1. */
export function barOf(share: number, columns = BAR_COLUMNS): string {
  const full = Math.round(Math.min(1, share) * columns);
  return "█".repeat(full) + "░".repeat(columns - full);
}

/** The bar with the pages and pictures that were recognised, and the vectors, for which a server takes most of the time. */
function withVectors(
  bar: string,
  { recognised: pages = 0, recognisedPictures: pictures = 0, embedded, toEmbed, chunks }: IngestProgress,
  seconds: number,
  language: Language,
): string {
  if (pages + pictures > 0) {
    bar = message(language, "cli_bar_recognised", {
      bar,
      text: recognisedText({ pages, pictures }, language),
    });
  }
  if (embedded === undefined || toEmbed === 0) return bar;
  const rate = seconds > 0 ? Math.round(embedded / seconds) : 0;
  return message(language, "cli_bar_vectors", { bar, embedded, chunks: toEmbed ?? chunks, rate });
}

/** The number of pages and pictures that were recognised, and of files that wait: `4 pages, 2 pictures`. */
export function recognisedText(
  { pages, pictures = 0, pending = 0 }: {
    readonly pages: number;
    readonly pictures?: number;
    readonly pending?: number;
  },
  language: Language,
): string {
  const parts = [
    ...(pages > 0 || pictures === 0 ? [message(language, "cli_recognised_pages", { pages })] : []),
    ...(pictures > 0 ? [message(language, "cli_recognised_pictures", { pictures })] : []),
    ...(pending > 0 ? [message(language, "cli_recognised_pending", { pending })] : []),
  ];
  return parts.join(message(language, "list_comma"));
}

/** Shows the progress of a run. Disposing of it wipes the line that is redrawn. */
export interface Progress<State> extends Disposable {
  readonly update: (state: State) => void;
}

interface ProgressTexts<State> {
  /** For the line that is redrawn, in at most so many columns. */
  readonly line: (state: State, columns: number) => string;
  /** For a step, which is written once; `undefined` leaves the step out. */
  readonly step: (state: State) => string | undefined;
}

/** The part of cli-progress that is used here; the package has no types. */
interface SingleBar {
  start(total: number, value: number): void;
  update(value: number): void;
  stop(): void;
}
interface CliProgress {
  SingleBar: new (options: Record<string, unknown>) => SingleBar;
}

/** Milliseconds between two lines about a step that lasts, where no line can be redrawn. */
const PULSE_MS = 10_000;
/** The bar of a line says nothing in a log. */
const BAR = /[█░]+ */;
/** Columns of a line in a log. */
const LOG_COLUMNS = 200;

/** Milliseconds until the progress of a run before an answer is shown. Most take less, and the line would only flash. */
const PATIENCE_MS = 400;

/**
 * Shows the states that a run passes through: on a terminal in a line that is redrawn at every update and ten times a
 * second, elsewhere in one line for each step, and one every ten seconds while a step lasts. With `--quiet` nothing is shown; `beforeAnswer` omits the steps, and the line
 * of a short run.
 */
export async function showProgress<State>(
  { io, flags, signal }: Pick<Context, "io" | "flags" | "signal">,
  { line, step }: ProgressTexts<State>,
  { beforeAnswer = false } = {},
): Promise<Progress<State>> {
  const drawsLines = io.terminal.stderr && io.env["TERM"] !== "dumb";
  if (flags.quiet || beforeAnswer && !drawsLines) return { update: () => {}, [Symbol.dispose]: () => {} };
  if (!drawsLines) {
    let before: string | undefined;
    let latest: State | undefined;
    let said = performance.now();
    const say = (text: string) => {
      io.err(`${text}\n`);
      said = performance.now();
    };
    const pulse = () => {
      if (latest === undefined || before === undefined || performance.now() - said < PULSE_MS) return;
      say(line(latest, LOG_COLUMNS).replace(BAR, ""));
    };
    // A step may report nothing for long, as while a large document is read.
    const timer = setInterval(pulse, PULSE_MS / 2);
    return {
      update: (state) => {
        const text = step(state);
        if (text !== undefined && text !== before) say(text);
        before = text;
        latest = state;
        pulse();
      },
      [Symbol.dispose]: () => clearInterval(timer),
    };
  }
  let state: State | undefined;
  const { SingleBar } = (await import("cli-progress")).default as CliProgress;
  const { stderr } = await import("node:process");
  if (signal.aborted) return { update: () => {}, [Symbol.dispose]: () => {} };
  const bar = new SingleBar({
    stream: stderr,
    clearOnComplete: true,
    hideCursor: true,
    format: (_options: unknown, { maxWidth }: { maxWidth: number }) =>
      state === undefined ? "" : line(state, maxWidth - 1),
  });
  let isShown = false;
  const show = () => {
    isShown = true;
    bar.start(1, 0);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (beforeAnswer) timer = setTimeout(show, PATIENCE_MS);
  else show();
  const update = (next: State) => {
    state = next;
    if (isShown && !signal.aborted) bar.update(0);
  };
  // After Ctrl-C the line is wiped at once, since a message follows.
  const stop = () => {
    clearTimeout(timer);
    if (isShown) bar.stop();
  };
  signal.addEventListener("abort", stop, { once: true });
  return {
    update,
    [Symbol.dispose]: () => {
      signal.removeEventListener("abort", stop);
      if (!signal.aborted) stop();
    },
  };
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** A size in decimal units: `0 B`, `1.5 kB`, `120 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be rounded to 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : value.toFixed(0)} ${UNITS[unit]}`;
}

/** A duration: `0.004 s`, `1 s`, `1.2 s`, `75 s`, `12 min 5 s`, `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 0.9995) return `${Number(seconds.toFixed(3))} s`;
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 100) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole % 3600 / 60)} min`;
}

/** A point in time, in local time: `2026-01-31 09:05:00`. */
export function formatTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":")}`;
}
