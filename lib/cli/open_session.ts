import { maskSecrets, secretForms, secretValues, stateDir } from "../config/mod.ts";
import { LazyTable } from "../embedding/mod.ts";
import { UsageError } from "../errors.ts";
import { startLog } from "../log/mod.ts";
import { configurationFor } from "./configuration.ts";
import { warnText } from "./context.ts";
import type { Context } from "./context.ts";
import type { CommandName } from "./options.ts";
import type { Session } from "./session.ts";

/**
 * Loads the configuration and starts the log; disposing of the session ends the log. Throws `ConfigError`, and
 * `UsageError` where there is no state folder.
 */
export async function openSession(
  context: Context,
  command: CommandName,
): Promise<Session & AsyncDisposable> {
  const { io, flags, version } = context;
  const { config, source, warnings } = await configurationFor(io, flags);
  const spoken = { ...context, language: config.language };
  for (const text of warnings) warnText(spoken, text);
  const state = stateDir(io.env, Deno.build.os);
  if (state === null) throw new UsageError("cli_no_state_dir");
  const { dir, level, "retention_days": retentionDays } = config.log;
  const secrets = secretValues(config).flatMap(secretForms);
  const log = await startLog({ dir, level, retentionDays, secrets, language: config.language });
  if (log.problem !== undefined) warnText(spoken, log.problem);
  log.info("start", { command, version, os: Deno.build.os, dirs: flags.dir });
  log.info("config", { source, ...maskSecrets(config) });
  return {
    ...spoken,
    config,
    log,
    stateDir: state,
    table: new LazyTable(),
    [Symbol.asyncDispose]: () => log.close(),
  };
}
