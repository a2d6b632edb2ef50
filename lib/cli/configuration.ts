import { type ConfigOverrides, loadConfig, type LoadedConfig, type LoadOptions } from "../config/mod.ts";
import { indexedAround } from "./indexed_around.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";

/** The configuration in effect for a command line. Throws `ConfigError` and `UsageError` as `loadConfig` does. */
export function configurationFor(io: Io, flags: Flags): Promise<LoadedConfig> {
  return loadConfig({ ...configurationPlaces(io, flags), flags: overrides(flags) });
}

/** Where a command line's configuration is looked for. */
export function configurationPlaces(
  io: Io,
  { config, dir }: { readonly config?: string | undefined; readonly dir: readonly string[] },
): Pick<LoadOptions, "file" | "cwd" | "env" | "indexedAround"> {
  return { file: config, cwd: io.cwd, env: io.env, indexedAround: () => indexedAround(io, dir) };
}

function overrides(flags: Flags): ConfigOverrides {
  return {
    language: flags.language,
    search: { "top_k": flags.topK, mode: flags.mode },
  };
}
