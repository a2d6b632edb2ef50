/**
 * The session of a command on folders: its log, readers of documents and local models,
 * and the report of an error that nothing caught.
 */
import { maskSecrets } from "#foundation/configuration/mod.ts";
import { Extractor } from "#library/extract/mod.ts";
import { warnText } from "./context.ts";
import type { Io } from "./io.ts";
import { type CommandLine, type Request, secretsOf, type Session, withoutSecrets } from "./request.ts";
import { type Log, startLog } from "#foundation/log.ts";
import { OpenModels } from "./open_models.ts";
import { needsOf } from "./command.ts";
import { commandNamed } from "./commands/declarations.ts";
import { report, SHOW_CURSOR } from "./report.ts";

/** Processes that read documents at the same time. This thread splits and indexes the text meanwhile. */
const EXTRACTORS = 2;

/** Time for which the log of a server is held, in milliseconds, so that a client's first request is answered before. */
const HELD_MS = 100;

/** Starts the log and the readers of documents for a request. Disposing of the session ends them. */
export async function openSession(
  request: Request,
  io: Io,
  signal: AbortSignal,
): Promise<Session & AsyncDisposable> {
  const { command, version, flags, source, config } = request;
  const log = await startSessionLog(request);
  const extractor = new Extractor(io.openExtractor, { processes: EXTRACTORS });
  const models = new OpenModels(request, (text) => warnText(session, text));
  const session: Session = { ...request, io, signal, log, extractor, models: (config) => models.of(config) };
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
      await log.close();
    },
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
