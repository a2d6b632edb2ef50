import { type LoadedConfig, stateDir } from "../config/mod.ts";
import { UsageError } from "../errors.ts";
import type { FolderCommand } from "./commands.ts";
import { configurationFor } from "./configuration.ts";
import { abortable, warnText } from "./context.ts";
import type { Context } from "./context.ts";
import { comparedFiles } from "./eval/compared.ts";
import type { Flags } from "./options.ts";
import { targetsOf } from "./targets.ts";

/** A command line that was read, of a command on folders. */
export interface Task {
  readonly command: FolderCommand;
  readonly operands: readonly string[];
  readonly flags: Flags;
}

/** A task, and what the user has configured. */
export interface Configured extends Pick<Context, "language" | "version"> {
  readonly task: Task;
  /** The configuration in effect, its secrets decrypted. */
  readonly configuration: LoadedConfig;
  /** Those of `--compare`, by the names given there. */
  readonly compared: Readonly<Record<string, LoadedConfig>>;
  /** The user's state folder: logs, and the registry of processed folders. */
  readonly stateDir: string;
}

/**
 * All that a command on folders needs of the world beside them. It is fetched before the command runs, which may then be
 * locked in: the key to the secrets, for one, is not for the thread that reads documents.
 */
export interface Preparation extends Configured {
  /** The real paths of the folders. */
  readonly roots: readonly string[];
}

/**
 * Loads the configuration and says its warnings. Throws `ConfigError`, what reading its file throws, and `UsageError`
 * `cli_no_state_dir`.
 */
export async function configure(task: Task, context: Context): Promise<Configured> {
  const { io, version, signal } = context;
  const load = async (flags: Flags): Promise<LoadedConfig> => {
    const loaded = await abortable(configurationFor(io, flags), signal);
    for (const text of loaded.warnings) warnText({ ...context, language: loaded.config.language }, text);
    return loaded;
  };
  const configuration = await load(task.flags);
  const compared: Record<string, LoadedConfig> = {};
  for (const name of comparedFiles(task)) compared[name] = await load({ ...task.flags, config: name });
  const { language } = configuration.config;
  const state = stateDir(io.env, Deno.build.os);
  if (state === null) throw new UsageError("cli_no_state_dir");
  return { task, configuration, compared, language, version, stateDir: state };
}

/** Finds the folders. Throws as {@linkcode targetsOf} does. */
export async function prepare(configured: Configured, context: Context): Promise<Preparation> {
  const { task, configuration: { config }, language, stateDir } = configured;
  const roots = await targetsOf(task.command, { ...context, language, config, stateDir });
  return { ...configured, roots };
}
