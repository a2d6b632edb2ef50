import type { Context } from "./context.ts";

/** Shows the progress of a run. Disposing of it wipes the line that is redrawn. */
export interface Progress<State> extends Disposable {
  readonly update: (state: State) => void;
}

/** The texts of a state. */
export interface ProgressTexts<State> {
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
