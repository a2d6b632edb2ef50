import { message } from "../messages.ts";
import type { Language } from "../messages.ts";
import { Interrupted } from "./context.ts";
import { EXIT } from "./exit.ts";
import type { Io } from "./io.ts";

/** Undoes what a progress bar does to a terminal: shows the cursor and lets long lines wrap again. */
export const SHOW_CURSOR = "\u001b[?25h\u001b[?7h";

/** Listens to Ctrl-C and requests to terminate until it is disposed of. */
export interface Interrupts extends Disposable {
  /** Aborted by the first of them, with an {@linkcode Interrupted} for its reason; the second ends the process at once. */
  readonly signal: AbortSignal;
  /**
   * Leaves them to another thread, which listens by now: they do not abort the signal any more. The first calls `onFirst`,
   * since that thread may be stuck; the second ends the process at once.
   */
  handOver(onFirst: () => void): void;
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
