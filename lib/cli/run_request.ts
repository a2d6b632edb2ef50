import { commandNamed } from "./commands/mod.ts";
import { abortable } from "./context.ts";
import { interrupts } from "./interrupts.ts";
import type { Io } from "./io.ts";
import { report } from "./report.ts";
import type { Request } from "./request.ts";
import type { Session } from "./session.ts";
import { untilUncaught } from "./uncaught.ts";

/** Imports the code of a command on folders, and that which opens its session. */
export async function loadCommand(
  name: string,
): Promise<[(session: Session) => Promise<number>, typeof import("./open_session.ts")]> {
  const command = commandNamed(name);
  if (command.folders === undefined) throw new TypeError(`${name} does not work on folders`);
  return await Promise.all([command.load(), import("./open_session.ts")]);
}

/** Runs the request of a command on folders in this thread and gives the exit code. Never throws. */
export async function runRequest(request: Request, io: Io): Promise<number> {
  const { command, language, flags } = request;
  let logged = false;
  using interrupt = interrupts(io, () => language);
  const { signal } = interrupt;
  try {
    const [run, { openSession }] = await loadCommand(command);
    await using session = await abortable(openSession(request, io, signal), signal);
    try {
      return await run(session);
    } catch (error) {
      const detail = error instanceof Error ? error.stack : String(error);
      session.log[signal.aborted ? "info" : "error"]("failed", { command, error: detail });
      logged = session.log.problem === undefined;
      throw error;
    }
  } catch (error) {
    return await report(error, { io, language, command, json: flags.json ?? false, logged });
  }
}

/** Like {@linkcode runRequest}, in a thread of its own: an error that nothing catches is reported and ends the run. */
export async function runGuarded(request: Request, io: Io): Promise<number> {
  // Imported here, since it needs the log, which the launcher does not.
  const { reportUncaught } = await import("./crash.ts");
  return await untilUncaught(
    () => runRequest(request, io),
    (error) => reportUncaught(error, request, io),
  );
}
