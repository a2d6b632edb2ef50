import { type Log, startLog } from "../log/mod.ts";
import { needsOf } from "./command.ts";
import { commandNamed } from "./commands/mod.ts";
import type { CommandLine, Request } from "./request.ts";
import { secretsOf } from "./secrets.ts";

/** Whether a command writes a log. In the launcher's own thread every command on folders does. */
export function hasLog({ command, flags }: Pick<CommandLine, "command" | "flags">): boolean {
  const needs = needsOf(commandNamed(command), flags);
  return needs === undefined || needs.logs === true;
}

/** Starts the log of a command on folders. The log of a command that writes none discards everything. */
export async function startSessionLog(request: Request): Promise<Log> {
  const { config } = request;
  const { dir, level, "retention_days": retentionDays } = config.log;
  return await startLog({
    dir: hasLog(request) ? dir : null,
    level,
    retentionDays,
    secrets: secretsOf(request),
    language: config.language,
  });
}
