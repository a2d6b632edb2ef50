import { type ConfigOverrides, loadConfig, type LoadedConfig, type LoadOptions } from "../config/mod.ts";
import { indexedAround } from "./indexed_around.ts";
import type { Io } from "./io.ts";
import type { CommandName, Flags } from "./options.ts";

/**
 * The configuration in effect for a command line. MCP clients start `serve`, and that in a folder of their choice: it takes
 * none from its working folder unless it is named. Throws `ConfigError` and `UsageError` as `loadConfig` does.
 */
export function configurationFor(io: Io, flags: Flags, command: CommandName): Promise<LoadedConfig> {
  return loadConfig({
    ...configurationPlaces(io, flags),
    foreignCwd: command === "serve",
    flags: overrides(flags),
  });
}

/** Where a command line's configuration is looked for. */
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
