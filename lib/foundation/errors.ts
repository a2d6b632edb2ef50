/**
 * Errors that the user can act on. They have the key of a message instead of a text, so that each is shown in the
 * user's language. Below: what a log and a message say of all other errors.
 */
import type { MessageKey } from "#foundation/messages/mod.ts";
import { englishText, type MessageParams } from "#foundation/messages/start.ts";

/**
 * An error that the user can act on. It has the key of its message in {@linkcode MESSAGES} and the parameters of the
 * message, so that the command line and the MCP server can show it in the user's language. `message` is the English text,
 * for logs and stack traces, or the key where the texts are not loaded.
 */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly key: MessageKey;
  readonly params: MessageParams;

  constructor(key: MessageKey, params: MessageParams = {}, options?: ErrorOptions) {
    super(englishText(key, params), options);
    this.key = key;
    this.params = params;
  }
}

/** A {@linkcode UserError} for wrong usage or a wrong configuration; the exit code is 2. */
export class UsageError extends UserError {}

/** Thrown when a thread cannot start, or ends before its work is done. The work can be done without it. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";
}

/** Returns the stack of an error with its message, for the log. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

/** Returns the text of an error from the runtime or a library, for the parameters of a {@linkcode UserError}. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // By its name, because this file must load in other runtimes too.
  if (error.name !== "NotCapable") return error.message;
  // The runtime advises to change its command line, which the user of this program does not write.
  return error.message.replace(
    /^Requires (.+? access(?: to .*)?), .*$/s,
    "not among what this command may do: $1",
  );
}
