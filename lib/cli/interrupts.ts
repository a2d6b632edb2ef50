import { type Language, message } from "../messages.ts";
import { Interrupted } from "./context.ts";
import { EXIT } from "./exit.ts";
import type { Io } from "./io.ts";

/** Undoes the settings of a progress bar: shows the cursor and lets long lines wrap again. */
export const SHOW_CURSOR = "\u001b[?25h\u001b[?7h";

/** Wipes the line of the cursor, with the `^C` of the terminal, and undoes the settings of a progress bar. */
const CLEAN_LINE = `\r\u001b[2K${SHOW_CURSOR}`;

/** Listener for Ctrl-C and requests to terminate. Disposing of it stops listening. */
export interface Interrupts extends Disposable {
  /** Aborted by the first interrupt, with an {@linkcode Interrupted} as its reason. The second ends the process at once. */
  readonly signal: AbortSignal;
  /**
   * Leaves the interrupts to another thread, which listens already: they no longer abort the signal. The first calls `onFirst`,
   * since that thread may be stuck. The second ends the process at once.
   */
  handOver(onFirst: () => void): void;
}

/** Starts to listen. `language` gives the current language of messages. */
export function interrupts(io: Io, language: () => Language): Interrupts {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  let listener = io.onInterrupt(() => {
    // A progress bar may be on the line, with the cursor hidden.
    if (io.terminal.stderr) io.err(CLEAN_LINE);
    if (signal.aborted) io.exit(EXIT.interrupted);
    io.err(`${message(language(), "cli_stopping")}\n`);
    interrupt.abort(new Interrupted());
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
    if (io.terminal.stderr) io.err(CLEAN_LINE);
    io.exit(EXIT.interrupted);
  });
}
