import { message } from "../messages.ts";
import type { Language } from "../messages.ts";
import { Interrupted } from "./context.ts";
import { EXIT } from "./exit.ts";
import type { Io } from "./io.ts";

/** Undoes what a progress bar does to a terminal: shows the cursor and lets long lines wrap again. */
export const SHOW_CURSOR = "\u001b[?25h\u001b[?7h";

/** How long another thread may take to end the process after the second Ctrl-C. */
const PATIENCE_MS = 1000;

/** Listens to Ctrl-C and requests to terminate until it is disposed of. */
export interface Interrupts extends Disposable {
  /** Aborted by the first of them, with an {@linkcode Interrupted} for its reason; the second ends the process at once. */
  readonly signal: AbortSignal;
  /**
   * Leaves them to another thread, which listens by now: they do not abort the signal any more. Only if that thread has not
   * ended the process a while after the second it is stuck, and the process ends all the same.
   */
  handOver(): void;
}

/** Begins to listen. `language`: that of the moment. */
export function interrupts(io: Io, language: () => Language): Interrupts {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  let listener = io.onInterrupt(() => {
    // A bar may be on the line and the cursor hidden.
    if (io.terminal.stderr) io.err(`${SHOW_CURSOR}\n`);
    if (signal.aborted) io.exit(EXIT.interrupted);
    io.err(`${message(language(), "cli_stopping")}\n`);
    interrupt.abort(new Interrupted());
  });
  return {
    signal,
    handOver() {
      const before = listener;
      listener = endIfStuck(io);
      before[Symbol.dispose]();
    },
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  };
}

function endIfStuck(io: Io): Disposable {
  let times = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listener = io.onInterrupt(() => {
    times++;
    if (times !== 2) return;
    timer = setTimeout(() => {
      if (io.terminal.stderr) io.err(`${SHOW_CURSOR}\n`);
      io.exit(EXIT.interrupted);
    }, PATIENCE_MS);
  });
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      listener[Symbol.dispose]();
    },
  };
}
