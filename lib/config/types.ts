import type { Config, ConfigOverrides } from "./schema.ts";
import type { Environment, OperatingSystem } from "./user_dirs.ts";

/** Options of {@linkcode loadConfig}. */
export interface LoadOptions {
  /** The file of `--config`, relative to `cwd`. */
  readonly file?: string | undefined;
  /** Absolute path of the working folder. */
  readonly cwd: string;
  readonly env: Environment;
  /** Values of the command line, which win over all others. */
  readonly flags?: ConfigOverrides;
  /** Default: the running system. */
  readonly os?: OperatingSystem;
  /** Whether another program chose `cwd`, as MCP clients do. Then only a named configuration is read from there. */
  readonly foreignCwd?: boolean;
  /**
   * Returns the indexed folder that is or contains one of these paths, if there is one. The content of an indexed folder may
   * be somebody else's. So only a named configuration is read from such a working folder, and the user's own configuration
   * in such a folder causes a warning. Called only if there is a configuration to read.
   */
  readonly indexedAround?: (paths: readonly string[]) => Promise<string | undefined>;
}

/** A valid configuration. */
export interface LoadedConfig {
  /** Complete and frozen. Paths in it are absolute. */
  readonly config: Config;
  /** Absolute path of the configuration file, or null without a file. */
  readonly source: string | null;
  /** Warnings for the user, in the configured language. */
  readonly warnings: readonly string[];
}
