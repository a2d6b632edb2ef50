/**
 * The configuration for a command line: where it is looked for,
 * and the real folders of its collections.
 */
import { dirname } from "node:path";
import {
  type Config,
  homeFolder,
  loadConfig,
  type LoadedConfig,
  type LoadOptions,
  stateDir,
} from "#foundation/configuration/mod.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";
import { UsageError } from "#foundation/errors.ts";
import { isInside, realPlaceNamed } from "#foundation/boundary/mod.ts";

/**
 * The configuration in effect for a command line. Where an MCP client starts the command, in a folder of its choice, the
 * working folder's configuration counts only if it is named. Throws `ConfigError` and `UsageError` as `loadConfig` does.
 */
export function configurationFor(
  io: Io,
  flags: Flags,
  { startedByClient, isHere }: Partial<Record<"startedByClient" | "isHere", true | undefined>> = {},
): Promise<LoadedConfig> {
  return loadConfig({
    // The working folder is not named then, but only what is left without collections.
    ...configurationPlaces(io, isHere ? { ...flags, dir: [] } : flags),
    foreignCwd: startedByClient ?? false,
    isHere: isHere ?? false,
    flags: { language: flags.language, search: { "top_k": flags.topK, mode: flags.mode } },
  });
}

/** Options of `loadConfig` that say where to look for the configuration of a command line. */
export function configurationPlaces(
  io: Io,
  { config, dir }: { readonly config?: string | undefined; readonly dir: readonly string[] },
): Pick<LoadOptions, "file" | "cwd" | "env" | "indexedAround"> {
  return { file: config, cwd: io.cwd, env: io.env, indexedAround: (paths) => indexedAround(io, dir, paths) };
}

/**
 * Real path of the folder that contains one of `paths`, among the folders that the command line names (`dirs`) and those
 * that were indexed on this machine; `undefined` if none does. Links among `paths` are followed.
 */
async function indexedAround(
  { cwd, env }: Pick<Io, "cwd" | "env">,
  dirs: readonly string[],
  paths: readonly string[],
): Promise<string | undefined> {
  const { isInside, realNamed, resolveTarget } = await import("#foundation/boundary/mod.ts");
  const { registeredRoots } = await import("#foundation/registry.ts");
  // A broken link counts by its own place.
  const real = await Promise.all(paths.map((path) => realNamed(path).catch(() => realNamed(dirname(path)))));
  const home = homeFolder(env, Deno.build.os);
  const state = stateDir(env, Deno.build.os);
  const named = dirs.map((dir) => resolveTarget(dir, { cwd, home, allowSensitive: true }));
  const folders = [
    // A folder that cannot be used is reported later, when it is opened.
    ...(await Promise.allSettled(named)).flatMap((each) => each.status === "fulfilled" ? each.value : []),
    ...(state === null ? [] : await registeredRoots(state).catch(() => [])),
  ];
  return folders.find((folder) => real.some((path) => isInside(path, folder)));
}

/**
 * The configuration with the real paths of the folders of its collections, since folders are compared by their real paths,
 * and with its {@linkcode LoadedConfig.outside}.
 * Throws `UsageError` `cli_collection_same_folder` where links make two collections the same folder.
 */
export async function withRealCollections(configured: LoadedConfig): Promise<LoadedConfig> {
  const loaded = await withRealOutside(configured);
  const real: [string, Config["collections"][string]][] = [];
  for (const [name, collection] of Object.entries(loaded.config.collections)) {
    const path = await realPlaceNamed(collection.path);
    const same = real.find(([, other]) => isInside(path, other.path) && isInside(other.path, path));
    if (same !== undefined) {
      throw new UsageError("cli_collection_same_folder", { name, other: same[0], path });
    }
    real.push([name, { ...collection, path }]);
  }
  return { ...loaded, config: { ...loaded.config, collections: Object.fromEntries(real) } };
}

/** The configuration with the rules that hold outside of the folder of a file that was not named, their paths real. */
async function withRealOutside(loaded: LoadedConfig): Promise<LoadedConfig> {
  const { outside } = loaded;
  if (outside === undefined) return loaded;
  const collections: Record<string, Config["collections"][string]> = {};
  for (const [name, collection] of Object.entries(outside.collections)) {
    collections[name] = { ...collection, path: await realPlaceNamed(collection.path) };
  }
  return { ...loaded, config: { ...loaded.config, outside: { ...outside, collections } } };
}
