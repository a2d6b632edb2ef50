import { message, type MessageKey, type MessageParams } from "./messages.ts";

/**
 * An error a person can act on. It carries the key of its text in {@linkcode MESSAGES} and that text's
 * parameters, so that the outermost layer (command line, MCP) can say it in the user's language.
 * `message` holds the English text, for logs and stack traces.
 */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly key: MessageKey;
  readonly params: MessageParams;

  constructor(key: MessageKey, params: MessageParams = {}, options?: ErrorOptions) {
    super(message("en", key, params), options);
    this.key = key;
    this.params = params;
  }
}

/** A {@linkcode UserError} for wrong usage or configuration: the program ends with exit code 2. */
export class UsageError extends UserError {}

/** What an error that is not ours says, for the parameters of one that is. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof Deno.errors.NotCapable)) return error.message;
  // what the runtime advises is for whoever writes its command line, not for ours
  return error.message.replace(
    /^Requires (.+? access(?: to .*)?), .*$/s,
    "not among what this command may do: $1",
  );
}
