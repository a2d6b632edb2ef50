import { type Log, startLog } from "../log/mod.ts";
import { isLockedCommand, mayLog } from "../sandbox/mod.ts";
import type { Preparation } from "./prepare.ts";
import { secretsOf } from "./secrets.ts";

/** Whether a command on folders has a log. */
export function hasLog({ task: { command } }: Pick<Preparation, "task">): boolean {
  return !isLockedCommand(command) || mayLog(command);
}

/** Starts the log of a command on folders, a silent one where it has none. */
export async function startSessionLog(preparation: Preparation): Promise<Log> {
  const { config } = preparation.configuration;
  const { dir, level, "retention_days": retentionDays } = config.log;
  return await startLog({
    dir: hasLog(preparation) ? dir : null,
    level,
    retentionDays,
    secrets: secretsOf(preparation),
    language: config.language,
  });
}
