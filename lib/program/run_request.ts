/**
 * Runs the request of a command on folders in this thread: loads the command, opens its session, reports its errors.
 * The locked worker begins here, so nothing is loaded that only the launcher needs.
 */
import { traceOf } from "#foundation/errors.ts";
import { suggestWithConfiguration } from "#foundation/messages/start.ts";
import { commandNamed } from "./commands/declarations.ts";
import { abortable, Interrupted, warnText } from "./context.ts";
import type { Io } from "./io.ts";
import { interrupts, report, SHOW_CURSOR } from "./report.ts";
import type { CommandLine, Request, Session } from "./request.ts";
import { secretsOf, withoutSecrets } from "./secrets_in_texts.ts";
import type { OpenedModels, openModels } from "./session_models.ts";
import type { OpenedTraces } from "./session_traces.ts";
import { maskSecrets } from "#foundation/configuration/mod.ts";
import { Extractor } from "#library/extract/mod.ts";
import { type Log, startLog } from "#foundation/log.ts";
import { needsOf } from "./command.ts";

/** Like {@linkcode runRequest}, in a separate thread. An uncaught error is reported and ends the run. */
export async function runGuarded(request: Request, io: Io): Promise<number> {
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
    const run = await loadCommand(command);
    await using session = await abortable(openSession(request, io, signal), signal);
    try {
      return await run(session);
    } catch (error) {
      session.log[signal.aborted ? "info" : "error"]("failed", { command, error: traceOf(error) });
      logged = session.log.problem === undefined;
      throw error;
    }
  } catch (error) {
    return await report(error, { io, language, command, json: flags.json ?? false, logged });
  }
}

/** Imports the code of a command on folders. */
export async function loadCommand(name: string): Promise<(session: Session) => Promise<number>> {
  const command = commandNamed(name);
  if (command.folders === undefined) throw new TypeError(`${name} does not work on folders`);
  return await command.load();
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

/** Processes that read documents at the same time. This thread splits and indexes the text meanwhile. */
const EXTRACTORS = 2;

/** Time for which the log of a server is held, in milliseconds, so that a client's first request is answered before. */
const HELD_MS = 100;

/** Starts the log and the readers of documents for a request. Disposing of the session ends them. */
async function openSession(
  request: Request,
  io: Io,
  signal: AbortSignal,
): Promise<Session & AsyncDisposable> {
  const { command, version, flags, source, config } = request;
  const log = await startSessionLog(request);
  const extractor = new Extractor(io.openExtractor, { processes: EXTRACTORS });
  const models = new OpenModels(request, (text) => warnText(session, text));
  const languageModels = lateLanguageModels(() => session);
  const recorder = lateTraces(request, log);
  const session: Session = {
    ...request,
    io,
    signal,
    log,
    extractor,
    models: models.of,
    languageModels,
    traces: recorder.open,
  };
  if (hasLog(request) && log.problem !== undefined) {
    const { key, params } = log.problem;
    (await import("./say.ts")).warn(session, key, params);
  }
  log.info("start", { command, version, os: Deno.build.os, dirs: flags.dir });
  log.info("config", { source, ...maskSecrets(config) });
  return {
    ...session,
    [Symbol.asyncDispose]: async () => {
      extractor[Symbol.dispose]();
      models[Symbol.dispose]();
      await recorder.close();
      await log.close();
    },
  };
}

/**
 * The neural models of a session: opened when a command asks for them, each pair of local ones once. `warn` is told in the
 * user's language why models cannot be used. Disposing of it ends their threads.
 */
class OpenModels implements Disposable {
  readonly of: Session["models"];
  readonly #opened = new Map<string, Promise<OpenedModels | undefined>>();

  constructor(request: Request, warn: (text: string) => void) {
    this.of = async ({ embedding } = request.config) => {
      const { provider, local } = embedding;
      if (provider === "builtin" || provider === "none") return undefined;
      const name = JSON.stringify(provider === "local" ? local : embedding);
      const opened = this.#opened.get(name) ?? openLate(embedding, request, warn);
      this.#opened.set(name, opened);
      return await opened;
    };
  }

  [Symbol.dispose](): void {
    for (const opened of this.#opened.values()) {
      opened.then((models) => models?.[Symbol.dispose]?.(), () => {});
    }
  }
}

async function openLate(...given: Parameters<typeof openModels>): Promise<OpenedModels | undefined> {
  const { openModels } = await import("./session_models.ts");
  return await openModels(...given);
}

/** Returns a function that opens the language models of a session when it is first called. */
function lateLanguageModels(session: () => Session): Session["languageModels"] {
  let opened: ReturnType<Session["languageModels"]> | undefined;
  const open = async () => {
    const { config: { llm, vision_llm: vision } } = session();
    if (llm.provider === "none" && vision.provider === "none") return undefined;
    const [{ LanguageModels }, { warn }] = await Promise.all([
      import("./language_models.ts"),
      import("./say.ts"),
    ]);
    return new LanguageModels(session(), (key, params) => warn(session(), key, params));
  };
  return () => opened ??= open();
}

/** The recorder of a session, opened by the first work that is traced. */
function lateTraces(request: Request, log: Log): Pick<OpenedTraces, "close"> & { open: Session["traces"] } {
  let opened: Promise<OpenedTraces> | undefined;
  const load = async () => {
    const { openTraces } = await import("./session_traces.ts");
    return await openTraces(request, { log, isLogged: hasLog(request) });
  };
  return {
    open: async () => {
      if (request.config.observability.traces === "off") return undefined;
      return (await (opened ??= load())).traces;
    },
    close: async () => await (await opened)?.close(),
  };
}

/** Whether a command writes a log. In the launcher's own thread every command on folders does. */
function hasLog({ command, flags }: Pick<CommandLine, "command" | "flags">): boolean {
  const needs = needsOf(commandNamed(command), flags);
  return needs === undefined || needs.logs === true;
}

/** Starts the log of a command on folders. The log of a command that writes none discards everything. */
async function startSessionLog(request: Request): Promise<Log> {
  const { command, config } = request;
  const { dir, level, "retention_days": retentionDays } = config.log;
  return await startLog({
    dir: hasLog(request) ? dir : null,
    level,
    retentionDays,
    secrets: secretsOf(request),
    heldMs: command === "serve" ? HELD_MS : 0,
  });
}

/**
 * Reports an error that nothing caught, without secrets, on stderr and in the log, and gives the exit code. It opens the log
 * itself, since the command's session is out of reach and may be the cause. Never throws.
 */
async function reportUncaught(error: unknown, request: Request, io: Io): Promise<number> {
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
