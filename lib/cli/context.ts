import { type Language, message, type MessageKey, type MessageParams, printableText } from "../messages.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";
import { printableMessage } from "./printable_message.ts";

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

/** Prints a note on stderr, unless `--quiet`. */
export function note(context: Context, key: MessageKey, params: MessageParams = {}): void {
  if (!context.flags.quiet) context.io.err(`${printableMessage(context.language, key, params)}\n`);
}

/** Prints a warning on stderr, unless `--quiet`. */
export function warn(context: MessageContext, key: MessageKey, params: MessageParams = {}): void {
  warnText(context, printableMessage(context.language, key, params));
}

/** Prints a text as a warning on stderr, unless `--quiet`. */
export function warnText({ io, flags, language, onWarning }: MessageContext, text: string): void {
  onWarning?.(printableText(text));
  if (!flags.quiet) io.err(`${message(language, "cli_warning", { text: printableText(text) })}\n`);
}

/** The result of `work`; rejects with the signal's reason as soon as it aborts. The work goes on unobserved. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([aborted, work]).finally(() => signal.removeEventListener("abort", abort));
}
