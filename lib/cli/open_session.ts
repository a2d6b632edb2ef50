import { maskSecrets } from "../config/mod.ts";
import { Extractor } from "../extract/mod.ts";
import { printable } from "../messages.ts";
import { warnText } from "./context.ts";
import type { Context } from "./context.ts";
import type { Preparation } from "./prepare.ts";
import type { Session } from "./session.ts";
import { hasLog, startSessionLog } from "./session_log.ts";

/** Processes that read documents at once: this thread cuts and indexes meanwhile. */
const EXTRACTORS = 2;

/** Starts the log of a command on folders; disposing of the session ends it. */
export async function openSession(
  context: Context & Preparation,
  permissions?: Deno.PermissionOptionsObject,
): Promise<Session & AsyncDisposable> {
  const {
    task: { command },
    configuration: { config, source },
    compared,
    roots,
    ownPlaces,
    backup,
    proxy,
    stateDir,
    indexKey,
  } = context;
  const log = await startSessionLog(context);
  const { io, flags, operands, language, version, signal } = context;
  const session: Session = {
    ...{ io, flags, operands, language, version, signal },
    ...{ config, source, compared, roots, ownPlaces, backup, stateDir, log },
    ...{ proxy, permissions, indexKey },
    extractor: new Extractor(io.openExtractor, { processes: EXTRACTORS }),
  };
  if (hasLog(context) && log.problem !== undefined) warnText(session, printable(log.problem));
  log.info("start", { command, version, os: Deno.build.os, dirs: flags.dir });
  log.info("config", { source, ...maskSecrets(config) });
  return {
    ...session,
    [Symbol.asyncDispose]: async () => {
      session.extractor[Symbol.dispose]();
      await log.close();
    },
  };
}
