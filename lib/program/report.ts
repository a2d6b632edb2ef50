/**
 * How a run ends early: errors with their texts and exit codes,
 * and Ctrl-C.
 */
import { ConfigError } from "#foundation/configuration/mod.ts";
import { reasonOf, UsageError, UserError } from "#foundation/errors.ts";
import {
  type Language,
  message,
  type MessageKey,
  type MessageParams,
  printable,
  printableText,
} from "#foundation/messages/mod.ts";
import { isSystemError } from "#foundation/boundary/mod.ts";
import { EXIT, Interrupted, printableMessage, printJson } from "./context.ts";
import type { Io } from "./io.ts";
import { styleFor } from "./terminal_text.ts";

/** The run that ended in an error. */
interface Failed {
  readonly io: Io;
  readonly language: Language;
  /** Name of the command; `undefined` when the command line itself was wrong. */
  readonly command: string | undefined;
  /** Whether the error is printed as JSON as well. */
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
  if (error instanceof Interrupted) {
    io.err(`${message(language, error.said)}\n`);
    return EXIT.interrupted;
  }
  const { red } = styleFor(io, "stderr");
  const text = printableErrorText(error, language, logged);
  io.err(`${red(message(language, "cli_error", { text }))}\n`);
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

/** The text of an error. `logged`: whether the log holds its details. */
export function errorText(error: unknown, language: Language, logged: boolean): string {
  const [key, params] = textOf(error, logged);
  return message(language, key, params);
}

/** Like {@linkcode errorText}, without control characters that a terminal would act on. */
export function printableErrorText(error: unknown, language: Language, logged: boolean): string {
  // Each problem of a configuration is a line; other texts must have no line breaks.
  if (error instanceof ConfigError) return printableText(errorText(error, language, logged));
  const [key, params] = textOf(error, logged);
  return printableMessage(language, key, params);
}

function textOf(error: unknown, logged: boolean): [key: MessageKey, params: MessageParams] {
  if (error instanceof UserError) return [error.key, error.params];
  if (isSystemError(error)) return ["cli_system_error", { detail: reasonOf(error) }];
  return [logged ? "cli_internal_error_logged" : "cli_internal_error", { detail: reasonOf(error) }];
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
