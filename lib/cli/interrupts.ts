import { type Language, message } from "../messages.ts";
import { Interrupted } from "./context.ts";
import { EXIT } from "./exit.ts";
import type { Io } from "./io.ts";

/** Undoes the settings of a progress bar: shows the cursor and lets long lines wrap again. */
export const SHOW_CURSOR = "\u001b[?25h\u001b[?7h";

/** Listener for Ctrl-C and requests to terminate. Disposing of it stops listening. */
export interface Interrupts extends Disposable {
  /** Aborted by the first interrupt, with an {@linkcode Interrupted} as its reason. The second ends the process at once. */
  readonly signal: AbortSignal;
  /**
   * Leaves the interrupts to another thread, which listens already: they no longer abort the signal. The first calls
   * `onFirst`, since that thread may be stuck. The second ends the process at once.
   */
  handOver(onFirst: () => void): void;
}

/** Starts to listen. `language` gives the current language of messages. */
export function interrupts(io: Io, language: () => Language): Interrupts {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  let listener = io.onInterrupt(() => {
    const isSecond = signal.aborted;
    // A progress bar wipes itself. After a question or the terminal's `^C`, a new line is begun.
    interrupt.abort(new Interrupted());
    if (io.terminal.stderr) io.err(`${SHOW_CURSOR}\n`);
    if (isSecond) io.exit(EXIT.interrupted);
    io.err(`${message(language(), "cli_stopping")}\n`);
  });
  return {
    signal,
    handOver(onFirst) {
      const before = listener;
      listener = listenForAnother(io, onFirst);
      before[Symbol.dispose]();
    },
    [Symbol.dispose]: () => listener[Symbol.dispose](),
  };
}

function listenForAnother(io: Io, onFirst: () => void): Disposable {
  let times = 0;
  return io.onInterrupt(() => {
    times++;
    if (times === 1) return onFirst();
    if (io.terminal.stderr) io.err(`${SHOW_CURSOR}\n`);
    io.exit(EXIT.interrupted);
  });
}
