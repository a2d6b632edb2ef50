/**
 * Input of every command, what a run may end with, and warnings whose text is known.
 * `say.ts` has the texts; a start of the server does without them.
 */
import { type Language, printableText, startMessage } from "#foundation/messages/start.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";

/** Input of every command. */
export interface Context {
  readonly io: Io;
  readonly flags: Flags;
  readonly operands: readonly string[];
  /** See {@linkcode import("./request.ts").CommandLine}. */
  readonly isHere?: true;
  readonly language: Language;
  /** The program's version. */
  readonly version: string;
  /** Called with each warning, for a command that has another place to show it. */
  readonly onWarning?: (text: string) => void;
  /** Aborted by Ctrl-C, with an {@linkcode Interrupted} for its reason. */
  readonly signal: AbortSignal;
}

/** The part of a {@linkcode Context} that notes and warnings need. */
export type MessageContext = Pick<Context, "io" | "flags" | "language" | "onWarning">;

/** The reason of an abort by Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  /** `said`: the message about it. */
  constructor(readonly said: "cli_interrupted" | "cli_stopped" | "cli_stopped_first" = "cli_interrupted") {
    super();
  }
}

/** Prints a text as a warning on stderr, unless `--quiet`. */
export function warnText({ io, flags, language, onWarning }: MessageContext, text: string): void {
  onWarning?.(printableText(text));
  if (!flags.quiet) io.err(`${startMessage(language, "cli_warning", { text: printableText(text) })}\n`);
}

/** The result of `work`; rejects with the signal's reason as soon as it aborts. The work goes on unobserved. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([aborted, work]).finally(() => signal.removeEventListener("abort", abort));
}

/**
 * Whether the command line asks for JSON, by `--json` or `--format json`. It is read leniently, since errors in the rest are
 * also reported as JSON.
 */
export function jsonAskedFor(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).some((argument, at, given) =>
    /^--(?:json(?:=|$)|format=json$)/.test(argument) || argument === "--format" && given[at + 1] === "json"
  );
}

/** Exit codes of the contract. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** Threads that run each local model of a session, for a command that does nothing else. */
export const MODEL_THREADS = Math.max(1, Math.min(2, navigator.hardwareConcurrency));
