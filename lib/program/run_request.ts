/**
 * Runs the request of a command on folders in this thread: loads the command, opens its session, reports its errors.
 * The locked worker begins here, so nothing is loaded that only the launcher needs.
 */
import { suggestWithConfiguration } from "#foundation/messages/start.ts";
import { commandNamed } from "./commands/declarations.ts";
import { abortable, Interrupted } from "./context.ts";
import type { Io } from "./io.ts";
import { interrupts, report } from "./report.ts";
import type { Request, Session } from "./request.ts";

/** Like {@linkcode runRequest}, in a separate thread. An uncaught error is reported and ends the run. */
export async function runGuarded(request: Request, io: Io): Promise<number> {
  // Imported here, since it needs the log, which the launcher does not.
  const { reportUncaught } = await import("./open_session.ts");
  return await untilUncaught(
    () => runRequest(request, io),
    (error) => reportUncaught(error, request, io),
  );
}

/** Runs the request of a command on folders in this thread and gives the exit code. Never throws. */
export async function runRequest(request: Request, io: Io): Promise<number> {
  const { command, language, flags, source } = request;
  suggestWithConfiguration(flags.config === undefined ? undefined : source ?? flags.config);
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

/** Imports the code of a command on folders, and that which opens its session. */
export async function loadCommand(
  name: string,
): Promise<[(session: Session) => Promise<number>, typeof import("./open_session.ts")]> {
  const command = commandNamed(name);
  if (command.folders === undefined) throw new TypeError(`${name} does not work on folders`);
  // One after the other: what two imports share is loaded twice if they run at the same time.
  const opening = await import("./open_session.ts");
  return [await command.load(), opening];
}

/**
 * The exit code of `work`, or that of `onUncaught` as soon as an error in this thread is not caught. `onUncaught` gets only
 * the first such error, since later ones are mostly its consequences. The runtime would print the error unchanged, with
 * secrets and control characters.
 */
function untilUncaught(
  work: () => Promise<number>,
  onUncaught: (error: unknown) => Promise<number>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let failed = false;
    const fail = (event: Event, error: unknown) => {
      event.preventDefault();
      // These are no faults: the work ends in order.
      const isOrderly = error instanceof Interrupted || error instanceof Deno.errors.BrokenPipe;
      if (failed || isOrderly) return;
      failed = true;
      resolve(onUncaught(error));
    };
    globalThis.addEventListener("error", (event) => fail(event, event.error ?? event.message));
    globalThis.addEventListener("unhandledrejection", (event) => fail(event, event.reason));
    // The first result counts. resolve(work()) would settle on the work alone.
    work().then(resolve, reject);
  });
}
