import type { Command } from "./context.ts";
import type { CommandName } from "./options.ts";
import type { SessionCommand } from "./session.ts";

// Commands are loaded when they are asked for: `--version` and `serve` must not wait for what others need.

/** The commands on folders. */
export const ON_FOLDERS = {
  "index": async () => (await import("./commands/index.ts")).index,
  "search": async () => (await import("./commands/search.ts")).search,
  "serve": async () => (await import("./commands/serve.ts")).serve,
  "status": async () => (await import("./commands/status.ts")).status,
  "doctor": async () => (await import("./commands/doctor.ts")).doctor,
  "reembed": async () => (await import("./commands/reembed.ts")).reembed,
  "clean": async () => (await import("./commands/clean.ts")).clean,
  "backup": async () => (await import("./commands/backup.ts")).backup,
  "restore": async () => (await import("./commands/restore.ts")).restore,
  "eval": async () => (await import("./commands/eval.ts")).evaluation,
  "extract": async () => (await import("./commands/extract.ts")).extract,
  "setup": async () => (await import("./commands/setup.ts")).setup,
} satisfies Partial<Record<CommandName, () => Promise<SessionCommand>>>;

/** The name of a command on folders. */
export type FolderCommand = keyof typeof ON_FOLDERS;

/** Whether a command works on folders. */
export function isFolderCommand(name: CommandName): name is FolderCommand {
  return Object.hasOwn(ON_FOLDERS, name);
}

/**
 * The others. Those that are `spoken` speak the configuration's language, whatever else is wrong with it; `plain` ones
 * that of the command line and the environment.
 */
export const OTHERS: Readonly<
  Record<Exclude<CommandName, FolderCommand>, () => Promise<{ plain: Command } | { spoken: Command }>>
> = {
  "config check": async () => ({ plain: (await import("./commands/config_check.ts")).configCheck }),
  "config init": async () => ({ plain: (await import("./commands/config_init.ts")).configInit }),
  "config encrypt": async () => ({ spoken: (await import("./commands/config_encrypt.ts")).configEncrypt }),
  "config decrypt": async () => ({ spoken: (await import("./commands/config_decrypt.ts")).configDecrypt }),
  "licenses": async () => ({ spoken: (await import("./commands/licenses.ts")).licenses }),
  "version": async () => ({ plain: (await import("./commands/version.ts")).version }),
};
