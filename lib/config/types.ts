import type { Config, ConfigOverrides, OutsideRules } from "./schema.ts";
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
  /**
   * Whether the command works on `cwd` itself unless the configuration names collections. Then a file there without
   * collections is in the folder to be indexed.
   */
  readonly isHere?: boolean;
}

/** How a configuration file was found: by `--config`, by `MUXUE_RAG_CONFIG`, in the working folder, or in the user's folder. */
export type FoundBy = "option" | "variable" | "cwd" | "user";

/** A valid configuration. */
export interface LoadedConfig {
  /** Complete and frozen. Paths in it are absolute. */
  readonly config: Config;
  /** Absolute path of the configuration file, or null without a file. */
  readonly source: string | null;
  /** How that file was found; absent without a file. */
  readonly by?: FoundBy | undefined;
  /** Present if the file was found in the working folder and not named. */
  readonly outside?: OutsideRules;
  /** Warnings for the user, in the configured language. */
  readonly warnings: readonly string[];
}
