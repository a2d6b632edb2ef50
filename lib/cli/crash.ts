import { SHOW_CURSOR } from "./interrupts.ts";
import type { Io } from "./io.ts";
import type { Preparation } from "./prepare.ts";
import { report } from "./report.ts";
import { withoutSecrets } from "./secrets.ts";
import { hasLog, startSessionLog } from "./session_log.ts";

/**
 * Tells of an error that nobody caught, without secrets, in the log as well, and gives the exit code. The session of the
 * command is out of reach and may be what broke. Never throws.
 */
export async function reportUncaught(error: unknown, preparation: Preparation, io: Io): Promise<number> {
  const { task, language } = preparation;
  const failed = { io, language, invocation: task, json: task.flags.json ?? false };
  const { message, stack } = textsOf(error, preparation);
  const log = await startSessionLog(preparation);
  log.error("uncaught", { command: task.command, error: stack });
  const logged = hasLog(preparation) && log.problem === undefined;
  await log.close();
  // a bar may be on the line
  if (io.terminal.stderr) io.err(`${SHOW_CURSOR}\n`);
  return await report(new Error(message), { ...failed, logged });
}

/** What an error says, and where it comes from. What was thrown need be no error, nor anything that has a text. */
function textsOf(error: unknown, preparation: Preparation): { message: string; stack: string } {
  try {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return {
      message: withoutSecrets(message, preparation),
      stack: withoutSecrets(stack ?? message, preparation),
    };
  } catch {
    return { message: "?", stack: "?" };
  }
}
