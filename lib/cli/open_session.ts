import { maskSecrets, secretForms, secretValues } from "../config/mod.ts";
import { startLog } from "../log/mod.ts";
import { isLockedCommand, mayLog } from "../sandbox/mod.ts";
import { warnText } from "./context.ts";
import type { Context } from "./context.ts";
import type { Preparation } from "./prepare.ts";
import type { Session } from "./session.ts";

/** Starts the log of a command on folders; disposing of the session ends it. */
export async function openSession(
  context: Context & Preparation,
  permissions?: Deno.PermissionOptionsObject,
): Promise<Session & AsyncDisposable> {
  const { task: { command }, configuration: { config, source }, compared, roots, stateDir } = context;
  const { dir, level, "retention_days": retentionDays } = config.log;
  const secrets = [config, ...Object.values(compared).map(({ config }) => config)].flatMap(secretValues);
  const mayWrite = !isLockedCommand(command) || mayLog(command);
  const log = await startLog({
    dir: mayWrite ? dir : null,
    level,
    retentionDays,
    secrets: secrets.flatMap(secretForms),
    language: config.language,
  });
  const { io, flags, operands, language, version, signal } = context;
  const session: Session = {
    ...{ io, flags, operands, language, version, signal },
    ...{ config, source, compared, roots, stateDir, log },
    permissions,
  };
  if (mayWrite && log.problem !== undefined) warnText(session, log.problem);
  log.info("start", { command, version, os: Deno.build.os, dirs: flags.dir });
  log.info("config", { source, ...maskSecrets(config) });
  return { ...session, [Symbol.asyncDispose]: () => log.close() };
}
