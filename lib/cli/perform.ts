import { type FolderCommand, ON_FOLDERS } from "./commands.ts";
import { abortable } from "./context.ts";
import { interrupts } from "./interrupts.ts";
import type { Io } from "./io.ts";
import type { Preparation } from "./prepare.ts";
import { report } from "./report.ts";
import type { SessionCommand } from "./session.ts";

/** Loads the modules that a command on folders is carried out with. */
export async function loadCommand(
  name: FolderCommand,
): Promise<[SessionCommand, typeof import("./open_session.ts")]> {
  return await Promise.all([ON_FOLDERS[name](), import("./open_session.ts")]);
}

/**
 * Carries out a command on folders, and gives the exit code. Never throws. `permissions`: what the thread may touch, where
 * it is locked.
 */
export async function perform(
  preparation: Preparation,
  io: Io,
  permissions?: Deno.PermissionOptionsObject,
): Promise<number> {
  const { task, language } = preparation;
  const { command: name, operands, flags } = task;
  let logged = false;
  using interrupt = interrupts(io, () => language);
  const { signal } = interrupt;
  try {
    const [command, { openSession }] = await loadCommand(name);
    const context = { ...preparation, io, operands, flags, signal };
    await using session = await abortable(openSession(context, permissions), signal);
    try {
      return await command(session);
    } catch (error) {
      const detail = error instanceof Error ? error.stack : String(error);
      session.log[signal.aborted ? "info" : "error"]("failed", { command: name, error: detail });
      logged = session.log.problem === undefined;
      throw error;
    }
  } catch (error) {
    return await report(error, { io, language, invocation: task, json: flags.json ?? false, logged });
  }
}
