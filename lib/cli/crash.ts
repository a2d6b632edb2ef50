import { SHOW_CURSOR } from "./interrupts.ts";
import type { Io } from "./io.ts";
import { report } from "./report.ts";
import type { Request } from "./request.ts";
import { withoutSecrets } from "./secrets.ts";
import { hasLog, startSessionLog } from "./session_log.ts";

/**
 * Reports an error that nothing caught, without secrets, on stderr and in the log, and gives the exit code. It opens the log
 * itself, since the command's session is out of reach and may be the cause. Never throws.
 */
export async function reportUncaught(error: unknown, request: Request, io: Io): Promise<number> {
  const { command, flags, language } = request;
  const failed = { io, language, command, json: flags.json ?? false };
  const { message, stack } = textsOf(error, request);
  const log = await startSessionLog(request);
  log.error("uncaught", { command, error: stack });
  const logged = hasLog(request) && log.problem === undefined;
  await log.close();
  // A progress bar may be on the line.
  if (io.terminal.stderr) io.err(`${SHOW_CURSOR}\n`);
  return await report(new Error(message), { ...failed, logged });
}

/** Message and stack without secrets. The value that was thrown may be no error and may have no text. */
function textsOf(error: unknown, request: Request): { message: string; stack: string } {
  try {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return {
      message: withoutSecrets(message, request),
      stack: withoutSecrets(stack ?? message, request),
    };
  } catch {
    return { message: "?", stack: "?" };
  }
}
