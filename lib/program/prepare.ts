/**
 * Everything that the launcher finds out for a command on folders, with its full permissions:
 * configuration, folders, keys, logs, models, downloads.
 */
import { basename, join, resolve } from "node:path";
import {
  type Config,
  configDir,
  homeFolder,
  indexKeyIn,
  indexKeyPath,
  type LoadedConfig,
  modelsDir,
  registryDir,
  sharedName,
  stateDir,
} from "#foundation/configuration/mod.ts";
import { UsageError, UserError } from "#foundation/errors.ts";
import type { IndexKey } from "#engine/index/mod.ts";
import { type Language, suggestWithConfiguration } from "#foundation/messages/start.ts";
import {
  expandHome,
  holdsTooMuch,
  isNamedFolder,
  makeNamedFolder,
  readNamed,
  realPlaceNamed,
  unwritable,
  whyNoLogs,
} from "#foundation/boundary/mod.ts";
import { dataFolderIn, indexDirOf } from "#foundation/registry.ts";
import type { IndexDirs } from "#library/store/mod.ts";
import { configurationFor, withRealCollections } from "./configuration.ts";
import { type FolderCommand, needsOf, type WorkerNeeds } from "./command.ts";
import { abortable, type Context, type MessageContext, warnText } from "./context.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";
import type { Downloads, Request } from "./request.ts";
import { targetsOf } from "./targets.ts";
import type { installBundled } from "#models/install/mod.ts";

/** The texts of warnings. Most starts have none. */
const say = () => import("./say.ts");

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
    const loading = configurationFor(io, withFile, { startedByClient: command.startedByClient, isHere });
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
    (await say()).warn({ io, flags, language }, "cli_runtime_variable", { name });
  }
  const others = new Map<string, LoadedConfig>();
  for (const name of command.comparedFiles?.(flags) ?? []) others.set(name, await load(name));
  const state = stateDir(io.env, Deno.build.os);
  if (state === null) throw new UsageError("cli_no_state_dir");
  const withLogs = await withRealLogDir(loaded, state);
  const realState = await realPlaceNamed(state);
  const proxy = await proxyOf(withLogs, io);
  onLanguage(language);

  const needs = needsOf(command, flags);
  const http = flags.http
    // The pages have a token of their own.
    ? await (await import("./http_plan.ts")).httpPlanOf(
      flags,
      io,
      command.startedByClient ? withLogs.mcp.tokens : [],
      () => hasPeople(withLogs, realState),
    )
    : undefined;
  const indexDir = await indexDirNamed(flags, io);
  const context = { io, flags, language, signal };
  const search = { ...context, config: withLogs, indexDir, stateDir: realState };
  const { roots, ...choice } = await targetsOf(command, search);
  checkStoredNames(withLogs, roots);
  if (needs?.documents && source !== null) {
    (await say()).tellConfiguration({ source, by, config: withLogs, roots }, context);
  }
  if (needs?.logs) await checkLogDir(withLogs.log.dir, { roots, source, stateDir: realState, io });
  const indexDirs = await indexDirsOf(roots, indexDir, { stateDir: realState, make: needs?.index ?? false });
  const configurations = [{ config: withLogs, source }, ...others.values()];
  const named = await command.namedPaths?.({ operands, flags, roots, cwd: io.cwd }) ?? [];
  const isNone = ({ llm, vision_llm: vision, rerank }: Config) =>
    llm.provider === "none" && vision.provider === "none" && rerank.provider !== "llm";
  const all = [withLogs, ...others.values().map(({ config }) => config)];
  // Nothing more is loaded where no language model is configured.
  const { config, consented } = flags.consent === undefined && all.every(isNone)
    ? { config: withLogs, consented: {} }
    : await (await import("./consent.ts")).languageModelsFor(command, {
      ...{ io, flags, language, signal, configs: all, roots, named, stateDir: realState, needs },
    });
  return {
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
    compared: Object.fromEntries([...others].map(([name, { config }]) => [name, config])),
    stateDir: realState,
    ...await modelsFor(needs, configurations.map(({ config }) => config), context),
    downloads: needs?.downloads ? await downloadsFor(config, io) : undefined,
    ownPlaces: [...await ownPlacesOf(configurations, realState, io), ...Object.values(indexDirs)],
    indexDirs,
    named,
    consented,
    indexKey: await keyFor(needs?.indexKey ?? "read", realState),
    http,
    permissions: undefined,
  };
}

/** Throws `UsageError` `store_name_shared` if two folders would be one collection of a database. */
function checkStoredNames(config: Config, roots: readonly string[]): void {
  const shared = sharedName(config, [...Object.values(config.collections).map(({ path }) => path), ...roots]);
  if (shared === undefined) return;
  const { name, dirs: [one, other] } = shared;
  throw new UsageError("store_name_shared", { name, one, other });
}

/** Whether there are tokens of people, ended ones included. If that cannot be found out, the server makes a token. */
async function hasPeople(config: Config, stateDir: string): Promise<boolean> {
  const { tokenStore } = await import("#library/people/mod.ts");
  try {
    return (await (await tokenStore(config, stateDir)).list()).length > 0;
  } catch {
    return false;
  }
}

/** Real path of the folder of `--index-dir`, which may not exist yet. */
async function indexDirNamed({ indexDir }: Flags, { cwd, env }: Io): Promise<string | undefined> {
  if (indexDir === undefined) return undefined;
  return await realPlaceNamed(resolve(cwd, expandHome(indexDir, homeFolder(env, Deno.build.os))));
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
  const dirs: Record<string, string> = {};
  if (base === undefined) {
    for (const root of roots) {
      const known = await indexDirOf(stateDir, root);
      if (known !== undefined) dirs[root] = known;
    }
    return dirs;
  }
  if (make) await makeOwnFolder(base);
  for (const root of roots) dirs[root] = dataFolderIn(base, root);
  return dirs;
}

/** Throws `data_folder_unwritable` and `disk_full`. */
async function makeOwnFolder(dir: string): Promise<void> {
  await makeNamedFolder(dir, 0o700).catch((error) => {
    throw unwritable(error, dir);
  });
}

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
  return address === null ? undefined : (await import("#models/remote/mod.ts")).proxyFor(address, env);
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

/** Real paths of files and folders that are never indexed: configurations, state, logs. */
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

/** Bytes of an `.npmrc` that are read. */
const NPMRC_BYTES = 64 * 1024;

/**
 * Real path of the folder of installed models, null if the environment does not tell it, and whether an embedding model is
 * in it. The folder is created for a command that writes to it, since its worker could not create the parents. Throws
 * `UsageError` `cli_no_models_dir`, and `data_folder_unwritable` and `disk_full`.
 */
async function modelsFor(
  needs: WorkerNeeds | undefined,
  configs: readonly Config[],
  context: MessageContext & Pick<Context, "signal">,
): Promise<Pick<Request, "modelsDir" | "hasModels" | "containsModels">> {
  const usesInstalled = configs.some(({ embedding: { provider, local } }) =>
    provider === "local" && (local.zh.path === null || local.en.path === null)
  );
  const dir = modelsDir(context.io.env, Deno.build.os);
  if (dir === null) {
    if (needs?.models !== undefined) throw new UsageError("cli_no_models_dir");
    return { modelsDir: null, hasModels: false };
  }
  const isWritten = needs?.models === "write";
  if (isWritten) await makeOwnFolder(dir);
  if (Deno.build.standalone && usesInstalled) await takeBundled(dir, context);
  return {
    modelsDir: await realPlaceNamed(dir),
    hasModels: ["zh", "en"].some((name) => isNamedFolder(join(dir, name))),
    ...(Deno.build.standalone && isWritten && {
      containsModels: await (await import("#models/install/mod.ts")).hasBundled(),
    }),
  };
}

/** Installs the models that the executable contains, or warns and goes on without. `install`: replaced by tests. */
export async function takeBundled(
  dir: string,
  context: MessageContext & Pick<Context, "signal">,
  install?: typeof installBundled,
): Promise<void> {
  const models = await import("#models/install/mod.ts");
  if (install === undefined && !await models.hasBundled()) return;
  try {
    await makeOwnFolder(dir);
    await (install ?? models.installBundled)(await realPlaceNamed(dir), context.signal);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { errorText, warn } = await say();
    warn(context, "cli_model_contained_failed", { problem: errorText(error, context.language, false) });
  }
}

/** The configured sources of models. The npm registry is that of the configuration, the environment or the user's `.npmrc`. */
async function downloadsFor({ models }: Config, { env }: Pick<Io, "env">): Promise<Downloads> {
  const { downloadHosts, modelSources, npmRegistry } = await import("#models/install/mod.ts");
  const home = homeFolder(env, Deno.build.os);
  const path = env["npm_config_userconfig"] ?? (home === undefined ? undefined : join(home, ".npmrc"));
  const registry = await npmRegistry(models.npm_registry, env, async () => {
    if (path === undefined) return undefined;
    // Without a readable file, no registry is known.
    const bytes = await readNamed(path, NPMRC_BYTES).catch(() => new Uint8Array());
    return new TextDecoder().decode(bytes);
  });
  const { proxyFor } = await import("#models/remote/mod.ts");
  const sources = modelSources(models, registry).map((source) => {
    const proxy = proxyFor(source.url, env);
    return proxy === undefined ? source : { ...source, proxy };
  });
  return { sources, hosts: downloadHosts(models, sources) };
}
