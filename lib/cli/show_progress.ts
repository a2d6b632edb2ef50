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

/** Milliseconds until the progress of a run before an answer is shown. Most take less, and the line would only flash. */
const PATIENCE_MS = 400;

/**
 * Shows the states that a run passes through: on a terminal in a line that is redrawn at every update and ten times a
 * second, elsewhere in one line for each step. With `--quiet` nothing is shown; `beforeAnswer` omits the steps, and the line
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
    const update = (state: State) => {
      const text = step(state);
      if (text !== undefined && text !== before) io.err(`${text}\n`);
      before = text;
    };
    return { update, [Symbol.dispose]: () => {} };
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
