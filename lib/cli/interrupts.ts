import { message } from "../messages.ts";
import type { Language } from "../messages.ts";
import { Interrupted } from "./context.ts";
import { EXIT } from "./exit.ts";
import type { Io } from "./io.ts";

const SHOW_CURSOR = "\u001b[?25h\u001b[?7h";

/**
 * A signal that is aborted by the first Ctrl-C or request to terminate; the second ends the process at once. `language`: that
 * of the moment. Disposing of it stops the listening.
 */
export function interrupts(io: Io, language: () => Language): { readonly signal: AbortSignal } & Disposable {
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const listener = io.onInterrupt(() => {
    // A bar may be on the line and the cursor hidden.
    if (io.terminal.stderr) io.err(`${SHOW_CURSOR}\n`);
    if (signal.aborted) io.exit(EXIT.interrupted);
    io.err(`${message(language(), "cli_stopping")}\n`);
    interrupt.abort(new Interrupted());
  });
  return { signal, [Symbol.dispose]: () => listener[Symbol.dispose]() };
}
