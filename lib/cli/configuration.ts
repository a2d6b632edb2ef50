import { type ConfigOverrides, loadConfig, type LoadedConfig, type LoadOptions } from "../config/mod.ts";
import { indexedAround } from "./indexed_around.ts";
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
