import { basename, join, resolve } from "node:path";
import {
  type Config,
  configDir,
  homeFolder,
  indexKeyIn,
  indexKeyPath,
  type LoadedConfig,
  registryDir,
  stateDir,
} from "../config/mod.ts";
import { UsageError } from "../errors.ts";
import type { IndexKey } from "../index/mod.ts";
import { type Language, message, suggestWithConfiguration } from "../messages.ts";
import {
  expandHome,
  holdsTooMuch,
  makeNamedFolder,
  realPlaceNamed,
  unwritable,
  whyNoLogs,
} from "../sandbox/mod.ts";
import type { IndexDirs } from "../store/mod.ts";
import { withRealCollections } from "./collections.ts";
import { type FolderCommand, needsOf, type WorkerNeeds } from "./command.ts";
import { configurationFor, tellConfiguration } from "./configuration.ts";
import { abortable, type Context, warnText } from "./context.ts";
import type { Io } from "./io.ts";
import { downloadsFor, modelsFor } from "./model_places.ts";
import type { Flags } from "./options.ts";
import type { Request } from "./request.ts";
import { targetsOf } from "./targets.ts";

/**
 * Environment variables that the runtime acts on before the program's first line, too early to clear them: it writes the
 * keys of encrypted connections to the file that the first names, and connects to the socket that the second names.
 */
const OF_THE_RUNTIME = ["SSLKEYLOGFILE", "DENO_UNSTABLE_CRON_SOCK"];

/**
 * Finds out everything that a command on folders needs to know, with the permissions of the launcher: the worker that runs
 * the command must not have the key to the secrets, for example. Prints the warnings of the configuration. `onLanguage` is
 * called with the configured language as soon as it is known.
 *
 * Throws `ConfigError`, the errors of reading a configuration file and of {@linkcode targetsOf}, and `UsageError`
 * `cli_no_state_dir`, `log_dir_too_wide` and `log_dir_sensitive`.
 */
export async function prepare(
  command: FolderCommand,
  { io, operands, flags: typed, isHere, version, signal }: Context,
  onLanguage: (language: Language) => void,
): Promise<Request> {
  const load = async (file: string | undefined): Promise<LoadedConfig> => {
    const withFile = file === undefined ? typed : { ...typed, config: file };
    const { startedByClient } = command;
    const loading = configurationFor(io, withFile, {
      ...(startedByClient && { startedByClient }),
      ...(isHere && { isHere }),
    });
    const configured = await abortable(loading, signal);
    const loaded = await abortable(withRealCollections(configured), signal);
    const { language } = loaded.config;
    for (const text of loaded.warnings) warnText({ io, flags: typed, language }, text);
    return loaded;
  };
  const { config: loaded, source, by } = await load(undefined);
  suggestWithConfiguration(typed.config === undefined ? undefined : source ?? typed.config);
  const { language } = loaded;
  // The working folder stands for the collections where there are any.
  const given = isHere && Object.keys(loaded.collections).length > 0 ? { ...typed, dir: [] } : typed;
  const flags = command.setFlags?.(loaded, given) ?? given;
  for (const name of OF_THE_RUNTIME.filter((name) => io.env[name])) {
    warnText({ io, flags, language }, message(language, "cli_runtime_variable", { name }));
  }
  const others = new Map<string, LoadedConfig>();
  for (const name of command.comparedFiles?.(flags) ?? []) others.set(name, await load(name));
  const state = stateDir(io.env, Deno.build.os);
  if (state === null) throw new UsageError("cli_no_state_dir");
  const config = await withRealLogDir(loaded, state);
  const realState = await realPlaceNamed(state);
  const proxy = await proxyOf(config, io);
  onLanguage(language);

  const needs = needsOf(command, flags);
  const http = flags.http ? await (await import("./http_plan.ts")).httpPlanOf(flags, io) : undefined;
  const indexDir = await indexDirNamed(flags, io);
  const { roots, ...choice } = await targetsOf(command, {
    ...{ io, flags, language, signal, config, indexDir, stateDir: realState },
  });
  if (needs?.documents) tellConfiguration({ source, by, config, roots }, { io, flags, language });
  if (needs?.logs) await checkLogDir(config.log.dir, { roots, source, stateDir: realState, io });
  const indexDirs = await indexDirsOf(roots, indexDir, { stateDir: realState, make: needs?.index ?? false });
  return {
    ...{
      command: command.name,
      operands,
      flags,
      language,
      version,
      config,
      source,
      by,
      proxy,
      roots,
      choice,
    },
    compared: Object.fromEntries([...others].map(([name, { config }]) => [name, config])),
    stateDir: realState,
    ...await modelsFor(needs, [config, ...[...others.values()].map((other) => other.config)], {
      ...{ io, flags, language, signal },
    }),
    downloads: needs?.downloads ? await downloadsFor(config, io) : undefined,
    ownPlaces: [
      ...await ownPlacesOf([{ config, source }, ...others.values()], realState, io),
      ...Object.values(indexDirs),
    ],
    indexDirs,
    named: await command.namedPaths?.({ operands, flags, roots, cwd: io.cwd }) ?? [],
    indexKey: await keyFor(needs?.indexKey ?? "read", realState),
    http,
    permissions: undefined,
  };
}

/** Real path of the folder of `--index-dir`, which may not exist yet. */
async function indexDirNamed(
  { indexDir }: Pick<Flags, "indexDir">,
  { cwd, env }: Io,
): Promise<string | undefined> {
  return indexDir === undefined
    ? undefined
    : await realPlaceNamed(resolve(cwd, expandHome(indexDir, homeFolder(env, Deno.build.os))));
}

/**
 * The data folders that are not `DIR/.muxue_rag`: with `--index-dir` (`base`) one in that folder for each of `roots`,
 * otherwise those that the list of indexed folders names. `make`: the folder of `--index-dir` is made if it is missing.
 * Throws `data_folder_unwritable` and `disk_full`.
 */
async function indexDirsOf(
  roots: readonly string[],
  base: string | undefined,
  { stateDir, make }: { stateDir: string; make: boolean },
): Promise<IndexDirs> {
  if (roots.length === 0) return {};
  const { dataFolderIn, indexDirOf } = await import("../registry/mod.ts");
  const dirs: Record<string, string> = {};
  if (base === undefined) {
    for (const root of roots) {
      const known = await indexDirOf(stateDir, root);
      if (known !== undefined) dirs[root] = known;
    }
    return dirs;
  }
  if (make) {
    await makeNamedFolder(base, 0o700).catch((error) => {
      throw unwritable(error, base);
    });
  }
  for (const root of roots) dirs[root] = dataFolderIn(base, root);
  return dirs;
}

/** The key of indexes. */
async function keyFor(need: WorkerNeeds["indexKey"], stateDir: string): Promise<IndexKey> {
  switch (need) {
    case "none":
      return crypto.getRandomValues(new Uint8Array(32));
    case "read":
      return await indexKeyIn(stateDir, { create: false });
    case "make":
      return await indexKeyIn(stateDir, { create: true });
    case "make if possible":
      try {
        return await indexKeyIn(stateDir, { create: true });
      } catch (error) {
        if (error instanceof UsageError) throw error;
        return await indexKeyIn(stateDir, { create: false });
      }
  }
}

async function proxyOf(config: Config, { env }: Pick<Io, "env">): Promise<string | undefined> {
  const { base_url: address } = config.embedding;
  return address === null ? undefined : (await import("../remote/mod.ts")).proxyFor(address, env);
}

/**
 * The configuration with the real path of the log folder, since permissions are given for real paths. Links on the way are
 * followed. The default folder, which the user did not name, must not be a link itself: the log then says that it is not
 * written.
 */
async function withRealLogDir(config: Config, state: string): Promise<Config> {
  const { dir } = config.log;
  if (dir === null) return config;
  const real = dir === join(state, basename(dir))
    ? join(await realPlaceNamed(state), basename(dir))
    : await realPlaceNamed(dir);
  return { ...config, log: { ...config.log, dir: real } };
}

/**
 * Throws `UsageError` for a log folder that a locked worker must not write to, since it may write everything in there:
 * folders that hold documents, the configuration or the key, and places that other programs read their settings from.
 */
async function checkLogDir(
  dir: string | null,
  { roots, source, stateDir, io: { env } }: Pick<Request, "roots" | "source" | "stateDir"> & { io: Io },
): Promise<void> {
  if (dir === null) return;
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

/**
 * Real paths of the program's own files and folders, which are never indexed: the configuration files in effect, the folders
 * of the user's configuration and state, and the logs. `configurations`: the one in effect, and those compared with it.
 */
async function ownPlacesOf(
  configurations: readonly Pick<LoadedConfig, "config" | "source">[],
  stateDir: string,
  { env }: Pick<Io, "env">,
): Promise<string[]> {
  const places = [
    ...configurations.flatMap(({ source, config }) => [source, config.log.dir]),
    configDir(env, Deno.build.os),
    stateDir,
    // Named on its own, since the state folder may be the folder that is indexed.
    registryDir(stateDir),
  ];
  return await Promise.all([...new Set(places)].filter((place) => place !== null).map(realPlaceNamed));
}
