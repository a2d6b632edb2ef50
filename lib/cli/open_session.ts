import { maskSecrets } from "../config/mod.ts";
import { Extractor } from "../extract/mod.ts";
import { printable } from "../messages.ts";
import { warnText } from "./context.ts";
import type { Io } from "./io.ts";
import { OpenModels } from "./open_models.ts";
import type { Request } from "./request.ts";
import type { Session } from "./session.ts";
import { hasLog, startSessionLog } from "./session_log.ts";

/** Processes that read documents at the same time. This thread splits and indexes the text meanwhile. */
const EXTRACTORS = 2;

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
  if (hasLog(request) && log.problem !== undefined) warnText(session, printable(log.problem));
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
