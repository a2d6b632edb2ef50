import { dirname } from "node:path";
import {
  type ConfigOverrides,
  homeFolder,
  loadConfig,
  type LoadedConfig,
  type LoadOptions,
  stateDir,
} from "../config/mod.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";

/**
 * The configuration in effect for a command line. Where an MCP client starts the command, in a folder of its choice, the
 * working folder's configuration counts only if it is named. Throws `ConfigError` and `UsageError` as `loadConfig` does.
 */
export function configurationFor(io: Io, flags: Flags, startedByClient = false): Promise<LoadedConfig> {
  return loadConfig({
    ...configurationPlaces(io, flags),
    foreignCwd: startedByClient,
    flags: overrides(flags),
  });
}

/** Options of `loadConfig` that say where to look for the configuration of a command line. */
export function configurationPlaces(
  io: Io,
  { config, dir }: { readonly config?: string | undefined; readonly dir: readonly string[] },
): Pick<LoadOptions, "file" | "cwd" | "env" | "indexedAround"> {
  return { file: config, cwd: io.cwd, env: io.env, indexedAround: (paths) => indexedAround(io, dir, paths) };
}

function overrides(flags: Flags): ConfigOverrides {
  return {
    language: flags.language,
    search: { "top_k": flags.topK, mode: flags.mode },
  };
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
  const { isInside, realNamed, resolveTarget } = await import("../sandbox/mod.ts");
  const { registeredRoots } = await import("../registry/mod.ts");
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
