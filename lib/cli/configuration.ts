import { type ConfigOverrides, loadConfig, type LoadedConfig } from "../config/mod.ts";
import { indexedAround } from "./indexed_around.ts";
import type { Io } from "./io.ts";
import type { Flags } from "./options.ts";

/** The configuration in effect for a command line. Throws `ConfigError` and `UsageError` as `loadConfig` does. */
export function configurationFor(io: Io, flags: Flags): Promise<LoadedConfig> {
  return loadConfig({
    file: flags.config,
    cwd: io.cwd,
    env: io.env,
    flags: overrides(flags),
    indexedAround: () => indexedAround(io, flags.dir),
  });
}

function overrides(flags: Flags): ConfigOverrides {
  return {
    language: flags.language,
    search: { "top_k": flags.topK, mode: flags.mode },
  };
}
