import { basename, join, resolve } from "node:path";
import {
  configDir,
  homeFolder,
  indexKeyIn,
  indexKeyPath,
  type LoadedConfig,
  stateDir,
} from "../config/mod.ts";
import { UsageError } from "../errors.ts";
import type { IndexKey } from "../index/mod.ts";
import { message } from "../messages.ts";
import type { BackupFile } from "../ingest/mod.ts";
import { holdsTooMuch, isLockedCommand, mayLog, maySeal, realPlaceNamed, whyNoLogs } from "../sandbox/mod.ts";
import { backupFile } from "./backup_file.ts";
import type { FolderCommand } from "./commands.ts";
import { configurationFor } from "./configuration.ts";
import { abortable, warnText } from "./context.ts";
import type { Context } from "./context.ts";
import { comparedFiles } from "./eval/compared.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";
import { ownPlacesOf } from "./own_places.ts";
import { targetsOf } from "./targets.ts";

/**
 * Variables that the runtime acts upon before the program's first line runs, so that clearing them would be too late: it
 * writes the keys of encrypted connections to one, and connects to the other.
 */
const OF_THE_RUNTIME = ["SSLKEYLOGFILE", "DENO_UNSTABLE_CRON_SOCK"];

/** A command line that was read, of a command on folders. */
export interface Task {
  readonly command: FolderCommand;
  readonly operands: readonly string[];
  readonly flags: Flags;
}

/** A task, and what the user has configured. */
export interface Configured extends Pick<Context, "language" | "version"> {
  readonly task: Task;
  /** The configuration in effect, its secrets decrypted, the log folder's path real. */
  readonly configuration: LoadedConfig;
  /** Those of `--compare`, by the names given there. */
  readonly compared: Readonly<Record<string, LoadedConfig>>;
  /** The user's state folder, its path real: logs, and the registry of processed folders. */
  readonly stateDir: string;
  /** `host:port` of the proxy of the environment that the embedding server is reached by, if there is one. */
  readonly proxy?: string | undefined;
}

/**
 * All that a command on folders needs of the world beside them. It is fetched before the command runs, which may then be
 * locked in: the key to the secrets, for one, is not for the thread that reads documents.
 */
export interface Preparation extends Configured {
  /** The real paths of the folders. */
  readonly roots: readonly string[];
  /** Real paths of the program's own files and folders, which are no documents. */
  readonly ownPlaces: readonly string[];
  /** The file that a backup becomes, where one is made. */
  readonly backup: BackupFile | undefined;
  /** The key that indexes are sealed and checked with. Only the launcher reads it. */
  readonly indexKey: IndexKey;
}

/**
 * Loads the configuration and says its warnings. Throws `ConfigError`, what reading its file throws, and `UsageError`
 * `cli_no_state_dir`.
 */
export async function configure(task: Task, context: Context): Promise<Configured> {
  const { io, version, signal } = context;
  const load = async (flags: Flags): Promise<LoadedConfig> => {
    const loaded = await abortable(configurationFor(io, flags, task.command), signal);
    for (const text of loaded.warnings) warnText({ ...context, language: loaded.config.language }, text);
    return loaded;
  };
  const configuration = await load(task.flags);
  for (const name of OF_THE_RUNTIME.filter((name) => io.env[name])) {
    const text = message(configuration.config.language, "cli_runtime_variable", { name });
    warnText({ ...context, language: configuration.config.language }, text);
  }
  const compared: Record<string, LoadedConfig> = {};
  for (const name of comparedFiles(task)) compared[name] = await load({ ...task.flags, config: name });
  const { language } = configuration.config;
  const state = stateDir(io.env, Deno.build.os);
  if (state === null) throw new UsageError("cli_no_state_dir");
  return {
    task: await withRealPaths(task, io),
    configuration: await withRealLogDir(configuration, state),
    compared,
    language,
    version,
    stateDir: await realPlaceNamed(state),
    proxy: await proxyOf(configuration, io),
  };
}

/** Finds the folders. Throws as {@linkcode targetsOf} does, and `UsageError` `log_dir_too_wide` and `log_dir_sensitive`. */
export async function prepare(configured: Configured, context: Context): Promise<Preparation> {
  const { task: { command, flags }, configuration: { config }, language, stateDir } = configured;
  const { io } = context;
  const roots = await targetsOf(command, { ...context, language, config, stateDir });
  await checkLogDir(configured, roots, io);
  const [root] = roots;
  return {
    ...configured,
    roots,
    ownPlaces: await ownPlacesOf(
      [configured.configuration, ...Object.values(configured.compared)],
      stateDir,
      io,
    ),
    backup: command === "backup" && root !== undefined
      ? await backupFile(root, flags.backupPath, io.cwd)
      : undefined,
    indexKey: await keyFor(command, flags, stateDir),
  };
}

/**
 * The key of indexes, made where it is missing and the command may write indexes. A server makes it as well, where it can: it
 * is to believe the indexes that are made while it runs.
 */
async function keyFor(command: Task["command"], flags: Flags, stateDir: string): Promise<IndexKey> {
  // neither opens an index: a key that cannot be read must not stop them, and they need not have it
  if (command === "extract" || command === "clean") return crypto.getRandomValues(new Uint8Array(32));
  const seals = isLockedCommand(command) && maySeal(command, flags);
  if (seals || command !== "serve") return await indexKeyIn(stateDir, { create: seals });
  try {
    return await indexKeyIn(stateDir, { create: true });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return await indexKeyIn(stateDir, { create: false });
  }
}

async function proxyOf({ config }: LoadedConfig, { env }: Pick<Io, "env">): Promise<string | undefined> {
  const { base_url: address } = config.embedding;
  return address === null ? undefined : (await import("../embedding/mod.ts")).proxyFor(address, env);
}

// A locked process may touch real paths, and for some things the runtime looks where a path leads.

async function withRealPaths(task: Task, { cwd }: Pick<Io, "cwd">): Promise<Task> {
  if (task.command !== "restore") return task;
  return {
    ...task,
    operands: await Promise.all(task.operands.map((path) => realPlaceNamed(resolve(cwd, path)))),
  };
}

/**
 * With the real path of the log folder. Links on the way are followed, but the default folder, which nobody named, must not
 * be one itself: the log then says that it is not written.
 */
async function withRealLogDir(loaded: LoadedConfig, state: string): Promise<LoadedConfig> {
  const { config } = loaded;
  const { dir } = config.log;
  if (dir === null) return loaded;
  const real = dir === join(state, basename(dir))
    ? join(await realPlaceNamed(state), basename(dir))
    : await realPlaceNamed(dir);
  return { ...loaded, config: { ...config, log: { ...config.log, dir: real } } };
}

/**
 * A locked process may write everything in the log folder: neither documents nor a configuration nor a key may be in there,
 * nor may that be a place that other programs read their settings from.
 */
async function checkLogDir(
  { task: { command }, configuration: { config: { log: { dir } }, source }, stateDir }: Configured,
  roots: readonly string[],
  { env }: Pick<Io, "env">,
): Promise<void> {
  if (dir === null || !isLockedCommand(command) || !mayLog(command)) return;
  const home = homeFolder(env, Deno.build.os) ?? null;
  const [realHome, ...others] = await Promise.all(
    [home, source, configDir(env, Deno.build.os), indexKeyPath(stateDir)].map((path) =>
      path === null ? undefined : realPlaceNamed(path)
    ),
  );
  if (holdsTooMuch(dir, [...roots, ...others.filter((path) => path !== undefined)], realHome)) {
    throw new UsageError("log_dir_too_wide", { dir });
  }
  const place = whyNoLogs(dir, { home: realHome, stateDir });
  if (place !== null) throw new UsageError("log_dir_sensitive", { dir, place });
}
