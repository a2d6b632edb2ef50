/**
 * Questions that a user at a terminal answers, and remarks
 * about the folders and models that a command uses.
 */
import { join } from "node:path";
import { UsageError } from "#foundation/errors.ts";
import type { MessageKey, MessageParams } from "#foundation/messages/mod.ts";
import type { Context } from "./context.ts";
import { note, printableMessage } from "./say.ts";
import type { Session } from "./request.ts";

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

/**
 * Whether `root` may get an index. If it has none and lies in an indexed folder, a user at a terminal is asked, since the
 * index would be a second one of the same files. Others are told.
 */
export async function mayGetIndex(session: Session, root: string): Promise<boolean> {
  const { io: { terminal }, flags, choice: { within } } = session;
  const params = { dir: root, root: within[root] ?? "" };
  if (params.root === "") return true;
  if (!flags.yes && terminal.stdin && terminal.stderr) {
    return await confirm(session, "cli_confirm_second_index", params);
  }
  note(session, "cli_second_index", params);
  return true;
}

/**
 * Says why a command works on other folders than those that were typed: none was and the working folder is not indexed, or
 * one lies in an indexed folder. Throws `UsageError` `cli_no_registered_dir` where there is no folder at all.
 */
export function explainChoice(session: Session): void {
  const { io: { cwd }, roots, choice: { by, below } } = session;
  if (roots.length === 0) throw new UsageError("cli_no_registered_dir");
  if (by === "outside") note(session, "cli_outside", { dir: cwd, count: roots.length });
  for (const [root, paths] of Object.entries(below)) {
    for (const path of paths) note(session, "cli_inside_indexed", { dir: join(root, path), root });
  }
}

/**
 * Says in one line that models for sentences can be installed, unless some are, or the configuration chose other vectors.
 * For the first run in a folder and for `setup`.
 */
export function suggestModels(session: Session): void {
  const { hasModels, flags, config } = session;
  if (hasModels || flags.json || config.embedding.provider !== "builtin") return;
  note(session, "cli_suggest_models");
}
