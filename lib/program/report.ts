/**
 * How a run ends early: by an error, with its text and exit code, or by Ctrl-C.
 */
import { ConfigError } from "#foundation/configuration/mod.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import { type Language, startMessage } from "#foundation/messages/start.ts";
import { EXIT, Interrupted } from "./context.ts";
import type { Io } from "./io.ts";

interface Failed {
  readonly io: Io;
  readonly language: Language;
  /** Name of the command; `undefined` when the command line itself was wrong. */
  readonly command: string | undefined;
  readonly json: boolean;
  /** Whether the log holds details of the error. */
  readonly logged: boolean;
}

/** Prints an error on stderr, and as JSON on stdout where that is wanted, and returns the exit code. */
export async function report(error: unknown, failed: Failed): Promise<number> {
  const { io, command, json, logged } = failed;
  // A configuration that cannot be used may still set the language of its errors.
  const language = error instanceof ConfigError ? error.language : failed.language;
  // The reader of `muxue_rag … | head` has read enough.
  if (error instanceof Deno.errors.BrokenPipe) return EXIT.done;
  const { message, printable } = await import("#foundation/messages/mod.ts");
  if (error instanceof Interrupted) {
    io.err(`${message(language, error.said)}\n`);
    return EXIT.interrupted;
  }
  const { errorText, printableErrorText, printJson } = await import("./say.ts");
  const { styleFor } = await import("./terminal_text.ts");
  const { red } = styleFor(io, "stderr");
  const text = printableErrorText(error, language, logged);
  io.err(`${red(message(language, "cli_error", { text }))}\n`);
  if (error instanceof UserError) {
    const { query, column } = error.params;
    if (typeof query === "string" && typeof column === "number") io.err(await pointedAt(query, column));
  }
  if (error instanceof UserError && error.key === "index_not_ready") {
    const { hintsOf } = await import("#library/answer/mod.ts");
    for (const hint of await hintsOf(error, language)) io.err(`${printable(hint)}\n`);
  }
  if (command === undefined) {
    io.err(`${message(language, "cli_see_help", { command: "muxue_rag --help" })}\n`);
  }
  if (json) await printJson({ io, language }, null, errorText(error, language, logged), 500).catch(() => {});
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}

/** Characters of a query that are shown on either side of a place in it. */
const SHOWN = 30;

/** Returns the line of a query around one of its characters, counted from 1, with a caret below that. */
async function pointedAt(query: string, column: number): Promise<string> {
  const { printable } = await import("#foundation/messages/mod.ts");
  const { displayWidth } = await import("./terminal_text.ts");
  const all = Array.from(query), at = column - 1;
  const from = Math.max(0, at - SHOWN), to = at + SHOWN;
  const before = `  ${from > 0 ? "…" : ""}${printable(all.slice(from, at).join(""))}`;
  const after = `${printable(all.slice(at, to).join(""))}${to < all.length ? "…" : ""}`;
  return `${before}${after}\n${" ".repeat(displayWidth(before))}^\n`;
}

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
    io.err(`${startMessage(language(), "cli_stopping")}\n`);
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
