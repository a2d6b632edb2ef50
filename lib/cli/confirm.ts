import { UsageError } from "../errors.ts";
import type { MessageKey, MessageParams } from "../messages.ts";
import type { Context } from "./context.ts";
import { printableMessage } from "./printable_message.ts";

/**
 * Asks a question on the terminal and returns whether the answer is yes; `--yes` answers it. Throws `UsageError`
 * `cli_confirm_needed` without a terminal, and the signal's reason after Ctrl-C.
 */
export async function confirm(context: Context, key: MessageKey, params: MessageParams): Promise<boolean> {
  const { io, flags, language, signal } = context;
  if (flags.yes) return true;
  if (!io.terminal.stdin || !io.terminal.stderr) throw new UsageError("cli_confirm_needed");
  io.err(printableMessage(language, key, params));
  const answer = await io.readLine(signal);
  signal.throwIfAborted();
  return /^\s*(y|yes|是|好)\s*$/i.test(answer ?? "");
}
